// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdlib>

namespace gridhelm {

/// The multiple of 10^exponent that is nearest to `value`, as the double that its digits mean.
inline double roundedTo(double value, int exponent)
{
    // By a whole power of ten, on the side where it is exact.
    const double power = std::pow(10.0, std::abs(exponent));
    const double rounded =
        exponent < 0 ? std::round(value * power) / power : std::round(value / power) * power;
    return std::isfinite(rounded) ? rounded : value;
}

} // namespace gridhelm
