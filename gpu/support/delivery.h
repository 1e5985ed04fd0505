// SPDX-License-Identifier: GPL-3.0-or-later
//
// Results on their way from the device to the processor's memory. Pinned memory takes them at the
// speed of the bus; ordinary memory gets them through pinned pieces, which some threads copy on
// while further ones arrive: the driver alone would copy with one thread.
#pragma once

#include "gpu/support/buffer.h"
#include "gpu/support/stream.h"

#include <array>
#include <cstddef>
#include <deque>

namespace gridhelm::gpu {

/// What deliveries need again and again; one at a time.
struct DeliveryRoute
{
    struct Piece
    {
        PinnedBuffer<std::byte> memory;
        Event arrived;
    };

    Stream stream;
    Event ready;
    std::array<Piece, 4> pieces;
    std::size_t next = 0; ///< piece
};

/// One delivery. Without finish() what has not arrived is dropped.
class Delivery
{
public:
    explicit Delivery(DeliveryRoute &route)
        : m_route(route)
    {
    }
    Delivery(const Delivery &) = delete;
    Delivery &operator=(const Delivery &) = delete;
    ~Delivery();

    /// Copies `bytes` when what is enqueued on `producer` by now is done. Both arrays must live
    /// until finish(). Throws DeviceError.
    void add(const void *from, void *to, std::size_t bytes, cudaStream_t producer);
    /// Waits until all has arrived.
    void finish();

private:
    /// A piece that is to be copied on.
    struct Pending
    {
        DeliveryRoute::Piece *piece;
        void *to;
        std::size_t bytes;
    };
    void addPiece(const std::byte *from, std::byte *to, std::size_t bytes);
    void takeOldest();

    DeliveryRoute &m_route;
    std::deque<Pending> m_pending;
    bool m_isFinished = true;
};

} // namespace gridhelm::gpu
