// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/sparse_grid.h"

#include <array>
#include <cstdint>

namespace gridhelm::sparse {

/// What the relatives of a grid point in one dimension predict for its value (sparse-grids.md,
/// eq:surplus, eq:surplus-modified): sum of weights[i] * value(points[i]) over i < count.
struct HierarchicalParents
{
    int count = 0; ///< 0, 1 or 2
    std::array<std::uint64_t, 2> points{};
    std::array<double, 2> weights{};
};

/// Relatives of point `index` in dimension t, which must have hats (hasHats()). Those that the grid
/// does not have count 0.
HierarchicalParents hierarchicalParents(const SparseGrid &grid, std::uint64_t index, int t);

} // namespace gridhelm::sparse
