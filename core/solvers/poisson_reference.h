// SPDX-License-Identifier: GPL-3.0-or-later
//
// The discrete Poisson equation, word for word, in double: what the fast solvers are tested
// against.
#pragma once

#include "core/solvers/poisson_problem.h"

#include <span>
#include <vector>

namespace gridhelm::solvers::reference {

/// The sum of the 4 or 6 neighbours of unknown `at`, or of what the sides beyond it make of them.
double sumOfNeighbours(const PoissonProblem &problem, std::span<const double> values,
                       const std::array<std::size_t, 3> &at);

/// r = f + (sum of neighbours - (4 or 6) u) / h^2 at every unknown, x fastest. `source` as sampled
/// by sampleSource(); it may be empty.
std::vector<double> residual(const PoissonProblem &problem, std::span<const double> source,
                             std::span<const double> values);

/// The 2-norm of the residual.
double residualNorm(const PoissonProblem &problem, std::span<const double> source,
                    std::span<const double> values);

/// One iteration: u_new = (sum of neighbours + h^2 f) / (4 or 6).
std::vector<double> jacobiSweep(const PoissonProblem &problem, std::span<const double> source,
                                std::span<const double> values);

} // namespace gridhelm::solvers::reference
