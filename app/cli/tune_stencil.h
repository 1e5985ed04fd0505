// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/stencil/stencil.h"
#include "core/tuning/search.h"
#include "data/stencil/stencil_solver.h"

#include <array>
#include <limits>
#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::cli {

struct StencilVariant
{
    stencil::Target target; ///< what generated code depends on
    double updatesPerSecond = 0;
};

/// "4 iterations a pass, 2 side by side", of a GPU "1 iteration a pass, blocks of 64 x 4, 8
/// unknowns".
std::string textOf(const StencilVariant &variant, const stencil::Stencil &stencil);

struct StencilTuning
{
    StencilVariant before; ///< the file's own
    StencilVariant best;
    std::vector<StencilVariant> tried; ///< in their order
    std::size_t variants = 0;          ///< in all
    double seconds = 0;                ///< that it took, compilers included
};

struct StencilTuneOptions
{
    tuning::Strategy strategy = tuning::Strategy::partitions;
    double seconds = 1e9; ///< after which no further trial begins
    std::stop_token stop = {};
};

/// Compiles and times variants of a stencil's code, on the device that `means` and the target name,
/// by a search from the file's own, which is the best unless another one is faster. Throws
/// gridhelm::Error without a compiler.
StencilTuning tuneStencil(const stencil::Stencil &stencil, const data::StencilMeans &means,
                          const ExecutionContext &context, const StencilTuneOptions &options);

} // namespace gridhelm::cli
