// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/peak_flops.h"

#include "core/support/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/support/peak_flops.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gridhelm {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// x <- a x + b in several independent chains. Returns what nobody can predict, so that nothing is
/// left out.
float multiplyAndAdd(std::size_t rounds, float start)
{
    const hn::ScalableTag<float> d;
    // Written out: as an array they would not stay in registers at every optimization level.
    // Two units with a latency of four or five cycles need ten.
    auto x0 = hn::Set(d, start), x1 = x0, x2 = x0, x3 = x0, x4 = x0, x5 = x0, x6 = x0, x7 = x0,
         x8 = x0, x9 = x0;
    const auto a = hn::Set(d, 0.5F), b = hn::Set(d, 1.0F); // towards 2: no denormals, no overflow
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

std::size_t flopsOfRound()
{
    constexpr std::size_t chains = 10, ofMulAdd = 2;
    return chains * ofMulAdd * hn::Lanes(hn::ScalableTag<float>());
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm {

HWY_EXPORT(multiplyAndAdd);
HWY_EXPORT(flopsOfRound);

double measurePeakFlops(int threads)
{
    constexpr std::size_t rounds = 1000000;
    constexpr int tries = 12;
    const auto parts = static_cast<std::size_t>(std::max(threads, 1));
    std::atomic<float> sink = 0;
    double best = 0;
    for (int i = 0; i < tries; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        parallelFor(parts, threads, 1, [&](std::size_t part) {
            sink.store(HWY_DYNAMIC_DISPATCH(multiplyAndAdd)(rounds, static_cast<float>(part)),
                       std::memory_order_relaxed);
        });
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        best = std::max(best,
                        static_cast<double>(parts * rounds * HWY_DYNAMIC_DISPATCH(flopsOfRound)())
                            / seconds.count());
    }
    return best;
}

} // namespace gridhelm
#endif
