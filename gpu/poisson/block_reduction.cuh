// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a block of threads knows of the residual and the largest change. For nvcc and NVRTC alone.
#pragma once

#include "gpu/poisson/reduction_slots.h"

namespace gridhelm::gpu {

template <typename T>
__device__ T largestByShuffles(T value)
{
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        value = max(value, __shfl_xor_sync(~0U, value, distance));
    return value;
}

/// Of a warp, all of which takes part. Not negative, so that the order of the numbers is that of
/// their bits, which one instruction compares.
__device__ inline float largestOfWarp(float value)
{
#if __CUDA_ARCH__ >= 800
    return __uint_as_float(__reduce_max_sync(~0U, __float_as_uint(value)));
#else
    return largestByShuffles(value);
#endif
}
__device__ inline double largestOfWarp(double value)
{
    return largestByShuffles(value);
}

/// Largest |new - old| of some threads, to be kept in one place for all. Most find a larger one
/// there, and need not wait in line for it.
__device__ inline void keepLargest(double largest, unsigned long long *place)
{
    // Not negative, so that the order of the numbers is that of their bits.
    if (largest > *reinterpret_cast<const volatile double *>(place))
        atomicMax(place, static_cast<unsigned long long>(__double_as_longlong(largest)));
}

/// The sum, in a fixed order, and the largest change over all threads of the block, which must take
/// part; at most 32 warps. One atomic operation for each block: one for each warp would make the
/// blocks of a large grid wait for each other.
template <typename T>
__device__ void reduceInBlock(double sum, T largest, double *sumPlace,
                              unsigned long long *largestPlace)
{
    __shared__ double sums[32];
    __shared__ T changes[32];
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(~0U, sum, distance);
    largest = largestOfWarp(largest);
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    if (thread % 32 == 0) {
        sums[thread / 32] = sum;
        changes[thread / 32] = largest;
    }
    __syncthreads();
    if (thread == 0) {
        for (unsigned warp = 1; warp < blockDim.x * blockDim.y / 32; ++warp) {
            sum += sums[warp];
            largest = max(largest, changes[warp]);
        }
        *sumPlace = sum;
        keepLargest(largest, largestPlace);
    }
}

} // namespace gridhelm::gpu
