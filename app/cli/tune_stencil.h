// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/stencil/stencil.h"

#include <stop_token>
#include <vector>

namespace gridhelm::cli {

struct StencilVariant
{
    int iterationsPerPass = 1;
    int sideBySide = 1;
    double updatesPerSecond = 0;
};

struct StencilTuning
{
    StencilVariant before; ///< the file's own
    StencilVariant best;
    std::vector<StencilVariant> tried; ///< in their order
};

/// Compiles and times variants of a stencil's code on this CPU, by hill climbing from the file's
/// own, which is the best unless another one is faster. Throws gridhelm::Error without a compiler.
StencilTuning tuneStencil(const stencil::Stencil &stencil, const CpuDevice &cpu,
                          const std::stop_token &stop);

} // namespace gridhelm::cli
