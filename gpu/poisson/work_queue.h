// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/support/stream.h"

#include <array>
#include <cstdint>

namespace gridhelm::gpu {

/// Keeps the device busy and yet stoppable: two portions of work are in the queue, one runs while
/// the other one waits.
class WorkQueue
{
public:
    cudaStream_t stream() const { return m_stream; }

    /// Iterations over so many unknowns that take some milliseconds.
    static std::uint64_t portion(std::size_t unknowns)
    {
        constexpr std::uint64_t updates = 4'000'000'000;
        return 1 + updates / (unknowns + 1'000'000); // the smallest kernel is not for free
    }

    /// After a portion has been enqueued: waits until the one before it is done.
    void waitForRoom()
    {
        m_ends[m_next].record(m_stream);
        m_next = 1 - m_next;
        if (m_isFull)
            m_ends[m_next].wait();
        m_isFull = true;
    }

    void waitForAll() const { m_stream.wait("finish its iterations"); }

private:
    Stream m_stream;
    std::array<Event, 2> m_ends;
    std::size_t m_next = 0;
    bool m_isFull = false;
};

} // namespace gridhelm::gpu
