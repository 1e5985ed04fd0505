// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/jacobi/jacobi_stepper.h"

#include <memory>

namespace gridhelm::gpu {

/// Jacobi's iteration on the context's first GPU, all methods but naive, which is the CPU's alone.
/// As solvers::makeJacobiStepper(): the same problems, live parameters, counts and errors.
std::unique_ptr<solvers::Stepper> makeCudaJacobiStepper(solvers::PoissonProblem problem,
                                                        const solvers::JacobiOptions &options,
                                                        const ExecutionContext &context);

} // namespace gridhelm::gpu
