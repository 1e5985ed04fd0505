// SPDX-License-Identifier: GPL-3.0-or-later
//
// The PMM stepper of the tested back end.
#pragma once

#include "tests/solvers/tested_device.h"

#ifdef GRIDHELM_TEST_CUDA
#include "gpu/pmm/cuda_pmm_stepper.h"
#else
#include "core/solvers/pmm/pmm_stepper.h"
#endif

#include <optional>

namespace gridhelm::test {

#ifdef GRIDHELM_TEST_CUDA
template <typename T>
using PmmStepperUnderTest = gpu::CudaPmmStepper<T>;
#else
template <typename T>
using PmmStepperUnderTest = solvers::PmmStepper<T>;
#endif

struct TestedPmmSettings
{
    int threads = 0; ///< 0: all
    std::optional<double> stopChange{};
};

template <typename T>
class TestedPmm : public PmmStepperUnderTest<T>
{
public:
    explicit TestedPmm(const solvers::PmmProblem &problem, const TestedPmmSettings &settings = {})
        : PmmStepperUnderTest<T>(problem, {settings.stopChange},
                                 testedContext(cpuWith(settings.threads)))
    {
    }
};

} // namespace gridhelm::test
