// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random grids with treatments and degrees beside hats.
#pragma once

#include "tests/core/reference_cases.h"

#include <cstdint>
#include <vector>

namespace gridhelm::test {

/// All treatments and degrees, and never hats alone.
inline GridPointer otherGrid(Random &random, int highestDimension, std::uint64_t highestPoints)
{
    while (true) {
        auto grid = randomGrid(random, highestDimension, highestPoints, Kinds::all);
        if (!grid->hasHatsOnly())
            return grid;
    }
}

/// Rounding errors of coefficients: those of hats (hierarchizationTolerance()), times more terms.
template <typename T>
double coefficientTolerance(const sparse::SparseGrid &grid, const std::vector<T> &coefficients)
{
    return 16 * hierarchizationTolerance<T>(grid, largestMagnitude(coefficients) + 1);
}

} // namespace gridhelm::test
