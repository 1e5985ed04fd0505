// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ratio of the functions of a state and of state 0 (node_program.h), for one point.
#pragma once

#include "core/sparse/basis.h"
#include "core/sparse/omp/unfolded_grid.h"

namespace gridhelm::gpu {

/// The function of state 0 that others are divided by; 1 where it is constant.
template <typename T>
__device__ inline T stateZero(sparse::BoundaryTreatment treatment, T x)
{
    return treatment == sparse::BoundaryTreatment::zero
               ? sparse::basisValue(treatment, 0, sparse::cellOf(0, x))
               : T(1);
}

/// r(t, state) for state >= 1; `inverse` is 1 / stateZero(). Next to an end both functions are
/// linear, and the ratio is a constant even where both vanish.
template <typename T>
__device__ inline T stateRatio(sparse::BoundaryTreatment treatment, int state, T x, T inverse)
{
    const int level = sparse::omp::levelOfState(treatment, state);
    if (level < 0) // 2x - 1
        return T(2) * x - T(1);
    const auto cell = sparse::cellOf(level, x);
    const T value = sparse::basisValue(treatment, level, cell);
    if (treatment != sparse::BoundaryTreatment::zero)
        return value;
    const auto cells = std::uint32_t{1} << level;
    const bool isNextToEnd =
        cell.position == (cell.fraction < T(0.5) ? std::uint32_t{0} : cells - 1);
    return isNextToEnd ? static_cast<T>(cells) : value * inverse; // a choice, not a branch
}

} // namespace gridhelm::gpu
