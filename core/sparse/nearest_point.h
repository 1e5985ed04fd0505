// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/sparse_grid.h"

#include <cstdint>
#include <optional>
#include <span>

namespace gridhelm::sparse {

/// The grid point whose coordinates are these, each within `tolerance`; the coarsest that will do.
std::optional<std::uint64_t> pointNear(const SparseGrid &grid, std::span<const double> x,
                                       double tolerance);

/// A coordinate of a grid in one dimension.
struct NearestCoordinate
{
    double coordinate;
    double distance; ///< from where it was looked for, in units of that to its own neighbour
};

/// The coordinate of the grid's points in dimension t that is next to x. The ends count as such.
NearestCoordinate nearestCoordinate(const SparseGrid &grid, int t, double x);

/// How many steps as small as those between the grid's closest points the range of dimension t has,
/// where points have cells or are those of clenshaw-curtis; of leja one more than its levels.
double stepsOf(const SparseGrid &grid, int t);

} // namespace gridhelm::sparse
