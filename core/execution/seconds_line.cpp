// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/seconds_line.h"

#include <algorithm>

namespace gridhelm {

SecondsLine lineThrough(const TimedItems &few, const TimedItems &many)
{
    const auto more = static_cast<double>(many.items) - static_cast<double>(few.items);
    const double slope = (many.seconds - few.seconds) / more;
    const double offset = few.seconds - slope * static_cast<double>(few.items);
    if (more > 0 && slope > 0 && offset >= 0)
        return {offset, slope};
    return {0, many.seconds / static_cast<double>(std::max<std::size_t>(many.items, 1))};
}

std::size_t helpersShare(const SecondsLine &first, const SecondsLine &helper, std::size_t items)
{
    const double slopes = first.slope + helper.slope;
    const auto all = static_cast<double>(items);
    const double share = (first.offset - helper.offset + first.slope * all) / slopes;
    return slopes > 0 ? static_cast<std::size_t>(std::clamp(share, 0.0, all)) : 0;
}

} // namespace gridhelm
