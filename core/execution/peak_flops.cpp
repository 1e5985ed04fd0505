// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/peak_flops.h"

#include "core/execution/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/execution/peak_flops.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gridhelm {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// x <- a x + b in several independent chains. Returns what nobody can predict, so that nothing is
/// left out.
template <typename T>
T multiplyAndAddIn(std::size_t rounds, T start)
{
    const hn::ScalableTag<T> d;
    // Written out: as an array they would not stay in registers at every optimization level.
    // Two units with a latency of four or five cycles need ten.
    auto x0 = hn::Set(d, start), x1 = x0, x2 = x0, x3 = x0, x4 = x0, x5 = x0, x6 = x0, x7 = x0,
         x8 = x0, x9 = x0;
    const auto a = hn::Set(d, T(0.5)), b = hn::Set(d, T(1)); // towards 2: no denormals, no overflow
    for (std::size_t i = 0; i < rounds; ++i) {
        x0 = hn::MulAdd(x0, a, b);
        x1 = hn::MulAdd(x1, a, b);
        x2 = hn::MulAdd(x2, a, b);
        x3 = hn::MulAdd(x3, a, b);
        x4 = hn::MulAdd(x4, a, b);
        x5 = hn::MulAdd(x5, a, b);
        x6 = hn::MulAdd(x6, a, b);
        x7 = hn::MulAdd(x7, a, b);
        x8 = hn::MulAdd(x8, a, b);
        x9 = hn::MulAdd(x9, a, b);
    }
    const auto sum = hn::Add(hn::Add(hn::Add(hn::Add(x0, x1), hn::Add(x2, x3)),
                                     hn::Add(hn::Add(x4, x5), hn::Add(x6, x7))),
                             hn::Add(x8, x9));
    return hn::GetLane(hn::SumOfLanes(d, sum));
}

float multiplyAndAdd(std::size_t rounds, float start)
{
    return multiplyAndAddIn(rounds, start);
}

double multiplyAndAddDouble(std::size_t rounds, double start)
{
    return multiplyAndAddIn(rounds, start);
}

std::size_t bytesOfVector()
{
    return hn::Lanes(hn::ScalableTag<float>()) * sizeof(float);
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm {

HWY_EXPORT(multiplyAndAdd);
HWY_EXPORT(multiplyAndAddDouble);
HWY_EXPORT(bytesOfVector);

namespace {

/// `run(start)` computes so many flops, on each thread.
template <typename T, typename Run>
double bestRate(const CpuDevice &cpu, double flops, Run run)
{
    constexpr int tries = 12;
    const auto parts = static_cast<std::size_t>(std::max(cpu.threads, 1));
    std::atomic<T> sink = 0;
    double best = 0;
    for (int i = 0; i < tries; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        parallelFor(parts, cpu, 1, [&](std::size_t part) {
            sink.store(run(static_cast<T>(part)), std::memory_order_relaxed);
        });
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        best = std::max(best, static_cast<double>(parts) * flops / seconds.count());
    }
    return best;
}

constexpr std::size_t rounds = 1000000;

double flopsOfLanes(std::size_t bytesOfLane)
{
    constexpr std::size_t chains = 10, ofMulAdd = 2;
    const std::size_t lanes = HWY_DYNAMIC_DISPATCH(bytesOfVector)() / bytesOfLane;
    return static_cast<double>(rounds * chains * ofMulAdd * lanes);
}

} // namespace

double measurePeakFlops(const CpuDevice &cpu)
{
    return bestRate<float>(cpu, flopsOfLanes(sizeof(float)), [](float start) {
        return HWY_DYNAMIC_DISPATCH(multiplyAndAdd)(rounds, start);
    });
}

double measurePeakDoubleFlops(const CpuDevice &cpu)
{
    return bestRate<double>(cpu, flopsOfLanes(sizeof(double)), [](double start) {
        return HWY_DYNAMIC_DISPATCH(multiplyAndAddDouble)(rounds, start);
    });
}

} // namespace gridhelm
#endif
