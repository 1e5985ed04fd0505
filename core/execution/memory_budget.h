// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <limits>

namespace gridhelm {

/// How many bytes may be taken on one device, and how many are: by everything that computes on it
/// for one context. Thread-safe.
class MemoryBudget
{
public:
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    explicit MemoryBudget(std::size_t limit = unlimited)
        : m_limit(limit)
    {
    }

    std::size_t limit() const noexcept { return m_limit; }
    std::size_t taken() const noexcept { return m_taken; }
    std::size_t left() const noexcept
    {
        const std::size_t taken = m_taken;
        return taken < m_limit ? m_limit - taken : 0;
    }

    /// Whether they are granted; if not, nothing is taken.
    bool take(std::size_t bytes) noexcept
    {
        std::size_t taken = m_taken;
        do {
            if (taken > m_limit || bytes > m_limit - taken)
                return false;
        } while (!m_taken.compare_exchange_weak(taken, taken + bytes));
        return true;
    }
    void giveBack(std::size_t bytes) noexcept { m_taken -= bytes; }

private:
    std::size_t m_limit;
    std::atomic<std::size_t> m_taken = 0;
};

} // namespace gridhelm
