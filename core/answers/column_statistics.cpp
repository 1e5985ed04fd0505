// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/column_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/answers/column_statistics.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gridhelm::answers {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, 16>;
using Numbers = hn::Vec<Lanes>;
constexpr std::size_t laneCount = hn::MaxLanes(Lanes());
constexpr std::size_t vectors = 3; // with what is counted in each as many as registers hold
static_assert(blockColumns % (vectors * laneCount) == 0);

/// Where the sample of a rank is: between two samples of the column, lane by lane.
struct Bracket
{
    Numbers low, high;     ///< samples; the wanted one is not outside
    Numbers below, upTo;   ///< how many samples are below `low`, and not above `high`
    Numbers pivot, count;  ///< what is tried, and how many samples are not above it
    Numbers before, after; ///< the samples next to it, on both sides
};

HWY_INLINE bool isFound(const Bracket &bracket)
{
    return hn::AllFalse(Lanes(), hn::Lt(bracket.low, bracket.high));
}

/// Where the rank would be if samples were equally dense between the ends; in every third round the
/// middle, since they are not.
HWY_INLINE void choosePivot(Bracket &bracket, float rank, int round)
{
    const Lanes d;
    const auto wanted = hn::Sub(hn::Set(d, rank + 0.5F), bracket.below);
    const auto share =
        round % 3 == 2 ? hn::Set(d, 0.5F) : hn::Div(wanted, hn::Sub(bracket.upTo, bracket.below));
    const auto between =
        hn::MulAdd(share, bracket.high, hn::Mul(hn::Sub(hn::Set(d, 1.0F), share), bracket.low));
    // It has to be below the upper end, or nothing might become narrower.
    const auto isInside = hn::And(hn::Ge(between, bracket.low), hn::Lt(between, bracket.high));
    bracket.pivot = hn::IfThenElse(isInside, between, bracket.low);
    bracket.count = hn::Zero(d);
    bracket.before = bracket.low;
    bracket.after = bracket.high;
}

HWY_INLINE void look(Bracket &bracket, Numbers value)
{
    const Lanes d;
    const auto isUpTo = hn::Le(value, bracket.pivot);
    bracket.count = hn::Add(bracket.count, hn::IfThenElseZero(isUpTo, hn::Set(d, 1.0F)));
    bracket.before = hn::IfThenElse(isUpTo, hn::Max(bracket.before, value), bracket.before);
    bracket.after = hn::IfThenElse(isUpTo, bracket.after, hn::Min(bracket.after, value));
}

HWY_INLINE void narrow(Bracket &bracket, float rank)
{
    const Lanes d;
    const auto isOpen = hn::Lt(bracket.low, bracket.high);
    const auto isBelow = hn::Gt(bracket.count, hn::Set(d, rank));
    const auto lowers = hn::And(isOpen, isBelow);
    const auto raises = hn::AndNot(isBelow, isOpen);
    bracket.high = hn::IfThenElse(lowers, bracket.before, bracket.high);
    bracket.upTo = hn::IfThenElse(lowers, bracket.count, bracket.upTo);
    bracket.low = hn::IfThenElse(raises, bracket.after, bracket.low);
    bracket.below = hn::IfThenElse(raises, bracket.count, bracket.below);
}

/// One rank of the columns of some vectors, by counting: each look at all samples narrows the
/// brackets to samples on both sides of a pivot, until one is left. Several vectors, so that one
/// does not wait for what was added to another.
void selectRank(const float *HWY_RESTRICT samples, std::size_t count, std::size_t rank,
                const float *HWY_RESTRICT lowest, const float *HWY_RESTRICT highest,
                float *HWY_RESTRICT out)
{
    const Lanes d;
    const auto wanted = static_cast<float>(rank);
    Bracket brackets[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        brackets[v].low = hn::LoadU(d, lowest + v * laneCount);
        brackets[v].high = hn::LoadU(d, highest + v * laneCount);
        brackets[v].below = hn::Zero(d);
        brackets[v].upTo = hn::Set(d, static_cast<float>(count));
    }
    const auto areFound = [&] {
        bool all = true;
        for (const auto &bracket : brackets)
            all = all && isFound(bracket);
        return all;
    };
    for (int round = 0; !areFound(); ++round) {
        for (auto &bracket : brackets)
            choosePivot(bracket, wanted, round);
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t v = 0; v < vectors; ++v)
                look(brackets[v], hn::LoadU(d, samples + i * blockColumns + v * laneCount));
        for (auto &bracket : brackets)
            narrow(bracket, wanted);
    }
    for (std::size_t v = 0; v < vectors; ++v)
        hn::StoreU(brackets[v].low, d, out + v * laneCount);
}

void statisticsOf(const float *HWY_RESTRICT samples, std::size_t count,
                  std::span<const std::size_t> ranks, double threshold,
                  ColumnStatistics &statistics)
{
    std::array<float, blockColumns> lowest, highest;
    std::copy_n(samples, blockColumns, lowest.begin());
    std::copy_n(samples, blockColumns, highest.begin());
    std::array<double, blockColumns> sums{}, squares{};
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < blockColumns; ++j) {
            const float value = samples[i * blockColumns + j];
            sums[j] += static_cast<double>(value);
            lowest[j] = value < lowest[j] ? value : lowest[j];
            highest[j] = value > highest[j] ? value : highest[j];
        }
    const auto n = static_cast<double>(count);
    for (auto &sum : sums)
        sum /= n;
    std::array<double, blockColumns> above{};
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < blockColumns; ++j) {
            const auto value = static_cast<double>(samples[i * blockColumns + j]);
            squares[j] += (value - sums[j]) * (value - sums[j]);
            above[j] += value > threshold ? 1.0 : 0.0;
        }
    for (std::size_t j = 0; j < blockColumns; ++j) {
        statistics.mean[j] = sums[j];
        statistics.deviation[j] = std::sqrt(squares[j] / (n - 1));
        statistics.above[j] = above[j];
    }
    for (std::size_t r = 0; r < ranks.size(); ++r)
        for (std::size_t j = 0; j < blockColumns; j += vectors * laneCount)
            selectRank(samples + j, count, ranks[r], lowest.data() + j, highest.data() + j,
                       statistics.ranks[r].data() + j);
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::answers
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm::answers {

HWY_EXPORT(statisticsOf);

void columnStatistics(const float *samples, std::size_t count, std::span<const std::size_t> ranks,
                      std::optional<double> threshold, ColumnStatistics &statistics)
{
    statistics.ranks.resize(ranks.size());
    HWY_DYNAMIC_DISPATCH(statisticsOf)
    (samples, count, ranks, threshold.value_or(std::numeric_limits<double>::infinity()),
     statistics);
}

} // namespace gridhelm::answers
#endif
