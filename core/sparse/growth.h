// SPDX-License-Identifier: GPL-3.0-or-later
//
// Growing a grid keeps its coefficients: a point's coefficient depends only on blocks below it.
#pragma once

#include "core/sparse/sparse_grid.h"

#include <cstdint>
#include <vector>

namespace gridhelm::sparse {

/// The hierarchical coefficient of one point as a combination of the coefficients below it:
/// coefficient = value - sum_b weights[b] coefficients[points[b]]. The points are in storage order,
/// all weights nonzero, so the sum does not depend on what else the grid holds.
struct AncestorWeights
{
    std::vector<std::uint64_t> points;
    std::vector<double> weights;
};
AncestorWeights ancestorWeights(const SparseGrid &grid, std::uint64_t point);

} // namespace gridhelm::sparse
