// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dispatch/dispatcher.h"
#include "core/solvers/solver_backend.h"

#include <memory>

namespace gridhelm::dispatch {

/// `auto`: every problem by the back end that is the fastest for problems of its size with the
/// context's threads; methods that are serial by nature by the CPU. With a failover as below.
std::unique_ptr<solvers::SolverBackend>
makeDispatchingSolvers(std::shared_ptr<Dispatcher> dispatcher);

/// `first`, under its name. Where it cannot begin or go on, and the context allows a fallback, the
/// CPU does the iterations again up to there and goes on: nothing is lost but time. The problem is
/// kept in memory for that. `first` must outlive the result.
std::unique_ptr<solvers::SolverBackend> makeFailoverSolvers(const solvers::SolverBackend &first);

} // namespace gridhelm::dispatch
