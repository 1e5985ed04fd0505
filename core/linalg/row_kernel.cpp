// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/linalg/row_kernel.h"

#include <algorithm>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/linalg/row_kernel.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gridhelm::linalg {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
using Lanes = hn::ScalableTag<T>;
template <typename T>
constexpr std::size_t laneCount = hn::MaxLanes(Lanes<T>());

/// Rows longer than this are taken to come from memory.
constexpr std::size_t longRowBytes = 32768;

/// There is an instance for each number of rows in a pass.
constexpr std::size_t mostRowsPerPass = 8;

/// As a lane of a vector does it, with one rounding where there are fused multiply-adds: a sum must
/// not depend on where the row's whole vectors end.
template <typename T>
HWY_INLINE T mulAdd(T weight, T value, T sum)
{
    const hn::CappedTag<T, 1> d;
    return hn::GetLane(hn::MulAdd(hn::Set(d, weight), hn::Set(d, value), hn::Set(d, sum)));
}

/// One pass: Count rows into the target.
template <typename T, std::size_t Count>
HWY_INLINE void addRows(const WeightedRow<T> *terms, bool isFirst, T *target, std::size_t width)
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
        auto sum = isFirst ? hn::Zero(d) : hn::LoadU(d, target + i);
        for (std::size_t j = 0; j < Count; ++j)
            sum = hn::MulAdd(weights[j], hn::LoadU(d, rows[j] + i), sum);
        hn::StoreU(sum, d, target + i);
    }
    for (std::size_t i = whole; i < width; ++i) {
        T sum = isFirst ? T(0) : target[i];
        for (std::size_t j = 0; j < Count; ++j)
            sum = mulAdd(terms[j].weight, rows[j][i], sum);
        target[i] = sum;
    }
}

template <typename T, std::size_t... Counts>
HWY_INLINE void addUpTo(std::size_t count, const WeightedRow<T> *terms, bool isFirst, T *target,
                        std::size_t width, std::index_sequence<Counts...>)
{
    // Runs the one instance whose row count is wanted.
    (void)((count == Counts + 1 && (addRows<T, Counts + 1>(terms, isFirst, target, width), true))
           || ...);
}

/// Short rows: all terms of a stretch of the target are summed up in registers.
template <typename T, std::size_t Vectors>
HWY_INLINE void combineStretch(std::span<const WeightedRow<T>> terms, T *target, std::size_t begin)
{
    const Lanes<T> d;
    constexpr auto N = laneCount<T>;
    hn::Vec<Lanes<T>> sums[Vectors];
    for (std::size_t v = 0; v < Vectors; ++v)
        sums[v] = hn::Zero(d);
    for (const auto &term : terms) {
        const auto weight = hn::Set(d, term.weight);
        for (std::size_t v = 0; v < Vectors; ++v)
            sums[v] = hn::MulAdd(weight, hn::LoadU(d, term.row + begin + v * N), sums[v]);
    }
    for (std::size_t v = 0; v < Vectors; ++v)
        hn::StoreU(sums[v], d, target + begin + v * N);
}

template <typename T>
void combine(std::span<const WeightedRow<T>> terms, T *target, std::size_t width,
             std::size_t rowsPerPass)
{
    // Several passes would read a target among the rows after writing it.
    const bool isTarget = std::ranges::find(terms, target, &WeightedRow<T>::row) != terms.end();
    if (width * sizeof(T) >= longRowBytes && !terms.empty() && !isTarget) {
        const auto perPass = std::clamp<std::size_t>(rowsPerPass, 1, mostRowsPerPass);
        for (std::size_t begin = 0; begin < terms.size(); begin += perPass)
            addUpTo<T>(std::min(perPass, terms.size() - begin), terms.data() + begin, begin == 0,
                       target, width, std::make_index_sequence<mostRowsPerPass>());
        return;
    }
    constexpr auto N = laneCount<T>;
    std::size_t i = 0;
    for (; i + 8 * N <= width; i += 8 * N)
        combineStretch<T, 8>(terms, target, i);
    for (; i + N <= width; i += N)
        combineStretch<T, 1>(terms, target, i);
    for (; i < width; ++i) {
        T sum = 0;
        for (const auto &term : terms)
            sum = mulAdd(term.weight, term.row[i], sum);
        target[i] = sum;
    }
}

