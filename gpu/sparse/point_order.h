// SPDX-License-Identifier: GPL-3.0-or-later
//
// An order in which neighbouring points lie in neighbouring cells of the cube, so that threads of a
// warp read neighbouring coefficients: a counting sort by the leading bits of all coordinates, the
// first bit of each dimension first (Morton order).
#pragma once

#include "gpu/support/buffer.h"

#include <cstdint>

namespace gridhelm::gpu {

class PointOrder
{
public:
    /// order()[i] is the index of the i-th point; `points` are row-major on the device. Valid until
    /// the next call. The order inside a cell is any.
    template <typename T>
    void compute(const T *points, int dimension, std::uint32_t count, cudaStream_t stream);

    const std::uint32_t *order() const { return m_order.data(); }

private:
    DeviceBuffer<uint2> m_places; // of each point: its cell, and its number in the cell
    DeviceBuffer<std::uint32_t> m_counts;
    DeviceBuffer<std::uint32_t> m_order;
    DeviceBuffer<unsigned char> m_scanMemory;
};

} // namespace gridhelm::gpu
