// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/solvers/run/solver_case.h"
#include "core/solvers/stepper.h"
#include "core/stencil/stencil.h"

#include <functional>
#include <memory>

namespace gridhelm::stencil {

/// Code of a stencil that has been compiled for this process.
struct CompiledKernel
{
    std::shared_ptr<void> library; ///< lives as long as its function is called
    void *function = nullptr;      ///< a KernelFunction of the stencil's precision
};

/// Iterates with the code, or without one by the literal loop. The residual is the 2-norm of
/// W u + s f - u relative to that at the start. Live: the source's factor, if there is a source.
/// Throws gridhelm::Error for what is no stencil, values that are not finite, or no memory.
std::unique_ptr<solvers::Stepper> makeStencilStepper(const Stencil &stencil, CompiledKernel kernel,
                                                     const CpuDevice &cpu);

using MakeStencilStepper = std::function<std::unique_ptr<solvers::Stepper>()>;

/// As solvers::poissonCase(), but for who computes. Throws gridhelm::Error for plans that it cannot
/// follow.
solvers::SolverCase stencilCase(const Stencil &stencil, const solvers::RunSetup &run,
                                MakeStencilStepper make);

} // namespace gridhelm::stencil
