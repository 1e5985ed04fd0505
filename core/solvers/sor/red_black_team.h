// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/sor/sor_sweeper.h"

#include <cstddef>
#include <memory>

namespace gridhelm::solvers {

/// Red-black SOR on the CPUs of the context's team or ranks, in passes of several iterations where
/// slabs have many times as many layers as those need of their neighbours', otherwise half sweep by
/// half sweep: bit for bit the values, and the residual, of one CPU. `requestedPass`: iterations of
/// a pass, fewer where slabs are too small; 0: chosen. Throws gridhelm::Error if one of the team is
/// no CPU.
template <typename T>
std::unique_ptr<SorSweeper<T>> makeRedBlackTeam(const PoissonProblem &problem,
                                                std::size_t requestedPass,
                                                const ExecutionContext &context);

} // namespace gridhelm::solvers
