// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/pmm/device_limits.h"

#include "gpu/support/buffer.h"
#include "gpu/support/require_device.h"
#include "gpu/support/stream.h"

#include <algorithm>

namespace gridhelm::gpu {
namespace {

constexpr int blockThreads = 256;
constexpr int chains = 8; ///< of each thread, to hide the latency of an instruction
constexpr int steps = 4096;

template <typename T>
__global__ void multiplyAddKernel(T factor, T *result)
{
    T values[chains];
    for (int c = 0; c < chains; ++c)
        values[c] = static_cast<T>(threadIdx.x + c);
    for (int step = 0; step < steps; ++step) {
        for (int c = 0; c < chains; ++c)
            values[c] = values[c] * factor + T(0.5);
    }
    T sum = 0;
    for (int c = 0; c < chains; ++c)
        sum += values[c];
    result[blockIdx.x * blockThreads + threadIdx.x] = sum;
}

/// Of the fastest of some runs after a warm-up.
template <typename Work>
double secondsOf(const Stream &stream, Work work)
{
    Event begin, end;
    double fastest = 0;
    for (int run = 0; run < 6; ++run) {
        begin.record(stream);
        work();
        end.record(stream);
        end.wait();
        const double seconds = Event::secondsBetween(begin, end);
        fastest = run < 2 ? seconds : std::min(fastest, seconds);
    }
    return fastest;
}

template <typename T>
double flopsPerSecond(const Stream &stream, int multiprocessors)
{
    const int blocks = 16 * multiprocessors;
    const DeviceBuffer<T> result(static_cast<std::size_t>(blocks) * blockThreads);
    const double seconds = secondsOf(stream, [&] {
        multiplyAddKernel<<<blocks, blockThreads, 0, stream>>>(T(0.999), result.data());
        checkLaunch("multiply and add");
    });
    return 2.0 * chains * steps * blockThreads * blocks / seconds;
}

} // namespace

DeviceLimits measureDeviceLimits()
{
    requireDevice();
    int multiprocessors = 0;
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0),
          "tell its properties");
    const Stream stream;
    DeviceLimits limits;
    limits.floatFlopsPerSecond = flopsPerSecond<float>(stream, multiprocessors);
    limits.doubleFlopsPerSecond = flopsPerSecond<double>(stream, multiprocessors);

    const std::size_t bytes =
        std::min<std::size_t>(std::size_t{1} << 30, freeDeviceBytes() / 4); // beyond all caches
    const DeviceBuffer<char> from(bytes), to(bytes);
    check(cudaMemsetAsync(from.data(), 1, bytes, stream), "fill its memory");
    const double seconds = secondsOf(stream, [&] {
        check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, stream),
              "copy its memory");
    });
    limits.copyBytesPerSecond = 2 * static_cast<double>(bytes) / seconds;
    return limits;
}

} // namespace gridhelm::gpu
