// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/execution/tunable.h"
#include "core/solvers/pmm/pmm_problem.h"
#include "core/solvers/pmm/pmm_settings.h"
#include "core/solvers/precision.h"
#include "core/solvers/stepper.h"

#include <memory>

namespace gridhelm::gpu {

/// The constant of its kernel that may be tuned where one GPU marches: rows of a tile.
extern const TunableOperation marchTunable;

/// The parallel marching method on the context's first GPU. As solvers::PmmStepper: the same
/// problems, live parameters, counts and errors.
std::unique_ptr<solvers::Stepper> makeCudaPmmStepper(const solvers::PmmProblem &problem,
                                                     solvers::Precision precision,
                                                     const solvers::PmmSettings &settings,
                                                     const ExecutionContext &context);

} // namespace gridhelm::gpu
