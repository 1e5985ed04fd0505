// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kernels that follow each other in a stream and take a few microseconds each: the next one is
// launched while the present one ends. For nvcc alone.
#pragma once

#include "gpu/support/device_attribute.h"
#include "gpu/support/kernel_order.cuh"

#include <cuda_runtime.h>

namespace gridhelm::gpu {

/// Whether the calling thread's device does so; older ones wait as they always did.
inline bool launchesEarly()
{
    static OncePerDevice majors;
    return majors([] { return deviceAttribute(cudaDevAttrComputeCapabilityMajor); }) >= 9;
}

/// As kernel<<<blocks, threads, 0, stream>>>(arguments...), also while the stream is recorded.
template <typename... Parameters, typename... Arguments>
void launchDependent(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, cudaStream_t stream,
                     const char *purpose, const Arguments &...arguments)
{
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = launchesEarly() ? 1 : 0;
    check(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...), purpose);
}

} // namespace gridhelm::gpu
