// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parallel marching method to the letter, serial: what the fast stepper is tested and measured
// against.
#pragma once

#include "core/solvers/pmm/pmm_problem.h"

#include <vector>

namespace gridhelm::solvers {

/// Infinite except at the source's nodes; x fastest.
template <typename T>
std::vector<T> initialTimes(const PmmProblem &problem);

/// One sweep: sub-sweeps along z, y and x, each forwards and backwards, plane by plane; the nodes
/// of a plane depend on the previous plane only. Returns the largest decrease of a value in a
/// sub-sweep, infinite if a node was reached for the first time.
template <typename T>
T referenceSweep(const PmmProblem &problem, std::vector<T> &times);

} // namespace gridhelm::solvers
