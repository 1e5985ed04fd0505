// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/team/faster_way.h"

#include <algorithm>

namespace gridhelm::sparse {
namespace {

constexpr int shortest = 8, longestPause = 1024;
/// What helps must gain.
constexpr double worthwhile = 0.97;

/// Items per second.
double rateOf(const FasterWay::Work &work, Share items)
{
    return static_cast<double>(items.size()) / std::max(work(items), 1e-9);
}

} // namespace

void FasterWay::run(std::size_t items, std::size_t few, const Work &alone, const Work &together)
{
    const auto some = std::min(items / 8, few);
    std::size_t done = 0;
    const auto next = [&] {
        done += some;
        return Share{done - some, done};
    };
    const bool teaches = items >= few;
    if (teaches && m_together == 0) { // both take memory first
        alone(next());
        together(next());
    }
    if (teaches && m_pause == 0) {
        const bool before = isTogether();
        m_alone = rateOf(alone, next());
        m_together = worthwhile * rateOf(together, next());
        m_nextPause = before == isTogether() ? std::min(2 * m_nextPause, longestPause) : shortest;
        m_pause = m_nextPause;
        m_usual = 0;
    }
    const double rate = rateOf(isTogether() ? together : alone, {done, items});
    if (!teaches)
        return;
    --m_pause;
    if (rate < 0.7 * m_usual) // something has changed
        m_pause = 0;
    m_usual = std::max(rate, 0.9 * m_usual);
}

} // namespace gridhelm::sparse
