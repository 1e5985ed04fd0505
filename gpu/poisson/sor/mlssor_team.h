// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/sor/sor_options.h"
#include "core/solvers/sor/sor_sweeper.h"
#include "gpu/support/peer_copy.h"

#include <memory>

namespace gridhelm::gpu {

/// MLSSOR on the GPUs of the context's team, or one of each rank, in slabs of whole rows of
/// sub-domains: bit for bit the values, and the residual, of one GPU. Throws gridhelm::Error if one
/// of the team is no GPU.
template <typename T>
std::unique_ptr<solvers::SorSweeper<T>>
makeMlssorTeam(const solvers::PoissonProblem &problem, const solvers::MlssorShape &shape,
               solvers::SweepDirection direction, const ExecutionContext &context,
               PeerRoute route = PeerRoute::best);
/// Rows that slabs begin at multiples of: sub-domains, and the blocks that residuals are summed in.
template <typename T>
std::size_t mlssorGranule(const solvers::PoissonProblem &problem,
                          const solvers::MlssorShape &shape);

} // namespace gridhelm::gpu
