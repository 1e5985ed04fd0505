// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <charconv>
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

/// `value` with that many significant digits, 1 to 17, as the double that they mean.
inline double withDigits(double value, int digits)
{
    char text[40];
    const auto end =
        std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr;
    double rounded = value;
    std::from_chars(text, end, rounded);
    return rounded;
}

/// A computed value without its round-off: 0.3 instead of 0.30000000000000004, 0 instead of 1e-17.
/// It keeps the digits up to the 15th one of `magnitude`, the size of what it was computed from.
inline double withoutRoundOff(double value, double magnitude)
{
    if (value == 0 || !std::isfinite(value) || !(magnitude > 0))
        return value;
    const auto places = [](double of) { return std::floor(std::log10(std::abs(of))); };
    const double digits = 15 + places(value) - places(magnitude);
    return digits < 1 ? 0 : withDigits(value, static_cast<int>(std::min(digits, 15.0)));
}

} // namespace gridhelm
