// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/portion_source.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

namespace gridhelm::sparse {

/// How one of those who share the points takes them.
struct Taker
{
    std::size_t smallest = 1; ///< portion that is worth it, or whose sums are those of larger ones
    bool mayLeave = false;    ///< stops rather than keep the others waiting at the end
};

/// Points from which fast devices take large portions and slow ones small portions
/// ([Murarasu2013], Listing 6.1): each as many as it does, by its speed until now, in half of the
/// time that all together still need. So portions shrink towards the end. At least one of the
/// takers may not leave. Thread-safe; a clock may be given for tests.
class PortionQueue
{
public:
    using Clock = std::function<double()>; ///< seconds

    PortionQueue(std::size_t points, std::span<const Taker> takers, Clock clock = steadyClock);

    /// As PortionSource::next(), for this taker. Portions lie behind each other in the order in
    /// which they are taken.
    Share next(std::size_t taker, std::size_t most, std::size_t finished);

    /// Nobody gets any more: one of them has failed.
    void stop();

    static double steadyClock()
    {
        using namespace std::chrono;
        return duration<double>(steady_clock::now().time_since_epoch()).count();
    }

private:
    struct Known
    {
        Taker taker;
        double begin = -1;    ///< when it took its first points
        double speed = 0;     ///< points per second; 0: not known yet
        std::size_t last = 0; ///< portion that it has taken
    };
    std::size_t portionOf(const Known &known, std::size_t most) const;

    std::mutex m_mutex;
    Clock m_clock;
    std::size_t m_next = 0;
    std::size_t m_points;
    std::vector<Known> m_takers;
};

/// The queue, as one of its takers sees it. Both must outlive it.
class QueuedPortions final : public PortionSource
{
public:
    QueuedPortions(PortionQueue &queue, std::size_t taker)
        : m_queue(queue)
        , m_taker(taker)
    {
    }

    Share next(std::size_t most, std::size_t finished) override
    {
        return m_queue.next(m_taker, most, finished);
    }

private:
    PortionQueue &m_queue;
    std::size_t m_taker;
};

} // namespace gridhelm::sparse
