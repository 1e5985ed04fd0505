// SPDX-License-Identifier: GPL-3.0-or-later
//
// Steppers of Jacobi and SOR of the tested back end.
#pragma once

#include "tests/solvers/tested_device.h"

#ifdef GRIDHELM_TEST_CUDA
#include "gpu/poisson/cuda_jacobi.h"
#include "gpu/poisson/cuda_sor.h"
#else
#include "core/solvers/jacobi/jacobi_stepper.h"
#include "core/solvers/sor/sor_stepper.h"
#endif

#include <memory>
#include <utility>

namespace gridhelm::test {

/// With the threads of the context that they are tried in.
struct TestedJacobi : solvers::JacobiOptions
{
    int threads = 1;
};
struct TestedSor : solvers::SorSettings
{
    int threads = 1;
};

inline std::unique_ptr<solvers::Stepper> makeJacobi(solvers::PoissonProblem problem,
                                                    const TestedJacobi &options)
{
    const auto context = testedContext(CpuDevice{options.threads});
#ifdef GRIDHELM_TEST_CUDA
    return gpu::makeCudaJacobiStepper(std::move(problem), options, context);
#else
    return solvers::makeJacobiStepper(std::move(problem), options, context);
#endif
}

inline std::unique_ptr<solvers::Stepper> makeSor(const solvers::PoissonProblem &problem,
                                                 const TestedSor &settings)
{
    const auto context = testedContext(CpuDevice{settings.threads});
#ifdef GRIDHELM_TEST_CUDA
    return gpu::makeCudaSorStepper(problem, settings, context);
#else
    return solvers::makeSorStepper(problem, settings, context);
#endif
}

} // namespace gridhelm::test
