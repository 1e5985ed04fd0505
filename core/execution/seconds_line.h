// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long a device, or a message, takes for so much work, as a line, and how two devices share
// work by their lines ([Murarasu2013], Eq. 6.4 and 6.5).
#pragma once

#include <cstddef>

namespace gridhelm {

/// offset + slope * amount; neither is negative. Amounts are items, the bytes of a message (then it
/// is latency and 1 / bandwidth), or the nodes of a plane.
struct SecondsLine
{
    double offset = 0;
    double slope = 0;

    double of(double amount) const { return offset + slope * amount; }
    double at(std::size_t items) const { return of(static_cast<double>(items)); }
};

/// What was measured: so many items in so many seconds.
struct TimedItems
{
    std::size_t items = 0;
    double seconds = 0;
};

/// Through two measurements of different sizes, the second of more items. Where they contradict
/// each other (more is faster, or nothing takes less than no time) the line goes through the second
/// one and 0.
SecondsLine lineThrough(const TimedItems &few, const TimedItems &many);

/// How many of `items` the helper takes so that both end together; 0 if all of them take the first
/// device no longer.
std::size_t helpersShare(const SecondsLine &first, const SecondsLine &helper, std::size_t items);

} // namespace gridhelm
