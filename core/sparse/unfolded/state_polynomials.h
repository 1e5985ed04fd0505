// SPDX-License-Identifier: GPL-3.0-or-later
//
// The functions of the states of a dimension without hats at one place: one text for the CPU
// (state_functions.h) and for CUDA's kernels, of values and of slopes.
#pragma once

#include "core/sparse/basis.h"
#include "core/sparse/cell_polynomial.h"
#include "core/sparse/unfolded/unfolded_grid.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace gridhelm::sparse {

/// The one function of a state that may be nonzero at a coordinate.
template <typename T>
struct StateValue
{
    T value = 0;
    T slope = 0; ///< derivative by the coordinate: to the right at kinks, to the left at 1
    std::uint32_t position = 0; ///< among the functions of the state
};

/// What the polynomials of `leja` are made of, by level. A point is the sum of two numbers, since
/// beside a point of its own one float is not precise enough.
template <typename T>
struct LejaTable
{
    static constexpr int size = static_cast<int>(treatments::lejaPoints.size());
    T high[size];
    T low[size];
    T scale[size]; ///< lejaScales
};

/// 1 / prod over k < level of 4 (x_level - x_k), the x_k being the points of `leja`: without the
/// factors 4 such products leave the range of a float.
inline constexpr auto lejaScales = [] {
    const auto &points = treatments::lejaPoints;
    std::array<double, treatments::lejaPoints.size()> scales{};
    for (std::size_t level = 0; level < points.size(); ++level) {
        double product = 1;
        for (std::size_t k = 0; k < level; ++k)
            product *= 4 * (points[level] - points[k]);
        scales[level] = 1 / product;
    }
    return scales;
}();

template <typename T>
constexpr LejaTable<T> makeLejaTable()
{
    LejaTable<T> table{};
    for (std::size_t level = 0; level < treatments::lejaPoints.size(); ++level) {
        const double point = treatments::lejaPoints[level];
        table.high[level] = static_cast<T>(point);
        table.low[level] = static_cast<T>(point - static_cast<double>(table.high[level]));
        table.scale[level] = static_cast<T>(lejaScales[level]);
    }
    return table;
}

/// use(state, function) for the states 0 .. highestState of `leja`: prod over k < state of
/// (x - x_k) / (x_state - x_k), from one to the next one factor more.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename T, typename Use>
GRIDHELM_HOST_DEVICE void forEachLejaState(const LejaTable<T> &table, int highestState, T x,
                                           Use use)
{
    T product = 1, slope = 0;
    for (int state = 0; state <= highestState; ++state) {
        use(state, StateValue<T>{product * table.scale[state], slope * table.scale[state], 0});
        const T factor = 4 * ((x - table.high[state]) - table.low[state]);
        slope = slope * factor + 4 * product;
        product *= factor;
    }
}

/// Those of a level of cells: all but leja, and the first states of clenshaw-curtis and of a
/// treatment with end points.
template <typename T>
GRIDHELM_HOST_DEVICE constexpr StateValue<T> stateInCells(DimensionBasis basis, int cells, T x)
{
    const auto cell = cellOf(cells, x);
    if (basis.degree == 1) {
        constexpr auto hats = BoundaryTreatment::boundary;
        return {basisValue(hats, cells, cell), basisDerivative(hats, cells, cell), cell.position};
    }
    const auto function =
        cellPolynomial(cell.fraction, inverseOfFurtherRoot<T>(basis, cells, cell.position));
    const auto count = static_cast<T>(std::uint32_t{1} << cells);
    return {function.value, function.slope * count, cell.position};
}

/// Those over the whole range, not of leja: 1, 2x - 1 and its square, and the halves of |2x - 1|.
template <typename T>
GRIDHELM_HOST_DEVICE constexpr StateValue<T> stateOverTheRange(DimensionBasis basis, int state, T x)
{
    const T line = 2 * x - 1;
    if (state == 0)
        return {1, 0, 0};
    if (hasEndPoints(basis.treatment))
        return {line, 2, 0};
    if (basis.degree == 1) // max(0, 1 - 2x) and max(0, 2x - 1)
        return x < T(0.5) ? StateValue<T>{-line, -2, 0} : StateValue<T>{line, 2, 1};
    return state == 1 ? StateValue<T>{line * line, 4 * line, 0} : StateValue<T>{line, 2, 0};
}

/// Any state of a dimension that has neither hats nor `leja`.
template <typename T>
GRIDHELM_HOST_DEVICE constexpr StateValue<T> polynomialState(DimensionBasis basis, int state, T x)
{
    const int cells = cellLevel(basis, levelOfState(basis, state));
    return cells < 0 ? stateOverTheRange(basis, state, x) : stateInCells(basis, cells, x);
}

/// The quotient of a function of `zero` and that of state 0, 4x (1 - x). Next to an end both vanish
/// there, and the common factor is left out.
template <typename T>
GRIDHELM_HOST_DEVICE constexpr StateValue<T> ratioOfZero(DimensionBasis basis, int cells, T x)
{
    const auto cell = cellOf(cells, x);
    const T t = cell.fraction, count = static_cast<T>(std::uint32_t{1} << cells);
    const T inverse = inverseOfFurtherRoot<T>(basis, cells, cell.position);
    const T further = 1 - (2 * t - 1) * inverse;
    if (cell.position == 0) {
        // 2^cells (1 - t) (1 - (2t - 1) / r) / (1 - x)
        const T value = count * (1 - t) * further / (1 - x);
        const T slope = count * count * (-further - 2 * (1 - t) * inverse) / (1 - x);
        return {value, slope + value / (1 - x), 0};
    }
    if (cell.position == (std::uint32_t{1} << cells) - 1) {
        const T value = count * t * further / x;
        const T slope = count * count * (further - 2 * t * inverse) / x;
        return {value, slope - value / x, cell.position};
    }
    const auto function = cellPolynomial(t, inverse);
    const T parabola = 4 * x * (1 - x);
    const T value = function.value / parabola;
    return {value, (function.slope * count - value * 4 * (1 - 2 * x)) / parabola, cell.position};
}

} // namespace gridhelm::sparse
