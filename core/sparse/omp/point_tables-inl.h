// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a batch of points has to know of each dimension: for every state but 0 the ratio of its
// function and that of state 0, and its position.
// Included once for each SIMD instruction set, in the way of Highway: no #pragma once.
#if defined(GRIDHELM_CORE_SPARSE_OMP_POINT_TABLES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDHELM_CORE_SPARSE_OMP_POINT_TABLES_INL_H
#undef GRIDHELM_CORE_SPARSE_OMP_POINT_TABLES_INL_H
#else
#define GRIDHELM_CORE_SPARSE_OMP_POINT_TABLES_INL_H
#endif

#include "core/linalg/aligned_buffer.h"
#include "core/sparse/omp/interpolation_kernel.h"
#include "core/sparse/omp/lanes-inl.h"
#include "core/sparse/omp/polynomial_tables-inl.h"

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace gridhelm::sparse::omp {
namespace HWY_NAMESPACE {

/// Ratios and positions of a batch of points: row after row, `points` entries a row.
template <typename T>
struct Tables
{
    T *ratios;
    Index<T> *positions;
    T *scale;       ///< product of all functions of state 0
    T *coordinates; ///< dimension after dimension
};

/// The function of a cell that is `low` and `high` at its ends (inCell() of core/sparse/basis.h).
template <int low, int high, typename T>
HWY_INLINE hn::Vec<Lanes<T>> vectorInCell(hn::Vec<Lanes<T>> fraction)
{
    const Lanes<T> d;
    const auto one = hn::Set(d, T(1));
    const auto two = hn::Set(d, T(2));
    if constexpr (low == 0 && high == 0) {
        return hn::Mul(two, hn::Min(fraction, hn::Sub(one, fraction))); // exact in both halves
    } else if constexpr (low == 2 && high == 0) {
        return hn::NegMulAdd(two, fraction, two);
    } else if constexpr (low == 0 && high == 2) {
        return hn::Add(fraction, fraction);
    } else {
        const auto upper =
            hn::MulAdd(hn::Set(d, T(2 - 2 * high)), hn::Sub(one, fraction), hn::Set(d, T(high)));
        const auto lower = hn::MulAdd(hn::Set(d, T(2 - 2 * low)), fraction, hn::Set(d, T(low)));
        return hn::IfThenElse(hn::Lt(fraction, hn::Set(d, T(0.5))), lower, upper);
    }
}

/// The ratio of the function of a level >= 1 and that of state 0; `slope` is 2^level.
template <typename Treatment, typename T, typename Mask>
HWY_INLINE hn::Vec<Lanes<T>> ratioInCell(hn::Vec<Lanes<T>> fraction, Mask isFirst, Mask isLast,
                                         hn::Vec<Lanes<T>> slope, hn::Vec<Lanes<T>> inverseOfState0)
{
    const Lanes<T> d;
    constexpr auto ends = Treatment::ends;
    constexpr auto zero = ends.levelZero, outermost = ends.outermost;
    auto ratio = vectorInCell<0, 0, T>(fraction);
    if constexpr (outermost.high != 0)
        ratio = hn::IfThenElse(isLast, vectorInCell<0, outermost.high, T>(fraction), ratio);
    if constexpr (outermost.low != 0)
        ratio = hn::IfThenElse(isFirst, vectorInCell<outermost.low, 0, T>(fraction), ratio);
    if constexpr (!isStateZeroConstant<Treatment>) {
        // Next to an end where they vanish both functions are linear: their quotient is exactly
        // 2^level, also at the end.
        ratio = hn::Mul(ratio, inverseOfState0);
        const auto half = hn::Set(d, T(0.5));
        if constexpr (zero.low == 0)
            ratio = hn::IfThenElse(hn::And(isFirst, hn::Lt(fraction, half)), slope, ratio);
        if constexpr (zero.high == 0)
            ratio = hn::IfThenElse(hn::And(isLast, hn::Ge(fraction, half)), slope, ratio);
    }
    return ratio;
}

/// Fills one dimension's rows for one vector of coordinates. `stride` is the batch size.
template <typename Treatment, typename T>
HWY_INLINE void fillDimension(hn::Vec<Lanes<T>> x, int highestState, T *HWY_RESTRICT ratios,
                              Index<T> *HWY_RESTRICT positions, T *HWY_RESTRICT scale,
                              std::size_t stride)
{
    const Lanes<T> d;
    const IndexLanes<T> di;
    constexpr auto ends = Treatment::ends;
    const auto one = hn::Set(d, T(1));

    auto inverseOfState0 = one;
    int level = 1; // of the first row
    if constexpr (ends.arePoints) {
        if (highestState >= 1) {
            hn::Store(hn::MulSub(hn::Set(d, T(2)), x, one), d, ratios);
            hn::Store(hn::Zero(di), di, positions);
        }
        if (highestState >= 2) {
            hn::Store(vectorInCell<0, 0, T>(x), d, ratios + stride);
            hn::Store(hn::Zero(di), di, positions + stride);
        }
        ratios += 2 * stride;
        positions += 2 * stride;
        highestState -= 2;
    } else if constexpr (!isStateZeroConstant<Treatment>) {
        const auto state0 = vectorInCell<ends.levelZero.low, ends.levelZero.high, T>(x);
        hn::Store(hn::Mul(hn::Load(d, scale), state0), d, scale);
        inverseOfState0 = hn::IfThenElseZero(hn::Gt(state0, hn::Zero(d)), hn::Div(one, state0));
    }

    // Halve the cell level by level; every step is exact.
    auto fraction = x;
    auto position = hn::Zero(di);
    auto slope = one; // 2^level
    for (; level <= highestState; ++level) {
        const auto doubled = hn::Add(fraction, fraction);
        const auto upper = hn::Ge(doubled, one);
        fraction = hn::IfThenElse(upper, hn::Sub(doubled, one), doubled);
        position = hn::Or(hn::ShiftLeft<1>(position),
                          hn::IfThenElseZero(hn::RebindMask(di, upper), hn::Set(di, 1)));
        slope = hn::Add(slope, slope);

        const auto last = hn::Set(di, static_cast<Index<T>>((Index<T>{1} << level) - 1));
        const auto isFirst = hn::RebindMask(d, hn::Eq(position, hn::Zero(di)));
        const auto isLast = hn::RebindMask(d, hn::Eq(position, last));
        hn::Store(ratioInCell<Treatment, T>(fraction, isFirst, isLast, slope, inverseOfState0), d,
                  ratios);
        hn::Store(position, di, positions);
        ratios += stride;
        positions += stride;
    }
}

/// Fills the tables for the `count` <= stride points at x; the last point is repeated to fill the
/// batch.
template <typename T>
void fillTables(const InterpolationInput<T> &input, const T *HWY_RESTRICT x, std::size_t count,
                std::size_t stride, const Tables<T> &tables)
{
    const Lanes<T> d;
    const auto dimension = static_cast<std::size_t>(input.nodes->dimension());
    for (std::size_t i = 0; i < stride; ++i) {
        const T *HWY_RESTRICT point = x + std::min(i, count - 1) * dimension;
        for (std::size_t t = 0; t < dimension; ++t)
            tables.coordinates[t * stride + i] = point[t];
    }
    for (std::size_t v = 0; v < stride; v += laneCount<T>)
        hn::Store(hn::Set(d, T(1)), d, tables.scale + v);
    for (std::size_t t = 0; t < dimension; ++t) {
        const auto treatment = input.nodes->treatments()[t];
        const int highestState = input.nodes->highestState(static_cast<int>(t));
        const auto row = static_cast<std::size_t>(input.program->firstRow(static_cast<int>(t)));
        if (!hasHats(input.nodes->basis(t))) {
            const PolynomialRows<T> rows{tables.ratios + row * stride,
                                         tables.positions + row * stride, tables.scale, stride};
            fillPolynomials<T>(input.nodes->basis(t), highestState, tables.coordinates + t * stride,
                               rows);
            continue;
        }
        withTreatment(treatment, [&](auto type) HWY_ATTR {
            for (std::size_t v = 0; v < stride; v += laneCount<T>)
                fillDimension<decltype(type), T>(hn::Load(d, tables.coordinates + t * stride + v),
                                                 highestState, tables.ratios + row * stride + v,
                                                 tables.positions + row * stride + v,
                                                 tables.scale + v, stride);
        });
    }
}

/// Memory for the tables of one batch, kept by each thread.
template <typename T>
Tables<T> threadTables(std::size_t rows, std::size_t dimension, std::size_t batch)
{
    static thread_local linalg::AlignedBuffer<T> values;
    static thread_local linalg::AlignedBuffer<Index<T>> positions;
    T *base = values.require((rows + 1 + dimension) * batch);
    return {base, positions.require(rows * batch), base + rows * batch, base + (rows + 1) * batch};
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::sparse::omp
HWY_AFTER_NAMESPACE();

#endif
