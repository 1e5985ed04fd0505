// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameters/parameter_space.h"

#include <cstdint>

namespace gridhelm {

/// Values of a parameter that are easy to write: multiples of 1, 2 or 5 times a power of ten; of a
/// logarithmic one, numbers of so many significant digits. They are as coarse as they can be with
/// `least` of them in the range.
class RoundValues
{
public:
    explicit RoundValues(const Parameter &parameter, double least = 1000);

    /// The one that is nearest; it may lie outside of the range. `value` itself if round values
    /// would have more digits than a double.
    double nearest(double value) const;

private:
    int m_digits = 0;   ///< of a logarithmic one; 0: a linear one
    int m_factor = 1;   ///< 1, 2 or 5
    int m_exponent = 0; ///< of ten
};

} // namespace gridhelm
