// SPDX-License-Identifier: GPL-3.0-or-later
//
// The functions of all states of one dimension at a place, whatever its basis.
#pragma once

#include "core/sparse/unfolded/unfolded_grid.h"

#include <cstdint>
#include <vector>

namespace gridhelm::sparse {

/// The one function of a state that may be nonzero at a coordinate.
template <typename T>
struct StateValue
{
    T value = 0;
    T slope = 0; ///< derivative by the coordinate: to the right at kinks, to the left at 1
    std::uint32_t position = 0; ///< among the functions of the state
};

/// Those of the states 0 .. highestState at 0 <= x <= 1, in `functions`.
template <typename T>
void stateFunctions(DimensionBasis basis, int highestState, T x,
                    std::vector<StateValue<T>> &functions);

/// Those of the states >= 1 divided by that of state 0: the quotients and their derivatives, also
/// where that of state 0 vanishes. Not for hats, which have theirs where they are needed.
template <typename T>
void stateRatios(DimensionBasis basis, int highestState, T x, std::vector<StateValue<T>> &ratios);

/// 1 / prod over k < level of 4 (x_level - x_k), the x_k being the points of `leja`: without the
/// factors 4 such products leave the range of a float.
const std::vector<double> &lejaScales();

} // namespace gridhelm::sparse
