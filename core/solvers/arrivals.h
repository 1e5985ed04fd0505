// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

namespace gridhelm::solvers {

/// Counts what one neighbour has sent since the beginning. One thread announces, one waits; what
/// was written before the announcement can be read after it.
class Arrivals
{
public:
    void announce(std::uint64_t count)
    {
        m_count.store(count, std::memory_order_release);
        m_count.notify_one();
    }

    bool has(std::uint64_t count) const { return m_count.load(std::memory_order_acquire) >= count; }

    /// Looks so many times before it sleeps, which keeps a CPU busy: worth it for what is hardly
    /// later than waking up takes.
    void await(std::uint64_t count, int glances = 0) const
    {
        for (int i = 0; i < glances; ++i) {
            if (has(count))
                return;
        }
        for (auto now = m_count.load(std::memory_order_acquire); now < count;
             now = m_count.load(std::memory_order_acquire))
            m_count.wait(now, std::memory_order_acquire);
    }

private:
    std::atomic<std::uint64_t> m_count{0};
};

} // namespace gridhelm::solvers
