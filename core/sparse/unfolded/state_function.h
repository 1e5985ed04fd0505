// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/basis.h"
#include "core/sparse/unfolded/unfolded_grid.h"

#include <cstdint>

namespace gridhelm::sparse {

/// The one function of a state whose support holds a coordinate.
template <typename T>
struct StateFunction
{
    T value;
    std::uint32_t position; ///< among the functions of the state
};

template <typename T>
GRIDHELM_HOST_DEVICE StateFunction<T> stateFunction(BoundaryTreatment treatment, int state, T x)
{
    const int level = levelOfState(treatment, state);
    if (level < 0)
        return {state == 0 ? T(1) : T(2) * x - T(1), 0};
    const auto cell = cellOf(level, x);
    return {basisValue(treatment, level, cell), cell.position};
}

} // namespace gridhelm::sparse
