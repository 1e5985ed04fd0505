// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compiled with CUDA only.
#include "app/bench/link_seconds.h"
#include "app/bench/measure.h"
#include "gpu/support/buffer.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/peer_copy.h"
#include "gpu/support/stream.h"

#include <cstddef>

namespace gridhelm::bench {
namespace {

gpu::DeviceBuffer<std::byte> bytesOn(const GpuDevice &device, std::size_t count)
{
    const gpu::OnGpu scope(device);
    return gpu::DeviceBuffer<std::byte>(count);
}

} // namespace

double secondsOfPeerCopy(const GpuDevice &from, const GpuDevice &to, std::size_t bytes)
{
    constexpr int copies = 50;
    const auto source = bytesOn(from, bytes);
    const auto target = bytesOn(to, bytes);
    gpu::PeerCopy copy(from, to, bytes, gpu::PeerRoute::best);
    const gpu::OnGpu scope(from);
    const gpu::Stream stream;
    gpu::Event begin, end;
    begin.record(stream);
    for (int i = 0; i < copies; ++i)
        copy.enqueue(source.data(), target.data(), bytes, stream);
    end.record(stream);
    end.wait();
    return gpu::Event::secondsBetween(begin, end) / copies;
}

} // namespace gridhelm::bench
