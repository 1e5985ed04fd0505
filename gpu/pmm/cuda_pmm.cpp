// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/pmm/cuda_pmm.h"

#include "gpu/pmm/cuda_pmm_stepper.h"

namespace gridhelm::gpu {

std::unique_ptr<solvers::Stepper> makeCudaPmmStepper(const solvers::PmmProblem &problem,
                                                     solvers::Precision precision,
                                                     const solvers::PmmSettings &settings,
                                                     const ExecutionContext &context)
{
    if (precision == solvers::Precision::float32)
        return std::make_unique<CudaPmmStepper<float>>(problem, settings, context);
    return std::make_unique<CudaPmmStepper<double>>(problem, settings, context);
}

} // namespace gridhelm::gpu
