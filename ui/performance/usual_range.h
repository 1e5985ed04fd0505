// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <vector>

namespace gridhelm::ui {

/// Such that one value in fifty, at most, is larger: the first frame of a study takes a hundred
/// times as long as the others, which could not be told apart below it. 0 of none.
inline double highestUsual(std::vector<double> values)
{
    if (values.empty())
        return 0;
    constexpr double share = 0.98;
    const auto at = values.begin()
                    + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::ranges::nth_element(values, at);
    return *at;
}

} // namespace gridhelm::ui
