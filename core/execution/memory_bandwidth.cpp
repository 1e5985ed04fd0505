// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/memory_bandwidth.h"

#include "core/execution/parallel_for.h"
#include "core/support/huge_pages.h"
#include "core/support/system_info.h"

#include <hwy/aligned_allocator.h>
#include <hwy/cache_control.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/execution/memory_bandwidth.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gridhelm {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <std::size_t Streams>
float sumStreams(const float *data, std::size_t count)
{
    const hn::ScalableTag<float> d;
    const auto N = hn::Lanes(d);
    const auto part = count / Streams / (2 * N) * (2 * N);
    hn::Vec<decltype(d)> sums[2 * Streams];
    for (auto &sum : sums)
        sum = hn::Zero(d);
    for (std::size_t i = 0; i < part; i += 2 * N) {
        for (std::size_t s = 0; s < Streams; ++s) {
            sums[2 * s] = hn::Add(sums[2 * s], hn::LoadU(d, data + s * part + i));
            sums[2 * s + 1] = hn::Add(sums[2 * s + 1], hn::LoadU(d, data + s * part + i + N));
        }
    }
    auto total = sums[0];
    for (std::size_t s = 1; s < 2 * Streams; ++s)
        total = hn::Add(total, sums[s]);
    float sum = hn::GetLane(hn::SumOfLanes(d, total));
    for (auto i = Streams * part; i < count; ++i)
        sum += data[i];
    return sum;
}

float sum(const float *data, std::size_t count, int streams)
{
    switch (streams) {
    case 1:
        return sumStreams<1>(data, count);
    case 2:
        return sumStreams<2>(data, count);
    case 4:
        return sumStreams<4>(data, count);
    default:
        return sumStreams<8>(data, count);
    }
}

/// Copies, or without a source writes a constant; count is a multiple of two vectors.
void transfer(const float *source, float *target, std::size_t count, bool nonTemporal)
{
    const hn::ScalableTag<float> d;
    const auto N = hn::Lanes(d);
    const auto constant = hn::Set(d, 1.5F);
    for (std::size_t i = 0; i < count; i += N) {
        const auto value = source != nullptr ? hn::Load(d, source + i) : constant;
        if (nonTemporal)
            hn::Stream(value, d, target + i);
        else
            hn::Store(value, d, target + i);
    }
    hwy::FlushStream();
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm {

HWY_EXPORT(sum);
HWY_EXPORT(transfer);

namespace {

constexpr int repeats = 5;

template <typename Work>
double bestSeconds(Work work)
{
    double best = 1e30;
    for (int i = 0; i < repeats; ++i) {
        const auto start = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        best = std::min(best, seconds.count());
    }
    return best;
}

/// Calls work(first, count) for equal parts of `size` values, a multiple of 4096, on all threads.
template <typename Work>
void onAllThreads(std::size_t size, const CpuDevice &cpu, Work work)
{
    const auto parts = static_cast<std::size_t>(std::max(cpu.threads, 1));
    const auto part = (size / parts + 4095) / 4096 * 4096;
    parallelFor(parts, cpu, 1, [&](std::size_t p) {
        const auto first = std::min(p * part, size);
        work(first, std::min(part, size - first));
    });
}

} // namespace

float readOnce(std::span<const float> data, int streams, const CpuDevice &cpu)
{
    std::vector<float> sums(data.size() / 4096 + 1);
    onAllThreads(data.size(), cpu, [&](std::size_t first, std::size_t count) {
        sums[first / 4096] = HWY_DYNAMIC_DISPATCH(sum)(data.data() + first, count, streams);
    });
    float total = 0;
    for (float sum : sums)
        total += sum;
    return total;
}

MemoryBandwidth measureMemoryBandwidth(const CpuDevice &cpu, std::size_t mostBytes)
{
    constexpr std::size_t smallest = std::size_t{128} << 20;
    const auto bytes =
        std::min(std::max<std::size_t>(4 * querySystemInfo().lastLevelCacheBytes, smallest),
                 std::max<std::size_t>(mostBytes, 16384))
        / 16384 * 16384;
    const auto count = bytes / sizeof(float);
    const auto source = hwy::AllocateAligned<float>(count);
    const auto target = hwy::AllocateAligned<float>(count);
    if (!source || !target)
        throw std::bad_alloc();
    // As the solvers allocate their grids: huge pages make a copy some 10 % faster.
    preferHugePages(source.get(), bytes);
    preferHugePages(target.get(), bytes);
    onAllThreads(count, cpu, [&](std::size_t first, std::size_t size) {
        for (auto i = first; i < first + size; ++i) {
            source[i] = static_cast<float>(i % 1000003); // nothing that hardware could shorten
            target[i] = 0;
        }
    });

    MemoryBandwidth result{0, 0, 0, bytes, cpu.threads};
    const auto better = [](double &best, double moved, double seconds) {
        best = std::max(best, moved / seconds);
    };
    const auto moved = static_cast<double>(bytes);
    volatile float sink = 0;
    for (int streams : {1, 2, 4, 8})
        better(result.read, moved, bestSeconds([&] {
                   sink = readOnce({source.get(), count}, streams, cpu);
               }));
    for (bool nonTemporal : {false, true}) {
        const auto run = [&](const float *from) {
            return bestSeconds([&] {
                onAllThreads(count, cpu, [&](std::size_t first, std::size_t size) {
                    HWY_DYNAMIC_DISPATCH(transfer)
                    (from != nullptr ? from + first : nullptr, target.get() + first, size,
                     nonTemporal);
                });
            });
        };
        better(result.write, moved, run(nullptr));
        better(result.copy, 2 * moved, run(source.get()));
    }
    better(result.write, moved, bestSeconds([&] {
               onAllThreads(count, cpu, [&](std::size_t first, std::size_t size) {
                   std::memset(target.get() + first, 1, size * sizeof(float));
               });
           }));
    better(result.copy, 2 * moved, bestSeconds([&] {
               onAllThreads(count, cpu, [&](std::size_t first, std::size_t size) {
                   std::memcpy(target.get() + first, source.get() + first, size * sizeof(float));
               });
           }));
    return result;
}

} // namespace gridhelm
#endif
