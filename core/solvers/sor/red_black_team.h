// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/sor/sor_sweeper.h"

#include <memory>

namespace gridhelm::solvers {

/// Red-black SOR on the CPUs of the context's team or ranks, half sweep by half sweep: bit for bit
/// the values, and the residual, of one CPU. Throws gridhelm::Error if one of the team is no CPU.
template <typename T>
std::unique_ptr<SorSweeper<T>> makeRedBlackTeam(const PoissonProblem &problem,
                                                const ExecutionContext &context);

} // namespace gridhelm::solvers
