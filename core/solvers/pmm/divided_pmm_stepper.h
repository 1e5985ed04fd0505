// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/pmm/pmm_problem.h"
#include "core/solvers/pmm/pmm_settings.h"
#include "core/solvers/precision.h"
#include "core/solvers/stepper.h"

#include <memory>

namespace gridhelm::solvers {

/// The parallel marching method on the context's CPU, or on the CPUs of its team or of its ranks,
/// each with its threads: slabs in proportion to them (pmm_partition.h). Times and largest change
/// are those of PmmStepper to the last bit, whatever the team. With ranks, calls are those of
/// makePoissonStepper(). Throws gridhelm::Error as PmmStepper does, and if
/// there is another device in the team. Tells the context if some CPUs have nothing to do.
std::unique_ptr<Stepper> makePmmStepper(const PmmProblem &problem, Precision precision,
                                        const PmmSettings &settings,
                                        const ExecutionContext &context);

} // namespace gridhelm::solvers
