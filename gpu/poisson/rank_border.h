// SPDX-License-Identifier: GPL-3.0-or-later
//
// The border to a slab that no GPU of this process has: of another process, which may be on another
// machine, or of the CPU.
#pragma once

#include "core/execution/messages.h"
#include "gpu/support/buffer.h"
#include "gpu/support/stream.h"

#include <cstddef>
#include <memory>

namespace gridhelm::gpu {

/// What a layer, a row (2D) or plane (3D), has on the GPU, and in a message without gaps. Several
/// layers have their rows at the same distance.
struct LayerRows
{
    std::size_t count = 1; ///< of a layer
    std::size_t bytes = 0; ///< of each that belong to the message
    std::size_t pitch = 0; ///< from one to the next
};

/// Edges travel through pinned memory: enqueueEdge(), then send(), receive() and end() by the
/// thread that enqueues, so that the GPU goes on with the interior meanwhile. Made while the GPU is
/// current, as all is called.
class RankBorder
{
public:
    /// To that party; sends and receives so many layers at most.
    RankBorder(std::shared_ptr<Messages> messages, int party, const LayerRows &rows,
               std::size_t mostLayers);
    ~RankBorder();
    RankBorder(const RankBorder &) = delete;
    RankBorder &operator=(const RankBorder &) = delete;

    /// The edge of so many layers is on its way to the host after all that is in the stream; one
    /// that was sent before has arrived then.
    void enqueueEdge(const void *edge, std::size_t layers, const Stream &stream);
    /// Waits until it is there, then it is sent.
    void send();
    /// So many layers are expected.
    void receive(std::size_t layers);
    /// Waits for these, and enqueues them into the halo.
    void end(void *halo, const Stream &stream);
    /// Waits until nothing is on its way to the other party.
    void settle();

private:
    std::size_t bytesOf(std::size_t layers) const { return layers * m_rows.count * m_rows.bytes; }

    std::shared_ptr<Messages> m_messages;
    int m_party;
    LayerRows m_rows;
    PinnedBuffer<std::byte> m_out, m_in;
    std::size_t m_layersOut = 0, m_layersIn = 0;
    bool m_isPending = false; ///< messages are on their way from and to the buffers
    Event m_isOnHost = Event::untimed();
    Event m_hasLeft = Event::untimed(); ///< m_in, for the GPU
};

} // namespace gridhelm::gpu
