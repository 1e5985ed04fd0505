// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ratio of the functions of a state and of state 0 (node_program.h), for one point.
#pragma once

#include "gpu/sparse/any_state.cuh"

namespace gridhelm::gpu {

/// The function of state 0 that others are divided by; 1 where it is constant.
template <typename Treatment, typename T>
__device__ inline T stateZero(T x)
{
    if constexpr (sparse::isStateZeroConstant<Treatment>)
        return T(1);
    else
        return sparse::basisValue<Treatment>(0, sparse::cellOf(0, x));
}

/// r(t, state) for state >= 1; `inverse` is 1 / stateZero(). Next to an end where they vanish both
/// functions are linear, and the ratio is a constant even at the end.
template <typename Treatment, typename T>
__device__ inline T stateRatio(int state, T x, T inverse)
{
    constexpr auto ends = Treatment::ends;
    const int level = ends.arePoints ? state - 2 : state;
    if (level < 0) // 2x - 1
        return T(2) * x - T(1);
    const auto cell = sparse::cellOf(level, x);
    const T value = sparse::basisValue<Treatment>(level, cell);
    if constexpr (sparse::isStateZeroConstant<Treatment>)
        return value;
    const auto cells = std::uint32_t{1} << level;
    constexpr std::uint32_t never = ~std::uint32_t{0};
    const auto nextToEnd = cell.fraction < T(0.5)
                               ? (ends.levelZero.low == 0 ? std::uint32_t{0} : never)
                               : (ends.levelZero.high == 0 ? cells - 1 : never);
    // a choice, not a branch
    return cell.position == nextToEnd ? static_cast<T>(cells) : value * inverse;
}

/// store(state, ratio) for the states 1 .. highestState of a dimension without hats. Returns the
/// function of state 0.
template <typename T, typename Store>
__device__ inline T polynomialRatios(sparse::DimensionBasis basis, int highestState, T x,
                                     Store store)
{
    if (basis.treatment == sparse::BoundaryTreatment::leja) {
        sparse::forEachLejaState(lejaTable<T>(), highestState, x,
                                 [&](int state, const sparse::StateValue<T> &function) {
                                     if (state > 0)
                                         store(state, function.value);
                                 });
        return 1;
    }
    const bool isZero = basis.treatment == sparse::BoundaryTreatment::zero;
#pragma unroll 1
    for (int state = 1; state <= highestState; ++state)
        store(state, isZero ? sparse::ratioOfZero(basis, state, x).value
                            : sparse::polynomialState(basis, state, x).value);
    return isZero ? 4 * x * (1 - x) : T(1);
}

} // namespace gridhelm::gpu
