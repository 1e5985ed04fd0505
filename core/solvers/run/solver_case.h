// SPDX-License-Identifier: GPL-3.0-or-later
//
// A problem, a method and a plan: everything that is known before anything large is allocated.
#pragma once

#include "core/solvers/pmm/pmm_partition.h"
#include "core/solvers/pmm/pmm_problem.h"
#include "core/solvers/poisson/poisson_method.h"
#include "core/solvers/poisson/poisson_settings.h"
#include "core/solvers/precision.h"
#include "core/solvers/run/run_plan.h"
#include "core/solvers/solver_backend.h"
#include "core/solvers/stepper.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::solvers {

struct SolverCase
{
    RunPlan plan;
    std::vector<Quantity> quantities;    ///< that the solver reports
    std::size_t unknowns = 1;            ///< or nodes
    std::string backend = "omp";         ///< the one that was chosen, if there was a choice
    int threads = 1;                     ///< that the method uses; 0: none of the CPU's
    std::string fieldName = "u";         ///< in a file
    Quantity shown = Quantity::residual; ///< what says best how far the run is
    /// Fewer iterations would be another method (a launch of asynchronous tiles), or none at all.
    std::uint64_t smallestStep = 1;
    /// Of the devices of a team, from makeStepper() on; empty if there is none.
    std::shared_ptr<const std::vector<DeviceShare>> shares;
    /// Throws gridhelm::Error for what cannot be solved. Once.
    std::function<std::unique_ptr<Stepper>()> makeStepper;
};

/// Those of the case, with how the devices have spent their time since this was called last, if the
/// stepper, which is the case's, knows it.
std::vector<DeviceShare> timedShares(const SolverCase &solver, Stepper &stepper);

/// All that a run of one of its methods may report.
std::vector<Quantity> figuresOf(const PoissonFamily &family);

/// `knownIsChosen`: the known solution remains one to compare with when the problem changes.
/// `backend` must outlive the case. Throw gridhelm::Error for plans that the solver cannot follow.
SolverCase poissonCase(PoissonProblem problem, const PoissonSettings &settings, const RunSetup &run,
                       bool knownIsChosen, const ExecutionContext &context,
                       const SolverBackend &backend = ompSolvers());
SolverCase pmmCase(PmmProblem problem, Precision precision, const RunSetup &run,
                   const ExecutionContext &context, const SolverBackend &backend = ompSolvers(),
                   std::optional<PmmPartition> partition = std::nullopt);

} // namespace gridhelm::solvers
