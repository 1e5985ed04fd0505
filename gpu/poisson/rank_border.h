// SPDX-License-Identifier: GPL-3.0-or-later
//
// The border to the slab of another process, which may be on another machine.
#pragma once

#include "core/execution/ranks.h"
#include "gpu/support/buffer.h"
#include "gpu/support/stream.h"

#include <cstddef>
#include <memory>

namespace gridhelm::gpu {

/// Edges travel through pinned memory of both hosts: enqueueEdge(), then begin() and end() by the
/// thread that enqueues, so that the GPU goes on with the interior meanwhile. Both sides send once
/// for each time they receive. Made while the GPU is current, as all is called.
class RankBorder
{
public:
    /// Sends and receives so many bytes at most.
    RankBorder(std::shared_ptr<Ranks> ranks, int rank, std::size_t bytes);
    ~RankBorder();
    RankBorder(const RankBorder &) = delete;
    RankBorder &operator=(const RankBorder &) = delete;

    /// The edge is on its way to the host after all that is in the stream.
    void enqueueEdge(const void *edge, std::size_t bytes, const Stream &stream);
    /// Waits until it is there, then it is sent, and so many bytes are expected.
    void begin(std::size_t bytesExpected);
    /// Waits for these, and enqueues them into the halo.
    void end(void *halo, const Stream &stream);

private:
    std::shared_ptr<Ranks> m_ranks;
    int m_rank;
    PinnedBuffer<std::byte> m_out, m_in;
    std::size_t m_bytesOut = 0, m_bytesIn = 0;
    bool m_isPending = false; ///< messages are on their way from and to the buffers
    Event m_isOnHost = Event::untimed();
};

} // namespace gridhelm::gpu
