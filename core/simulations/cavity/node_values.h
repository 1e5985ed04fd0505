// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulations/cavity/staggered_grid.h"

#include <span>
#include <vector>

namespace gridhelm::simulations {

/// A velocity component at the (cells + 1)^dimension nodes, x fastest: cubic interpolation between
/// faces, linear on walls and next to them, where a layer thinner than a cell would make a cubic
/// overshoot. Ghosts must be set, those along edges too.
std::vector<double> facesToNodes(const StaggeredGrid &grid, std::span<const double> faces,
                                 int component);

/// Values of cells (without ghosts, x fastest) at the nodes: the mean of the neighbours, linear
/// extrapolation to the walls.
std::vector<double> cellsToNodes(const StaggeredGrid &grid, std::span<const double> cells);

} // namespace gridhelm::simulations
