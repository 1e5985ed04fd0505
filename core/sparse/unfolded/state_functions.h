// SPDX-License-Identifier: GPL-3.0-or-later
//
// The functions of all states of one dimension at a place, whatever its basis.
#pragma once

#include "core/sparse/unfolded/state_polynomials.h"

#include <array>
#include <vector>

namespace gridhelm::sparse {

/// Those of the states 0 .. highestState at 0 <= x <= 1, in `functions`.
template <typename T>
void stateFunctions(DimensionBasis basis, int highestState, T x,
                    std::vector<StateValue<T>> &functions);

/// Those of the states >= 1 divided by that of state 0: the quotients and their derivatives, also
/// where that of state 0 vanishes. Not for hats, which have theirs where they are needed.
template <typename T>
void stateRatios(DimensionBasis basis, int highestState, T x, std::vector<StateValue<T>> &ratios);

/// The value of each function of `leja` at each of its points: [level of the point][level of the
/// function], of functions of lower levels than the point's.
const std::vector<std::array<double, treatments::lejaPoints.size()>> &lejaFunctionsAtPoints();

} // namespace gridhelm::sparse
