// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a block of threads knows of the residual and the largest change. For nvcc alone.
#pragma once

#include "gpu/poisson/figures.h"

namespace gridhelm::gpu {

/// Largest |new - old| of a warp, to be kept in one place for all; the whole warp takes part.
template <typename T>
__device__ void keepLargest(T largest, unsigned long long *place)
{
    double value = largest;
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        value = fmax(value, __shfl_xor_sync(~0U, value, distance));
    // Not negative, so that the order of the numbers is that of their bits.
    if (threadIdx.x % 32 == 0 && value > 0)
        atomicMax(place, static_cast<unsigned long long>(__double_as_longlong(value)));
}

/// The sum over all threads of the block, which must take part, in a fixed order; at most 32 warps.
__device__ inline void keepBlockSum(double sum, double *place)
{
    __shared__ double sums[32];
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(~0U, sum, distance);
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    if (thread % 32 == 0)
        sums[thread / 32] = sum;
    __syncthreads();
    if (thread == 0) {
        double total = 0;
        for (unsigned warp = 0; warp < blockDim.x * blockDim.y / 32; ++warp)
            total += sums[warp];
        *place = total;
    }
}

} // namespace gridhelm::gpu
