// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which variant of a stencil's code is the fastest one here.
#pragma once

#include "core/execution/execution_context.h"
#include "core/stencil/stencil.h"
#include "core/tuning/search.h"
#include "data/stencil/stencil_solver.h"

#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::data {

struct StencilVariant
{
    stencil::Target target; ///< what generated code depends on
    double updatesPerSecond = 0;
    /// It cannot be used here, and why: a sentence without a full stop. Empty: it can.
    std::string whyNot = {};
};

/// "4 iterations a pass, 2 side by side", of a GPU "1 iteration a pass, blocks of 64 x 4, 8
/// unknowns".
std::string textOf(const StencilVariant &variant);

struct StencilTuning
{
    StencilVariant before; ///< the file's own
    StencilVariant best;
    std::vector<StencilVariant> tried = {}; ///< in their order, those that cannot be used too
    std::size_t variants = 0;               ///< in all
    double seconds = 0;                     ///< that it took, compilers included
    bool isStopped = false;                 ///< nothing else is said then
};

struct StencilTuneOptions
{
    tuning::Strategy strategy = tuning::Strategy::partitions;
    double seconds = 1e9; ///< after which no further trial begins
    /// The target's iterations a pass stay: they are those of GPUs that compute as well.
    bool keepsPasses = false;
    double shortest = 0.05; ///< seconds of a run that is timed
    std::stop_token stop = {};
};

/// Compiles and times variants of a stencil's code, on the device that the target names, which is
/// one GPU or the CPU, by a search from the file's own, which is the best unless another one is
/// faster. Variants that cannot be compiled or run are left out. Throws gridhelm::Error, the first
/// one's, if none can be used.
StencilTuning tuneStencil(const stencil::Stencil &stencil, const StencilMeans &means,
                          const ExecutionContext &context, const StencilTuneOptions &options = {});

} // namespace gridhelm::data
