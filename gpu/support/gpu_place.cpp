// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/support/gpu_place.h"

#include <cuda_runtime.h>

#include <array>
#include <cstddef>

namespace gridhelm::gpu {

std::string placeOf(const Ranks &ranks, const GpuDevice &gpu)
{
    std::array<char, 32> bus{};
    if (cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), gpu.index) != cudaSuccess)
        return {};
    return ranks.hosts()[static_cast<std::size_t>(ranks.number())] + " " + bus.data();
}

} // namespace gridhelm::gpu