/// One pass: Count rows into both targets.
template <typename T, std::size_t Count>
HWY_INLINE void addRowsTwice(const WeightedRow<T> *terms, const WeightedRow<T> *others,
                             bool isFirst, T *target, T *otherTarget, std::size_t width)
{
    const Lanes<T> d;
    constexpr auto N = laneCount<T>;
    hn::Vec<Lanes<T>> weights[Count], otherWeights[Count];
    for (std::size_t j = 0; j < Count; ++j) {
        weights[j] = hn::Set(d, terms[j].weight);
        otherWeights[j] = hn::Set(d, others[j].weight);
    }
    const auto whole = width / N * N;
    for (std::size_t i = 0; i < whole; i += N) {
        auto sum = isFirst ? hn::Zero(d) : hn::LoadU(d, target + i);
        auto other = isFirst ? hn::Zero(d) : hn::LoadU(d, otherTarget + i);
        for (std::size_t j = 0; j < Count; ++j) {
            const auto row = hn::LoadU(d, terms[j].row + i);
            sum = hn::MulAdd(weights[j], row, sum);
            other = hn::MulAdd(otherWeights[j], row, other);
        }
        hn::StoreU(sum, d, target + i);
        hn::StoreU(other, d, otherTarget + i);
    }
    for (std::size_t i = whole; i < width; ++i) {
        T sum = isFirst ? T(0) : target[i], other = isFirst ? T(0) : otherTarget[i];
        for (std::size_t j = 0; j < Count; ++j) {
            sum = mulAdd(terms[j].weight, terms[j].row[i], sum);
            other = mulAdd(others[j].weight, terms[j].row[i], other);
        }
        target[i] = sum;
        otherTarget[i] = other;
    }
}

template <typename T>
void combineTwice(std::span<const WeightedRow<T>> terms, std::span<const WeightedRow<T>> others,
                  T *target, T *otherTarget, std::size_t width)
{
    for (std::size_t begin = 0; begin < terms.size(); begin += longRowsPerPass) {
        const auto *some = terms.data() + begin, *same = others.data() + begin;
        const bool isFirst = begin == 0;
        if (terms.size() - begin >= longRowsPerPass) {
            addRowsTwice<T, longRowsPerPass>(some, same, isFirst, target, otherTarget, width);
            continue;
        }
        for (std::size_t j = 0; j < terms.size() - begin; ++j)
            addRowsTwice<T, 1>(some + j, same + j, isFirst && j == 0, target, otherTarget, width);
    }
}

template <typename T>
void combineInOrder(std::span<const RowCombination<T>> combinations,
                    std::span<const WeightedRow<T>> terms, std::size_t width)
{
    for (const auto &combination : combinations) {
        combine<T>(terms.first(combination.terms), combination.target, width, longRowsPerPass);
        terms = terms.subspan(combination.terms);
    }
}

template <typename T>
void interpolate(const T *rows, std::span<const AxisPoint<T>> axis, T *target,
                 std::size_t targetStride, std::size_t width)
{
    const Lanes<T> d;
    for (const auto &at : axis) {
        const T *HWY_RESTRICT left = rows + at.cell * width;
        const T *HWY_RESTRICT right = left + width;
        const auto fraction = hn::Set(d, at.fraction);
        const auto whole = width / laneCount<T> * laneCount<T>;
        for (std::size_t i = 0; i < whole; i += laneCount<T>) {
            const auto l = hn::LoadU(d, left + i);
            const auto slope = hn::Sub(hn::LoadU(d, right + i), l);
            hn::StoreU(hn::MulAdd(fraction, slope, l), d, target + i);
        }
        for (std::size_t i = whole; i < width; ++i)
            target[i] = left[i] + at.fraction * (right[i] - left[i]);
        target += targetStride;
    }
}

