// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda_solvers.h"

#include "gpu/pmm/cuda_pmm.h"
#include "gpu/poisson/cuda_poisson.h"

#include <utility>

namespace gridhelm::gpu {
namespace {

class CudaSolvers final : public solvers::SolverBackend
{
public:
    std::string_view name() const override { return "cuda"; }
    bool usesThreads() const override { return false; }

    std::unique_ptr<solvers::Stepper> makePoisson(solvers::PoissonProblem problem,
                                                  const solvers::PoissonSettings &settings,
                                                  const ExecutionContext &context) const override
    {
        return makeCudaPoissonStepper(std::move(problem), settings, context);
    }

    std::unique_ptr<solvers::Stepper> makePmm(const solvers::PmmProblem &problem,
                                              solvers::Precision precision,
                                              const solvers::PmmSettings &settings,
                                              const ExecutionContext &context) const override
    {
        return makeCudaPmmStepper(problem, precision, settings, context);
    }
};

} // namespace

const solvers::SolverBackend &cudaSolvers()
{
    static const CudaSolvers solvers;
    return solvers;
}

} // namespace gridhelm::gpu
