// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/sor/sor_stepper.h"

#include <memory>

namespace gridhelm::gpu {

/// SOR on the context's first GPU, all methods but the sequential one, which is the processor's
/// alone. As solvers::makeSorStepper(): the same problems, live parameters, counts and errors.
std::unique_ptr<solvers::Stepper> makeCudaSorStepper(const solvers::PoissonProblem &problem,
                                                     const solvers::SorSettings &settings,
                                                     const ExecutionContext &context);

} // namespace gridhelm::gpu
