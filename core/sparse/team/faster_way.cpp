// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/team/faster_way.h"

#include <algorithm>

namespace gridhelm::sparse {
namespace {

constexpr int longestPause = 1024;
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
    const Share all{0, items};
    const auto some = std::min(items / 8, few);
    if (items < few) {
        (isTogether() ? together : alone)(all);
    } else if (m_together == 0) {
        measure(items, some, alone, together);
    } else if (m_pause == 0) {
        const Share first{0, some};
        tryOther(first, alone, together);
        (isTogether() ? together : alone)({first.end, items});
    } else {
        --m_pause;
        if (isTogether())
            m_together = worthwhile * rateOf(together, all);
        else
            m_alone = rateOf(alone, all);
    }
}

void FasterWay::measure(std::size_t items, std::size_t some, const Work &alone,
                        const Work &together)
{
    alone({0, some}); // takes memory
    m_alone = rateOf(alone, {some, 2 * some});
    m_together = worthwhile * rateOf(together, {2 * some, 3 * some});
    m_pause = m_nextPause;
    (isTogether() ? together : alone)({3 * some, items});
}

void FasterWay::tryOther(Share items, const Work &alone, const Work &together)
{
    const bool before = isTogether();
    if (before)
        m_alone = rateOf(alone, items);
    else
        m_together = worthwhile * rateOf(together, items);
    m_nextPause = before == isTogether() ? std::min(2 * m_nextPause, longestPause) : 8;
    m_pause = m_nextPause;
}

} // namespace gridhelm::sparse
