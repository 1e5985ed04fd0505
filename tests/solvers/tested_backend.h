// SPDX-License-Identifier: GPL-3.0-or-later
//
// Poisson steppers of the tested back end.
#pragma once

#include "core/solvers/poisson/poisson_settings.h"
#include "tests/solvers/tested_device.h"

#ifdef GRIDHELM_TEST_CUDA
#include "gpu/poisson/cuda_poisson.h"
#else
#include "core/solvers/poisson/poisson_stepper.h"
#endif

#include <memory>
#include <utility>

namespace gridhelm::test {

/// With the threads of the context that they are tried in.
struct TestedSettings : solvers::PoissonSettings
{
    int threads = 1;

    void set(const Option &option, OptionValue value) { options.set(option, std::move(value)); }
};

inline std::unique_ptr<solvers::Stepper> makePoisson(solvers::PoissonProblem problem,
                                                     const TestedSettings &settings)
{
    const auto context = testedContext(CpuDevice{settings.threads});
#ifdef GRIDHELM_TEST_CUDA
    return gpu::makeCudaPoissonStepper(std::move(problem), settings, context);
#else
    return solvers::makePoissonStepper(std::move(problem), settings, context);
#endif
}

} // namespace gridhelm::test
