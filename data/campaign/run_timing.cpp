// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/run_timing.h"

#include <algorithm>

namespace gridhelm::data {

double secondsRemaining(const std::vector<RunTiming> &runs, std::size_t atATime)
{
    // A run takes as long as those that have ended, or as those tell that are on their way.
    double taken = 0, told = 0;
    std::size_t ended = 0, telling = 0, left = 0;
    for (const auto &run : runs) {
        if (run.state == RunTiming::State::ended) {
            taken += run.seconds;
            ++ended;
        } else if (run.state == RunTiming::State::running && run.part > 0) {
            told += run.seconds / run.part;
            ++telling;
        }
        left += run.state == RunTiming::State::waiting || run.state == RunTiming::State::running;
    }
    if (left == 0)
        return 0;
    if (ended + telling == 0)
        return -1;
    const double one =
        ended > 0 ? taken / static_cast<double>(ended) : told / static_cast<double>(telling);
    double work = 0, longest = 0;
    for (const auto &run : runs) {
        double more = 0;
        if (run.state == RunTiming::State::waiting)
            more = one;
        else if (run.state == RunTiming::State::running)
            more = run.part > 0 ? run.seconds * (1 - run.part) / run.part
                                : std::max(0.0, one - run.seconds);
        work += more;
        longest = std::max(longest, more);
    }
    return std::max(longest,
                    work / static_cast<double>(std::max<std::size_t>(std::min(atATime, left), 1)));
}

} // namespace gridhelm::data
