// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/stencil/stencil_gpu.h"

#include <QString>

#include <functional>
#include <string>
#include <vector>

namespace gridhelm::ui {

/// What the solvers of this machine may compute on, and what the names of devices mean.
struct SolverDevices
{
    struct Offer
    {
        QString text; ///< "all GPUs (2)"
        QString name; ///< "gpu:all"
    };

    std::vector<Offer> offers = {}; ///< the first one is taken unless the user chooses another
    /// As `--devices` of the command line says it, tuned, with the same sentences (gridhelm::Error)
    /// for what cannot be. Any thread may call it. Empty: there is nothing to choose.
    std::function<ExecutionContext(const CpuDevice &cpu, const std::string &devices)> find = {};
    const stencil::StencilGpu *stencils = nullptr; ///< on GPUs; outlives the forms; null: none
};

} // namespace gridhelm::ui
