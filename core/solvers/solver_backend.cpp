// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/solver_backend.h"

#include "core/solvers/pmm/divided_pmm_stepper.h"
#include "core/solvers/poisson/poisson_stepper.h"

#include <utility>

namespace gridhelm::solvers {
namespace {

class OmpSolvers final : public SolverBackend
{
public:
    std::string_view name() const override { return "omp"; }

    std::unique_ptr<Stepper> makePoisson(PoissonProblem problem, const PoissonSettings &settings,
                                         const ExecutionContext &context) const override
    {
        return makePoissonStepper(std::move(problem), settings, context);
    }

    std::unique_ptr<Stepper> makePmm(const PmmProblem &problem, Precision precision,
                                     const PmmSettings &settings,
                                     const ExecutionContext &context) const override
    {
        return makePmmStepper(problem, precision, settings, context);
    }
};

} // namespace

const SolverBackend &ompSolvers()
{
    static const OmpSolvers solvers;
    return solvers;
}

} // namespace gridhelm::solvers
