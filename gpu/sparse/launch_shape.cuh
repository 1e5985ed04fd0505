// SPDX-License-Identifier: GPL-3.0-or-later
//
// How many threads and how much shared memory a walk is launched with.
#pragma once

#include "core/support/error.h"
#include "gpu/sparse/point_tables.cuh"
#include "gpu/support/cuda_error.h"
#include "gpu/support/device_attribute.h"

#include <cstddef>
#include <cstdint>

namespace gridhelm::gpu {

struct LaunchShape
{
    unsigned threads;
    std::size_t bytes;
};

/// As many threads a block, between `fewest` and `most`, as have room for their tables.
template <typename Kernel>
LaunchShape shapeFor(Kernel kernel, std::size_t bytesPerThread, unsigned fewest,
                     unsigned most = maxThreads)
{
    const auto limit =
        static_cast<std::size_t>(deviceAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    unsigned threads = most;
    // Two blocks to a multiprocessor if that can be had.
    while (threads > fewest && threads * bytesPerThread > limit / 2)
        threads -= 32;
    const auto bytes = threads * bytesPerThread;
    if (bytes > limit)
        throw BackendError(
            "this grid has too many levels in its dimensions for the memory of the CUDA "
            "device's multiprocessors; choose the back end omp");
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "set aside shared memory");
    return {threads, bytes};
}

inline unsigned blocksFor(std::uint32_t count, unsigned threads)
{
    return (count + threads - 1) / threads;
}

} // namespace gridhelm::gpu
