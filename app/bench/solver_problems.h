// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the benchmarks of the solvers solve, beside core/solvers/measured_problems.h.
#pragma once

#include "core/solvers/poisson_problem.h"
#include "core/solvers/precision.h"

#include <cstddef>

namespace gridhelm::bench {

/// A spike of strength 1 in the middle of n x n unknowns of the unit square, u = 1 on all sides and
/// to begin with: from 0, the heat's front would be denormal numbers, which take many times as
/// long.
solvers::PoissonProblem spikeProblem(std::size_t n);

/// n unknowns in each direction fill at least 4 times the last-level cache, and 128 MiB, with
/// `copies` arrays that share them.
std::size_t sizeBeyondCache(int dimension, solvers::Precision precision, std::size_t copies);

/// "float" or "double".
const char *nameOf(solvers::Precision precision);

} // namespace gridhelm::bench
