// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/pmm/pmm_problem.h"
#include "core/solvers/pmm/pmm_settings.h"
#include "core/solvers/precision.h"
#include "core/solvers/stepper.h"

#include <memory>

namespace gridhelm::gpu {

/// The parallel marching method on the first CUDA device. As solvers::PmmStepper: the same
/// problems, live parameters, counts and errors; PmmSettings::threads is nothing to it.
std::unique_ptr<solvers::Stepper> makeCudaPmmStepper(const solvers::PmmProblem &problem,
                                                     solvers::Precision precision,
                                                     const solvers::PmmSettings &settings = {});

} // namespace gridhelm::gpu
