// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rows of point_tables-inl.h for dimensions without hats: degrees 2 and 3, and treatments with
// other points (the arithmetic of core/sparse/unfolded/state_polynomials.h, for vectors).
// Included once for each SIMD instruction set, in the way of Highway: no #pragma once.
#if defined(GRIDHELM_CORE_SPARSE_OMP_POLYNOMIAL_TABLES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDHELM_CORE_SPARSE_OMP_POLYNOMIAL_TABLES_INL_H
#undef GRIDHELM_CORE_SPARSE_OMP_POLYNOMIAL_TABLES_INL_H
#else
#define GRIDHELM_CORE_SPARSE_OMP_POLYNOMIAL_TABLES_INL_H
#endif

#include "core/sparse/omp/lanes-inl.h"
#include "core/sparse/unfolded/state_functions.h"

#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace gridhelm::sparse::omp {
namespace HWY_NAMESPACE {

/// Where one dimension's rows go: `stride` is the batch size.
template <typename T>
struct PolynomialRows
{
    T *ratios;
    Index<T> *positions;
    T *scale; ///< multiplied by the function of state 0
    std::size_t stride;

    HWY_INLINE void store(std::size_t row, std::size_t v, hn::Vec<Lanes<T>> ratio,
                          hn::Vec<IndexLanes<T>> position) const
    {
        hn::Store(ratio, Lanes<T>(), ratios + row * stride + v);
        hn::Store(position, IndexLanes<T>(), positions + row * stride + v);
    }
};

template <typename T>
HWY_INLINE void fillLeja(hn::Vec<Lanes<T>> x, int highestState, const PolynomialRows<T> &rows,
                         std::size_t v)
{
    const Lanes<T> d;
    static constexpr auto table = makeLejaTable<T>();
    const auto four = hn::Set(d, T(4));
    auto product = hn::Set(d, T(1));
    for (std::size_t row = 0; row < static_cast<std::size_t>(highestState); ++row) {
        const auto distance =
            hn::Sub(hn::Sub(x, hn::Set(d, table.high[row])), hn::Set(d, table.low[row]));
        product = hn::Mul(product, hn::Mul(four, distance));
        rows.store(row, v, hn::Mul(product, hn::Set(d, table.scale[row + 1])),
                   hn::Zero(IndexLanes<T>()));
    }
}

/// Masks that select among the functions of a level by their positions.
template <typename T>
struct CellMasks
{
    using Mask = hn::Mask<Lanes<T>>;
    Mask isOdd, isFirst, isLast, isNextToFirst, isNextToLast;

    HWY_INLINE CellMasks(hn::Vec<IndexLanes<T>> position, int cells)
    {
        const Lanes<T> d;
        const IndexLanes<T> di;
        const auto last = static_cast<Index<T>>((Index<T>{1} << cells) - 1);
        const auto equals = [&](Index<T> value) HWY_ATTR {
            return hn::RebindMask(d, hn::Eq(position, hn::Set(di, value)));
        };
        isOdd = hn::RebindMask(d, hn::TestBit(position, hn::Set(di, Index<T>{1})));
        isFirst = equals(0);
        isLast = equals(last);
        isNextToFirst = equals(1);
        isNextToLast = equals(static_cast<Index<T>>(last - 1));
    }
};

/// inverseOfFurtherRoot() of core/sparse/cell_polynomial.h, for cells >= 1.
template <typename T>
HWY_INLINE hn::Vec<Lanes<T>> inverseOfRoot(DimensionBasis basis, int cells,
                                           const CellMasks<T> &masks)
{
    const Lanes<T> d;
    if (basis.degree < 3)
        return hn::Zero(d);
    const auto third = hn::Set(d, T(1) / T(3)), fifth = hn::Set(d, T(1) / T(5));
    const auto regular = hn::IfThenElse(masks.isOdd, hn::Neg(third), third);
    if (basis.treatment != BoundaryTreatment::zero)
        return regular;
    if (cells == 1)
        return hn::Zero(d);
    const auto isNext = hn::Or(masks.isNextToFirst, masks.isNextToLast);
    if (cells == 2)
        return hn::IfThenZeroElse(isNext, regular);
    return hn::IfThenElse(masks.isNextToFirst, fifth,
                          hn::IfThenElse(masks.isNextToLast, hn::Neg(fifth), regular));
}

/// The rows of the levels of cells from 1 on, into `firstRow` and those behind it.
template <bool isZero, typename T>
HWY_INLINE void fillCells(DimensionBasis basis, hn::Vec<Lanes<T>> x, std::size_t firstRow,
                          std::size_t endRow, const PolynomialRows<T> &rows, std::size_t v)
{
    const Lanes<T> d;
    const IndexLanes<T> di;
    const auto one = hn::Set(d, T(1)), two = hn::Set(d, T(2));
    auto inverseOfX = one, inverseOfRest = one, inverseOfState0 = one;
    if constexpr (isZero) {
        const auto rest = hn::Sub(one, x);
        inverseOfX = hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), hn::Div(one, x));
        inverseOfRest = hn::IfThenElseZero(hn::Gt(rest, hn::Zero(d)), hn::Div(one, rest));
        inverseOfState0 = hn::Mul(hn::Set(d, T(0.25)), hn::Mul(inverseOfX, inverseOfRest));
    }
    auto fraction = x;
    auto position = hn::Zero(di);
    auto count = one; // 2^cells
    int cells = 1;
    for (auto row = firstRow; row < endRow; ++row, ++cells) {
        const auto doubled = hn::Add(fraction, fraction);
        const auto upper = hn::Ge(doubled, one);
        fraction = hn::IfThenElse(upper, hn::Sub(doubled, one), doubled);
        position = hn::Or(hn::ShiftLeft<1>(position),
                          hn::IfThenElseZero(hn::RebindMask(di, upper), hn::Set(di, 1)));
        count = hn::Add(count, count);
        const auto rest = hn::Sub(one, fraction);
        if (basis.degree == 1) { // hats of clenshaw-curtis
            rows.store(row, v, hn::Mul(two, hn::Min(fraction, rest)), position);
            continue;
        }
        const CellMasks<T> masks(position, cells);
        const auto inverse = inverseOfRoot<T>(basis, cells, masks);
        const auto further = hn::NegMulAdd(hn::MulSub(two, fraction, one), inverse, one);
        auto ratio = hn::Mul(hn::Mul(hn::Set(d, T(4)), hn::Mul(fraction, rest)), further);
        if constexpr (isZero) {
            // Next to an end the factor that both functions have is left out.
            const auto outer = hn::Mul(count, further);
            ratio = hn::Mul(ratio, inverseOfState0);
            ratio =
                hn::IfThenElse(masks.isFirst, hn::Mul(outer, hn::Mul(rest, inverseOfRest)), ratio);
            ratio =
                hn::IfThenElse(masks.isLast, hn::Mul(outer, hn::Mul(fraction, inverseOfX)), ratio);
        }
        rows.store(row, v, ratio, position);
    }
}

