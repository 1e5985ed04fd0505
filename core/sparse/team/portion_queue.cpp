// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/team/portion_queue.h"

#include <algorithm>
#include <utility>

namespace gridhelm::sparse {

PortionQueue::PortionQueue(std::size_t points, std::span<const Taker> takers, Clock clock)
    : m_clock(std::move(clock))
    , m_points(points)
{
    for (const auto &taker : takers)
        m_takers.push_back({taker});
}

Share PortionQueue::next(std::size_t taker, std::size_t most, std::size_t finished)
{
    const std::lock_guard lock(m_mutex);
    auto &known = m_takers[taker];
    const double now = m_clock();
    if (known.begin < 0)
        known.begin = now;
    else if (finished > 0 && now > known.begin)
        known.speed = static_cast<double>(finished) / (now - known.begin);
    const Share portion{m_next, m_next + portionOf(known, most)};
    m_next = portion.end;
    known.last = portion.size();
    return portion;
}

void PortionQueue::stop()
{
    const std::lock_guard lock(m_mutex);
    m_next = m_points;
}

std::size_t PortionQueue::portionOf(const Known &known, std::size_t most) const
{
    const auto left = m_points - m_next;
    const auto smallest = std::min(known.taker.smallest, left);
    double all = 0;
    bool isKnown = known.speed > 0; // how fast it is beside the others
    for (const auto &each : m_takers) {
        all += each.speed;
        isKnown = isKnown && (each.speed > 0 || each.taker.mayLeave);
    }
    double wanted = static_cast<double>(smallest);
    if (isKnown)
        wanted = static_cast<double>(left) * known.speed / all / 2;
    // In the time that the others need for all that is left, it would not do a smallest one.
    const double others = all - known.speed;
    if (known.taker.mayLeave && isKnown
        && known.speed * (static_cast<double>(left) / others) < static_cast<double>(smallest))
        return 0;
    // As long as the others seem to be slower than they are, it would take far too many.
    if (known.taker.mayLeave)
        wanted = std::min(wanted, 2 * static_cast<double>(known.last));
    const auto portion = std::max(static_cast<std::size_t>(wanted), smallest);
    // Nor is less than a smallest portion left for anybody.
    const auto rest = left > portion ? left - portion : 0;
    const auto taken = rest < known.taker.smallest && !known.taker.mayLeave ? left : portion;
    return std::min({taken, most, left});
}

} // namespace gridhelm::sparse
