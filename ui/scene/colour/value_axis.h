// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers along a bar of colours: where it ends, and where it has ticks.
#pragma once

#include <string>
#include <vector>

namespace gridhelm::ui {

enum class Scale { linear, logarithmic };

struct ValueRange
{
    double low = 0;
    double high = 1; ///< above low

    bool operator==(const ValueRange &) const = default;
};

/// The smallest range with round ends that holds `range`: 0.02 .. 0.98 becomes 0 .. 1.
/// A single value gets some room on both sides. Logarithmic: low > 0.
ValueRange roundedOutward(ValueRange range, Scale scale);

/// Ascending: round values within the range, and both of its ends. At most `most` (at least 2) of
/// them. Logarithmic: powers of ten, also 2 and 5 times these where they are few.
std::vector<double> ticksOf(ValueRange range, Scale scale, int most);

/// Ascending: at most `most` round values in the range, for an axis whose ends are not special.
std::vector<double> roundValuesIn(ValueRange range, int most);

/// Ascending: at most `most` (at least 1) round values between the ends, not on them; none if there
/// is no such value.
std::vector<double> roundValuesInside(ValueRange range, int most);

/// With as many digits as tell neighbours apart.
std::vector<std::string> tickTexts(const std::vector<double> &ticks);

} // namespace gridhelm::ui
