// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/support/device_limits.h"

#include "gpu/support/buffer.h"
#include "gpu/support/device_attribute.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/stream.h"

#include <algorithm>

namespace gridhelm::gpu {
namespace {

constexpr unsigned blockThreads = 256;
constexpr int loadsOfThread = 8;  ///< of 16 bytes each, all in flight at once
constexpr int copiesOfThread = 4; ///< likewise
constexpr int chains = 8;         ///< of multiply-adds, to hide the latency of an instruction
constexpr int chainLength = 4096;
constexpr int warmUps = 2;
constexpr int repeats = 10;

__global__ void __launch_bounds__(blockThreads)
    readKernel(const float4 *data, std::size_t count, float *sink)
{
    const auto first =
        static_cast<std::size_t>(blockIdx.x) * blockThreads * loadsOfThread + threadIdx.x;
    float4 values[loadsOfThread];
#pragma unroll
    for (int i = 0; i < loadsOfThread; ++i) {
        const auto place = first + i * blockThreads;
        values[i] = place < count ? __ldcs(data + place) : float4{0, 0, 0, 0};
    }
    float sum = 0;
#pragma unroll
    for (int i = 0; i < loadsOfThread; ++i)
        sum += values[i].x + values[i].y + values[i].z + values[i].w;
    if (sum == 1.2345e-30F) // never, but the compiler does not know
        *sink = sum;
}

__global__ void __launch_bounds__(blockThreads)
    copyKernel(const float4 *from, float4 *to, std::size_t count)
{
    const auto first =
        static_cast<std::size_t>(blockIdx.x) * blockThreads * copiesOfThread + threadIdx.x;
#pragma unroll
    for (int i = 0; i < copiesOfThread; ++i) {
        const auto place = first + i * blockThreads;
        if (place < count)
            __stcs(to + place, __ldcs(from + place));
    }
}

template <typename T>
__global__ void multiplyAddKernel(T factor, T *result)
{
    T values[chains];
    for (int c = 0; c < chains; ++c)
        values[c] = static_cast<T>(threadIdx.x + c);
    for (int step = 0; step < chainLength; ++step) {
        for (int c = 0; c < chains; ++c)
            values[c] = values[c] * factor + T(0.5);
    }
    T sum = 0;
    for (int c = 0; c < chains; ++c)
        sum += values[c];
    result[blockIdx.x * blockThreads + threadIdx.x] = sum;
}

/// Of the fastest run.
template <typename Work>
double secondsOf(const Stream &stream, Work work)
{
    Event begin, end;
    double fastest = 0;
    for (int run = 0; run < warmUps + repeats; ++run) {
        begin.record(stream);
        work();
        end.record(stream);
        end.wait();
        const double seconds = Event::secondsBetween(begin, end);
        fastest = run <= warmUps ? seconds : std::min(fastest, seconds);
    }
    return fastest;
}

unsigned blocksFor(std::size_t count, int perThread)
{
    const std::size_t perBlock = blockThreads * static_cast<std::size_t>(perThread);
    return static_cast<unsigned>((count + perBlock - 1) / perBlock);
}

void measureMemory(DeviceLimits &limits, const Stream &stream)
{
    constexpr std::size_t wanted = std::size_t{1} << 30; // beyond all caches
    const DeviceBuffer<float4> from(std::min(wanted, freeDeviceBytes() / 4) / sizeof(float4));
    const DeviceBuffer<float4> to(from.size());
    const DeviceBuffer<float> sink(1);
    const auto bytes = static_cast<double>(from.bytes());
    check(cudaMemsetAsync(from.data(), 1, from.bytes(), stream), "fill its memory");
    limits.readBytesPerSecond =
        bytes / secondsOf(stream, [&] {
            readKernel<<<blocksFor(from.size(), loadsOfThread), blockThreads, 0, stream>>>(
                from.data(), from.size(), sink.data());
            checkLaunch("read its memory");
        });
    const double copyingKernel = secondsOf(stream, [&] {
        copyKernel<<<blocksFor(from.size(), copiesOfThread), blockThreads, 0, stream>>>(
            from.data(), to.data(), from.size());
        checkLaunch("copy its memory");
    });
    const double driversCopy = secondsOf(stream, [&] {
        check(
            cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToDevice, stream),
            "copy its memory");
    });
    limits.copyBytesPerSecond = 2 * bytes / std::min(copyingKernel, driversCopy);

    constexpr std::size_t delivered = std::size_t{1} << 26; // a picture of 256^3 floats
    const PinnedBuffer<float4> host(std::min(delivered / sizeof(float4), from.size()));
    const auto hostBytes = host.size() * sizeof(float4);
    limits.toHostBytesPerSecond = static_cast<double>(hostBytes) / secondsOf(stream, [&] {
                                      check(cudaMemcpyAsync(host.data(), from.data(), hostBytes,
                                                            cudaMemcpyDeviceToHost, stream),
                                            "give its memory back");
                                  });
}

template <typename T>
double flopsPerSecond(const Stream &stream)
{
    const int multiprocessors = deviceAttribute(cudaDevAttrMultiProcessorCount);
    const auto blocks = 16 * static_cast<unsigned>(multiprocessors);
    const DeviceBuffer<T> result(static_cast<std::size_t>(blocks) * blockThreads);
    const double seconds = secondsOf(stream, [&] {
        multiplyAddKernel<<<blocks, blockThreads, 0, stream>>>(T(0.999), result.data());
        checkLaunch("multiply and add");
    });
    return 2.0 * chains * chainLength * blockThreads * blocks / seconds;
}

} // namespace

DeviceLimits measureDeviceLimits(const GpuDevice &gpu)
{
    const OnGpu scope(gpu);
    const Stream stream;
    DeviceLimits limits;
    limits.floatFlopsPerSecond = flopsPerSecond<float>(stream);
    limits.doubleFlopsPerSecond = flopsPerSecond<double>(stream);
    measureMemory(limits, stream);
    return limits;
}

} // namespace gridhelm::gpu
