// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is solved to find out how fast the solvers are.
#pragma once

#include "core/solvers/pmm/pmm_problem.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/stepper.h"

#include <cstddef>

namespace gridhelm::solvers {

/// n unknowns in each direction of the unit square or cube, u = 0 on all sides.
PoissonProblem unitLaplaceProblem(int dimension, std::size_t n);

/// The same with u = 1 on the first side.
PoissonProblem heatedLaplaceProblem(int dimension, std::size_t n);

/// u = 0 on all sides, and a guess without order between 0.5 and 1.5: no value becomes 0 or
/// denormal for a long time. Throws gridhelm::Error if the guess does not fit into memory.
PoissonProblem roughLaplaceProblem(int dimension, std::size_t n);
/// The same with so many unknowns along the last axis, n along the others.
PoissonProblem roughLaplaceProblem(int dimension, std::size_t n, std::size_t layers);

/// The ball in the middle of the unit cube of docs/theory/fronts.md, with n nodes in each
/// direction.
PmmProblem ballInCube(std::size_t n, bool anisotropic);

/// One sweep of PMM from the source on, whatever has been done before. Later sweeps have less to
/// do. Returns the seconds that the stepper spent advancing.
double sweepFromSource(Stepper &stepper);

} // namespace gridhelm::solvers
