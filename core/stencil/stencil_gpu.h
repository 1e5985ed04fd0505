// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a GPU has for stencils: gpu/stencil makes it, data/stencil keeps what is compiled, and puts
// them together.
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/stepper.h"
#include "core/stencil/stencil.h"
#include "core/stencil/stencil_part.h"

#include <functional>
#include <memory>
#include <string>

namespace gridhelm::stencil {

/// Makes the code of one GPU from cudaDeviceCode()'s text.
struct CubinCompiler
{
    std::string name;     ///< "NVRTC 13.0"
    std::string identity; ///< all that the code depends on beside the text
    /// Throws BackendError. Takes a second or two, and cannot be stopped.
    std::function<std::string(const std::string &text)> compile;
};

class StencilGpu
{
public:
    virtual ~StencilGpu() = default;

    /// For the context's first GPU. Throws BackendError if there is no compiler, and
    /// gridhelm::Error if there is no GPU.
    virtual CubinCompiler compilerFor(const ExecutionContext &context) const = 0;

    /// As makeStencilStepper(), with the code of this stencil. Throws BackendError too, if the GPU
    /// cannot begin.
    virtual std::unique_ptr<solvers::Stepper>
    makeStepper(const Stencil &stencil, const std::string &cubin,
                const ExecutionContext &context) const = 0;

    /// A piece on that GPU, with the code of its whole stencil; formulas are computed by `cpu`.
    /// Throws as makeStepper().
    virtual std::unique_ptr<StencilPart<float>> makePart(const StencilPiece &piece,
                                                         const std::string &cubin,
                                                         const GpuDevice &gpu, const CpuDevice &cpu,
                                                         float) const = 0;
    virtual std::unique_ptr<StencilPart<double>> makePart(const StencilPiece &piece,
                                                          const std::string &cubin,
                                                          const GpuDevice &gpu,
                                                          const CpuDevice &cpu, double) const = 0;
};

} // namespace gridhelm::stencil
