// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/device_bandwidth.h"

#include "gpu/support/cuda_error.h"

namespace gridhelm::gpu {

namespace {

constexpr unsigned threads = 256;
constexpr int perThread = 8; ///< independent accesses of 16 bytes

__global__ void __launch_bounds__(threads)
    readKernel(const float4 *data, std::size_t count, float *sink)
{
    const auto first = static_cast<std::size_t>(blockIdx.x) * threads * perThread + threadIdx.x;
    float4 values[perThread];
#pragma unroll
    for (int i = 0; i < perThread; ++i)
        values[i] =
            first + i * threads < count ? __ldcs(data + first + i * threads) : float4{0, 0, 0, 0};
    float sum = 0;
#pragma unroll
    for (int i = 0; i < perThread; ++i)
        sum += values[i].x + values[i].y + values[i].z + values[i].w;
    if (sum == 1.2345e-30F) // never, but the compiler does not know
        *sink = sum;
}

__global__ void __launch_bounds__(threads)
    copyKernel(const float4 *from, float4 *to, std::size_t count)
{
    const auto first = static_cast<std::size_t>(blockIdx.x) * threads * 4 + threadIdx.x;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        if (first + i * threads < count)
            __stcs(to + first + i * threads, __ldcs(from + first + i * threads));
    }
}

unsigned blocksFor(std::size_t count, std::size_t perBlock)
{
    return static_cast<unsigned>((count + perBlock - 1) / perBlock);
}

} // namespace

void readOnce(const void *data, std::size_t bytes, float *sink, cudaStream_t stream)
{
    const auto count = bytes / sizeof(float4);
    readKernel<<<blocksFor(count, threads * perThread), threads, 0, stream>>>(
        static_cast<const float4 *>(data), count, sink);
    checkLaunch("read its memory");
}

void copyOnce(const void *from, void *to, std::size_t bytes, cudaStream_t stream)
{
    const auto count = bytes / sizeof(float4);
    copyKernel<<<blocksFor(count, threads * 4), threads, 0, stream>>>(
        static_cast<const float4 *>(from), static_cast<float4 *>(to), count);
    checkLaunch("copy its memory");
}

} // namespace gridhelm::gpu
