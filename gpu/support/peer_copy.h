// SPDX-License-Identifier: GPL-3.0-or-later
//
// From the memory of one GPU to that of another, or of the same.
#pragma once

#include "core/execution/device.h"
#include "gpu/support/buffer.h"

#include <cstddef>

namespace gridhelm::gpu {

enum class PeerRoute {
    best,        ///< within the GPU, or direct where both can, otherwise through the host
    throughHost, ///< whatever they can
};

/// Lets kernels and copies of one GPU reach the memory of the other from now on; whether they can.
/// Throws DeviceError.
bool letReach(const GpuDevice &from, const GpuDevice &to);

class PeerCopy
{
public:
    /// Prepares copies of so many bytes at most; lets the GPUs reach each other if they can.
    PeerCopy(const GpuDevice &from, const GpuDevice &to, std::size_t bytes, PeerRoute route);

    /// In the order of the stream, which is one of `from`.
    void enqueue(const void *source, void *target, std::size_t bytes, cudaStream_t stream);

private:
    PinnedBuffer<std::byte> m_host; ///< empty if the copies are direct
};

} // namespace gridhelm::gpu
