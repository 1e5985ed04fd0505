// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who computes a solver's iterations (docs/solvers/devices.md). The steppers of one method have
// the same iterates to round-off on all back ends, where the method is deterministic.
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/pmm/pmm_problem.h"
#include "core/solvers/pmm/pmm_settings.h"
#include "core/solvers/poisson/poisson_settings.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/precision.h"
#include "core/solvers/stepper.h"

#include <memory>
#include <string_view>

namespace gridhelm::solvers {

/// Solves on the devices of the context that each call is handed. Throw gridhelm::Error for what
/// cannot be solved, and for methods that this back end does not have.
class SolverBackend
{
public:
    virtual ~SolverBackend() = default;

    virtual std::string_view name() const = 0;
    /// Whether the threads of the context's CPU are what computes.
    virtual bool usesThreads() const { return true; }

    /// What does the work of such a problem: this one itself, unless it chooses among others. It
    /// lives as long as this one.
    virtual const SolverBackend &forPoisson(const PoissonProblem &, const PoissonSettings &,
                                            const ExecutionContext &) const
    {
        return *this;
    }
    virtual const SolverBackend &forPmm(const PmmProblem &, const PmmSettings &,
                                        const ExecutionContext &) const
    {
        return *this;
    }

    virtual std::unique_ptr<Stepper> makePoisson(PoissonProblem problem,
                                                 const PoissonSettings &settings,
                                                 const ExecutionContext &context) const = 0;
    virtual std::unique_ptr<Stepper> makePmm(const PmmProblem &problem, Precision precision,
                                             const PmmSettings &settings,
                                             const ExecutionContext &context) const = 0;
};

/// `omp`: the context's CPU.
const SolverBackend &ompSolvers();

} // namespace gridhelm::solvers
