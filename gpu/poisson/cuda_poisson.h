// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/poisson/poisson_settings.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/stepper.h"

#include <memory>

namespace gridhelm::gpu {

/// As solvers::makePoissonStepper(), on the GPUs of the context's team, or its first GPU. Also
/// throws gridhelm::Error for methods that are the CPU's alone (methods.h has the others), and if
/// there is no GPU.
std::unique_ptr<solvers::Stepper> makeCudaPoissonStepper(solvers::PoissonProblem problem,
                                                         const solvers::PoissonSettings &settings,
                                                         const ExecutionContext &context);

} // namespace gridhelm::gpu
