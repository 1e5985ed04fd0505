// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/stencil/stencil_part.h"
#include "core/stencil/stencil_stepper.h"

#include <memory>

namespace gridhelm::stencil {

/// A piece on a CPU, by code that was compiled for its stencil.
template <typename T>
std::unique_ptr<StencilPart<T>> makeCompiledPart(const StencilPiece &piece, CompiledKernel kernel,
                                                 const CpuDevice &cpu);

} // namespace gridhelm::stencil
