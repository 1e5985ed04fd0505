// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/sor/sor_options.h"
#include "core/solvers/sor/sor_sweeper.h"

#include <memory>

namespace gridhelm::solvers {

/// MLSSOR on the CPUs of the context's team or ranks, in slabs of whole rows of sub-domains: bit
/// for bit the values, and the residual, of one CPU. Throws gridhelm::Error if one of the team is
/// no CPU.
template <typename T>
std::unique_ptr<SorSweeper<T>> makeMlssorTeam(const PoissonProblem &problem,
                                              const MlssorShape &shape, SweepDirection direction,
                                              const ExecutionContext &context);

} // namespace gridhelm::solvers
