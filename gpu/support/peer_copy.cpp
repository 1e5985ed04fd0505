// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/support/peer_copy.h"

#include "gpu/support/on_gpu.h"

namespace gridhelm::gpu {

bool letReach(const GpuDevice &from, const GpuDevice &to)
{
    if (from.index == to.index)
        return true;
    int can = 0;
    check(cudaDeviceCanAccessPeer(&can, from.index, to.index), "tell whom it reaches");
    if (can == 0)
        return false;
    const OnGpu scope(from);
    const auto status = cudaDeviceEnablePeerAccess(to.index, 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled) {
        cudaGetLastError(); // which would be found by the next checkLaunch() otherwise
        return true;
    }
    check(status, "reach another one");
    return true;
}

PeerCopy::PeerCopy(const GpuDevice &from, const GpuDevice &to, std::size_t bytes, PeerRoute route)
{
    if (route == PeerRoute::throughHost || !letReach(from, to))
        m_host = PinnedBuffer<std::byte>(bytes);
}

void PeerCopy::enqueue(const void *source, void *target, std::size_t bytes, cudaStream_t stream)
{
    constexpr auto action = "send values to another one";
    if (m_host.size() > 0) {
        check(cudaMemcpyAsync(m_host.data(), source, bytes, cudaMemcpyDeviceToHost, stream),
              action);
        check(cudaMemcpyAsync(target, m_host.data(), bytes, cudaMemcpyHostToDevice, stream),
              action);
    } else { // which GPUs it is, addresses tell
        check(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, stream), action);
    }
}

} // namespace gridhelm::gpu
