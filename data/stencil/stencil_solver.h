// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who solves a stencil: the code of a GPU, that of the CPU, or the literal loop.
#pragma once

#include "core/execution/execution_context.h"
#include "core/stencil/stencil.h"
#include "core/stencil/stencil_gpu.h"
#include "core/stencil/stencil_stepper.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::data {

struct StencilMeans
{
    const stencil::StencilGpu *gpu = nullptr; ///< what the program has for GPUs; null: nothing
    std::string backend = "auto";             ///< or "omp", "cuda"
    std::string devices = "auto";             ///< as --devices has them
    bool isLiteral = false;                   ///< no code at all
    std::filesystem::path cache = {};         ///< cacheFolder()
};

struct PreparedStencil
{
    stencil::MakeStencilStepper makeStepper; ///< once; another thread may
    std::string backend = "omp";             ///< or "cuda"
    int threads = 1;                         ///< of the CPU that iterate; 0: none
    std::string code = "literal";            ///< or "compiled", "from the cache"
    std::string compiler = {};               ///< its path, or "NVRTC 13.0"
    int iterationsPerPass = 1;               ///< that the code makes; of a GPU, if there is one
    double seconds = 0;                      ///< that this took
    /// Of a team, from makeStepper() on.
    std::shared_ptr<const std::vector<DeviceShare>> shares = {};
    std::string whyLiteral = {}; ///< the CPU has no code; a sentence without a full stop
};

/// Finds or compiles the code. The context's team computes if it has one, or if back end and
/// devices leave it open, that of the stencil's target; a GPU if one is named in the same ways, and
/// there is one; else the context's CPU. Where a GPU cannot begin or go on (BackendError), the CPU
/// takes over, if the context allows it (core/execution/fallback.h). Throws gridhelm::Error if
/// others could put code into the cache, for ranks, for a GPU that is named and not there, and for
/// stencils that are none.
PreparedStencil prepareStencil(const stencil::Stencil &stencil, const StencilMeans &means,
                               const ExecutionContext &context, const std::stop_token &stop = {});

} // namespace gridhelm::data
