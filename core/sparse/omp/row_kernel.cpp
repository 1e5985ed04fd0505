// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/omp/row_kernel.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/sparse/omp/row_kernel.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gridhelm::sparse::omp {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
using Lanes = hn::ScalableTag<T>;
template <typename T>
constexpr std::size_t laneCount = hn::MaxLanes(Lanes<T>());

/// Rows added in one pass over the target: enough to make its loads and stores cheap, few enough
/// for the processor to follow their streams.
constexpr std::size_t rowsPerPass = 8;

/// One pass: Count rows into the target. While it runs, the rows of the next pass are fetched.
template <typename T, std::size_t Count>
HWY_INLINE void addRows(const WeightedRow<T> *terms, std::span<const WeightedRow<T>> next,
                        bool isFirst, T *HWY_RESTRICT target, std::size_t width)
{
    const Lanes<T> d;
    constexpr auto N = laneCount<T>;
    const T *rows[Count];
    hn::Vec<Lanes<T>> weights[Count];
    for (std::size_t j = 0; j < Count; ++j) {
        rows[j] = terms[j].row;
        weights[j] = hn::Set(d, terms[j].weight);
    }
    const auto whole = width / N * N;
    for (std::size_t i = 0; i < whole; i += N) {
        for (const auto &term : next)
            hwy::Prefetch(term.row + i);
        auto sum = isFirst ? hn::Zero(d) : hn::LoadU(d, target + i);
        for (std::size_t j = 0; j < Count; ++j)
            sum = hn::MulAdd(weights[j], hn::LoadU(d, rows[j] + i), sum);
        hn::StoreU(sum, d, target + i);
    }
    for (std::size_t i = whole; i < width; ++i) {
        T sum = isFirst ? T(0) : target[i];
        for (std::size_t j = 0; j < Count; ++j)
            sum += terms[j].weight * rows[j][i];
        target[i] = sum;
    }
}

template <typename T, std::size_t... Counts>
HWY_INLINE void addUpTo(std::size_t count, const WeightedRow<T> *terms,
                        std::span<const WeightedRow<T>> next, bool isFirst, T *target,
                        std::size_t width, std::index_sequence<Counts...>)
{
    // Runs the one instance whose row count is wanted.
    (void)((count == Counts + 1
            && (addRows<T, Counts + 1>(terms, next, isFirst, target, width), true))
           || ...);
}

template <typename T>
void combine(std::span<const WeightedRow<T>> terms, T *HWY_RESTRICT target, std::size_t width)
{
    if (terms.empty())
        std::fill_n(target, width, T(0));
    for (std::size_t begin = 0; begin < terms.size(); begin += rowsPerPass) {
        const auto count = std::min(rowsPerPass, terms.size() - begin);
        const auto behind = terms.subspan(begin + count);
        const auto next = behind.first(std::min(rowsPerPass, behind.size()));
        addUpTo<T>(count, terms.data() + begin, next, begin == 0, target, width,
                   std::make_index_sequence<rowsPerPass>());
    }
}

template <typename T>
void addTwo(const WeightedRow<T> &first, const WeightedRow<T> &second, T *HWY_RESTRICT target,
            std::size_t width)
{
    const WeightedRow<T> terms[] = {first, second};
    addRows<T, 2>(terms, {}, false, target, width);
}

void combineFloat(std::span<const WeightedRow<float>> terms, float *target, std::size_t width)
{
    combine<float>(terms, target, width);
}
void combineDouble(std::span<const WeightedRow<double>> terms, double *target, std::size_t width)
{
    combine<double>(terms, target, width);
}
void addTwoFloat(const WeightedRow<float> &first, const WeightedRow<float> &second, float *target,
                 std::size_t width)
{
    addTwo<float>(first, second, target, width);
}
void addTwoDouble(const WeightedRow<double> &first, const WeightedRow<double> &second,
                  double *target, std::size_t width)
{
    addTwo<double>(first, second, target, width);
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::sparse::omp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm::sparse::omp {

HWY_EXPORT(combineFloat);
HWY_EXPORT(combineDouble);
HWY_EXPORT(addTwoFloat);
HWY_EXPORT(addTwoDouble);

template <>
void combineRows<float>(std::span<const WeightedRow<float>> terms, float *target,
                        std::size_t width)
{
    HWY_DYNAMIC_DISPATCH(combineFloat)(terms, target, width);
}
template <>
void combineRows<double>(std::span<const WeightedRow<double>> terms, double *target,
                         std::size_t width)
{
    HWY_DYNAMIC_DISPATCH(combineDouble)(terms, target, width);
}
template <>
void addTwoRows<float>(const WeightedRow<float> &first, const WeightedRow<float> &second,
                       float *target, std::size_t width)
{
    HWY_DYNAMIC_DISPATCH(addTwoFloat)(first, second, target, width);
}
template <>
void addTwoRows<double>(const WeightedRow<double> &first, const WeightedRow<double> &second,
                        double *target, std::size_t width)
{
    HWY_DYNAMIC_DISPATCH(addTwoDouble)(first, second, target, width);
}

} // namespace gridhelm::sparse::omp
#endif