void combineFloat(std::span<const WeightedRow<float>> terms, float *target, std::size_t width,
                  std::size_t rowsPerPass)
{
    combine<float>(terms, target, width, rowsPerPass);
}
void combineDouble(std::span<const WeightedRow<double>> terms, double *target, std::size_t width,
                   std::size_t rowsPerPass)
{
    combine<double>(terms, target, width, rowsPerPass);
}
void combineTwiceFloat(std::span<const WeightedRow<float>> terms,
                       std::span<const WeightedRow<float>> others, float *target,
                       float *otherTarget, std::size_t width)
{
    combineTwice<float>(terms, others, target, otherTarget, width);
}
void combineTwiceDouble(std::span<const WeightedRow<double>> terms,
                        std::span<const WeightedRow<double>> others, double *target,
                        double *otherTarget, std::size_t width)
{
    combineTwice<double>(terms, others, target, otherTarget, width);
}
void combineInOrderFloat(std::span<const RowCombination<float>> combinations,
                         std::span<const WeightedRow<float>> terms, std::size_t width)
{
    combineInOrder<float>(combinations, terms, width);
}
void interpolateFloat(const float *rows, std::span<const AxisPoint<float>> axis, float *target,
                      std::size_t targetStride, std::size_t width)
{
    interpolate<float>(rows, axis, target, targetStride, width);
}
void combineInOrderDouble(std::span<const RowCombination<double>> combinations,
                          std::span<const WeightedRow<double>> terms, std::size_t width)
{
    combineInOrder<double>(combinations, terms, width);
}
void interpolateDouble(const double *rows, std::span<const AxisPoint<double>> axis, double *target,
                       std::size_t targetStride, std::size_t width)
{
    interpolate<double>(rows, axis, target, targetStride, width);
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::linalg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm::linalg {

HWY_EXPORT(combineFloat);
HWY_EXPORT(combineDouble);
HWY_EXPORT(combineTwiceFloat);
HWY_EXPORT(combineTwiceDouble);
HWY_EXPORT(combineInOrderFloat);
HWY_EXPORT(interpolateFloat);
HWY_EXPORT(combineInOrderDouble);
HWY_EXPORT(interpolateDouble);

template <>
void combineRows<float>(std::span<const WeightedRow<float>> terms, float *target, std::size_t width,
                        std::size_t rowsPerPass)
{
    HWY_DYNAMIC_DISPATCH(combineFloat)(terms, target, width, rowsPerPass);
}

template <>
void combineRows<double>(std::span<const WeightedRow<double>> terms, double *target,
                         std::size_t width, std::size_t rowsPerPass)
{
    HWY_DYNAMIC_DISPATCH(combineDouble)(terms, target, width, rowsPerPass);
}

template <>
void combineRowsTwice<float>(std::span<const WeightedRow<float>> terms,
                             std::span<const WeightedRow<float>> others, float *target,
                             float *otherTarget, std::size_t width)
{
    HWY_DYNAMIC_DISPATCH(combineTwiceFloat)(terms, others, target, otherTarget, width);
}
template <>
void combineRowsTwice<double>(std::span<const WeightedRow<double>> terms,
                              std::span<const WeightedRow<double>> others, double *target,
                              double *otherTarget, std::size_t width)
{
    HWY_DYNAMIC_DISPATCH(combineTwiceDouble)(terms, others, target, otherTarget, width);
}
template <>
void combineRowsInOrder<float>(std::span<const RowCombination<float>> combinations,
                               std::span<const WeightedRow<float>> terms, std::size_t width)
{
    HWY_DYNAMIC_DISPATCH(combineInOrderFloat)(combinations, terms, width);
}
template <>
void interpolateRows<float>(const float *rows, std::span<const AxisPoint<float>> axis,
                            float *target, std::size_t targetStride, std::size_t width)
{
    HWY_DYNAMIC_DISPATCH(interpolateFloat)(rows, axis, target, targetStride, width);
}
template <>
void combineRowsInOrder<double>(std::span<const RowCombination<double>> combinations,
                                std::span<const WeightedRow<double>> terms, std::size_t width)
{
    HWY_DYNAMIC_DISPATCH(combineInOrderDouble)(combinations, terms, width);
}
template <>
void interpolateRows<double>(const double *rows, std::span<const AxisPoint<double>> axis,
                             double *target, std::size_t targetStride, std::size_t width)
{
    HWY_DYNAMIC_DISPATCH(interpolateDouble)(rows, axis, target, targetStride, width);
}

} // namespace gridhelm::linalg
#endif
