// SPDX-License-Identifier: GPL-3.0-or-later
//
// A grid as seen along all of its dimensions but two.
#pragma once

#include "core/parameters/parameter_space.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm::ui {

/// What a study has of a grid point.
enum class PointState : std::uint8_t { missing, snapshot, coefficient };

/// Grid points that lie at the same place of the projection.
struct GridPlace
{
    double across = 0, up = 0;      ///< in [0, 1]
    int group = 0;                  ///< |l|_1 of the two dimensions
    std::uint64_t points = 0;       ///< of the grid; 0 if they are not counted
    std::uint64_t snapshots = 0;    ///< of these have one (a coefficient counts as well)
    std::uint64_t coefficients = 0; ///< of these have one
};

struct GridProjection
{
    std::vector<GridPlace> places; ///< the coarsest first
    int groups = 0;
    bool hasStates = false;
    bool isWhole = true; ///< false: the finest groups are left out, there are too many points
};

/// Of the grid that a space has at this level. Both dimensions may be the same: then it is a line,
/// with `up` in the middle. The places are the sparse grid of the two dimensions, because the
/// coarsest levels of all others count nothing.
GridProjection projectPlan(const ParameterSpace &space, int level, std::size_t across,
                           std::size_t up);

/// Of a study's grid, with one state for each of its points.
GridProjection projectStudy(const sparse::SparseGrid &grid, std::span<const PointState> states,
                            std::size_t across, std::size_t up);

/// Of runs at any places of the unit cube, with one state for each, or none of all.
GridProjection projectRuns(std::span<const std::vector<double>> places,
                           std::span<const PointState> states, std::size_t across, std::size_t up);

} // namespace gridhelm::ui
