// SPDX-License-Identifier: GPL-3.0-or-later
//
// Warm starts: a field that a run is to begin with, of any resolution, brought to the unknowns of a
// problem.
#pragma once

#include "core/solvers/pmm/pmm_problem.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/vti_file.h"

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::solvers {

/// Values at places, x, y, z of each: those of a study's field, say. May throw gridhelm::Error.
using FieldAtPlaces = std::function<std::vector<double>(std::span<const double> places)>;

/// A field on a regular grid of points, x fastest.
struct StartField
{
    std::string name; ///< for messages: that of its file
    ImageGrid grid;
    std::vector<double> values; ///< one for each point
};

/// An array of a file that writeVti() has written; `array` empty: the first one. `points`: of the
/// grid that it is for. Throws gridhelm::Error for files that cannot be read, for an array that is
/// not in it, and, before it reads, for a grid that does not fit into memory.
StartField readStartField(const std::string &path, const std::string &array,
                          const std::array<std::size_t, 3> &points);

/// One value for each unknown. Those of a field with as many points in each direction are taken as
/// they are. Any other is interpolated, linearly in each direction, at the places of the unknowns,
/// whose rectangle it has to cover; between its outermost points and a side the side's condition
/// counts. Throws gridhelm::Error for a field of other dimensions, one that covers too little, or a
/// value that is not finite.
std::vector<double> startingValues(const PoissonProblem &problem, const StartField &field);

/// Likewise the times at the nodes, without sides. Infinite times (no guess) are possible, and any
/// time that one of them has a part in is infinite.
std::vector<double> startingTimes(const PmmProblem &problem, const StartField &field);

/// Where the unknowns (nodes) are: x, y, z of each, x fastest. Throws gridhelm::Error if they do
/// not fit into memory.
std::vector<double> placesOf(const PoissonProblem &problem);
std::vector<double> placesOf(const PmmProblem &problem);

} // namespace gridhelm::solvers
