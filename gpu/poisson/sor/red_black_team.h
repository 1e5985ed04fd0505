// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/sor/sor_sweeper.h"
#include "gpu/support/peer_copy.h"

#include <memory>

namespace gridhelm::gpu {

/// Red-black SOR on the GPUs of the context's team: bit for bit the values, and the residual, of
/// one GPU.
template <typename T>
std::unique_ptr<solvers::SorSweeper<T>> makeRedBlackTeam(const solvers::PoissonProblem &problem,
                                                         const ExecutionContext &context,
                                                         PeerRoute route = PeerRoute::best);

} // namespace gridhelm::gpu
