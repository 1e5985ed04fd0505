// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/pmm/pmm_problem.h"

#include <vector>

namespace gridhelm::bench {

/// Arrival times by the usual first-order upwind differences (Godunov's), to convergence by fast
/// sweeping, serial: the solution that fast marching and fast iterative methods arrive at, too.
/// Isotropic problems only; the source's nodes hold what the source gives.
std::vector<double> upwindTimes(const solvers::PmmProblem &problem);

} // namespace gridhelm::bench
