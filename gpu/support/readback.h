// SPDX-License-Identifier: GPL-3.0-or-later
//
// Results on their way from the device to the host's memory. Pinned memory takes them at the speed
// of the bus; ordinary memory gets them through pinned pieces, which the CPU's threads copy on
// while further ones arrive: the driver alone would copy with one thread.
#pragma once

#include "core/execution/device.h"
#include "gpu/support/buffer.h"
#include "gpu/support/stream.h"

#include <array>
#include <cstddef>
#include <deque>

namespace gridhelm::gpu {

/// What readbacks need again and again; one at a time.
struct ReadbackRoute
{
    struct Piece
    {
        PinnedBuffer<std::byte> memory;
        Event arrived;
    };

    CpuDevice cpu{}; ///< whose threads copy
    Stream stream{};
    Event ready{};
    std::array<Piece, 4> pieces{};
};

/// One of them. Without finish() what has not arrived is dropped.
class Readback
{
public:
    explicit Readback(ReadbackRoute &route)
        : m_route(route)
    {
    }
    Readback(const Readback &) = delete;
    Readback &operator=(const Readback &) = delete;
    ~Readback();

    /// Copies `bytes` when what is enqueued on `producer` by now is done. Both arrays must live
    /// until finish(). Throws DeviceError.
    void add(const void *from, void *to, std::size_t bytes, cudaStream_t producer);
    /// Waits until all has arrived.
    void finish();

private:
    /// A piece that is to be copied on.
    struct Pending
    {
        ReadbackRoute::Piece *piece;
        void *to;
        std::size_t bytes;
    };
    void addPiece(const std::byte *from, std::byte *to, std::size_t bytes);
    void takeOldest();

    ReadbackRoute &m_route;
    std::deque<Pending> m_pending;
    /// Piece. Each readback begins with the first one, so that short ones need no others, whose
    /// memory takes a millisecond to pin.
    std::size_t m_next = 0;
    bool m_isFinished = true;
};

} // namespace gridhelm::gpu