/// States 1 and, of degree 2 and 3, 2 of clenshaw-curtis. Returns how many rows that are.
template <typename T>
HWY_INLINE std::size_t fillLevelOne(DimensionBasis basis, hn::Vec<Lanes<T>> x, int highestState,
                                    const PolynomialRows<T> &rows, std::size_t v)
{
    const Lanes<T> d;
    const IndexLanes<T> di;
    const auto line = hn::MulSub(hn::Set(d, T(2)), x, hn::Set(d, T(1)));
    if (basis.degree == 1) {
        const auto isUpper = hn::RebindMask(di, hn::Ge(line, hn::Zero(d)));
        if (highestState >= 1)
            rows.store(0, v, hn::Abs(line), hn::IfThenElseZero(isUpper, hn::Set(di, 1)));
        return 1;
    }
    if (highestState >= 1)
        rows.store(0, v, hn::Mul(line, line), hn::Zero(di));
    if (highestState >= 2)
        rows.store(1, v, line, hn::Zero(di));
    return 2;
}

/// One vector of coordinates.
template <typename T>
HWY_INLINE void fillPolynomialVector(DimensionBasis basis, int highestState, hn::Vec<Lanes<T>> x,
                                     const PolynomialRows<T> &rows, std::size_t v)
{
    const Lanes<T> d;
    const IndexLanes<T> di;
    const auto end = static_cast<std::size_t>(highestState);
    const auto one = hn::Set(d, T(1));
    const auto parabola = hn::Mul(hn::Set(d, T(4)), hn::Mul(x, hn::Sub(one, x)));
    if (basis.treatment == BoundaryTreatment::leja) {
        fillLeja<T>(x, highestState, rows, v);
    } else if (basis.treatment == BoundaryTreatment::clenshawCurtis) {
        const auto first = fillLevelOne<T>(basis, x, highestState, rows, v);
        fillCells<false, T>(basis, x, first, end, rows, v);
    } else if (hasEndPoints(basis.treatment)) {
        if (end >= 1)
            rows.store(0, v, hn::MulSub(hn::Set(d, T(2)), x, one), hn::Zero(di));
        if (end >= 2)
            rows.store(1, v, parabola, hn::Zero(di));
        fillCells<false, T>(basis, x, 2, end, rows, v);
    } else {
        hn::Store(hn::Mul(hn::Load(d, rows.scale + v), parabola), d, rows.scale + v);
        fillCells<true, T>(basis, x, 0, end, rows, v);
    }
}

/// One dimension's rows for the `stride` coordinates at x.
template <typename T>
void fillPolynomials(DimensionBasis basis, int highestState, const T *x,
                     const PolynomialRows<T> &rows)
{
    for (std::size_t v = 0; v < rows.stride; v += laneCount<T>)
        fillPolynomialVector<T>(basis, highestState, hn::Load(Lanes<T>(), x + v), rows, v);
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::sparse::omp
HWY_AFTER_NAMESPACE();

#endif
