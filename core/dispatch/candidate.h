// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/solver_backend.h"
#include "core/sparse/backend.h"

#include <functional>
#include <memory>
#include <string>

namespace gridhelm::dispatch {

/// A back end that may be chosen.
struct Candidate
{
    std::string name;     ///< "omp", "cuda"
    std::string hardware; ///< on which its speed depends; text to compare
    /// On the devices of the context. Throws gridhelm::Error if it cannot be had now.
    std::function<std::shared_ptr<const sparse::Backend>(const ExecutionContext &context)>
        makeSparse;
    /// That outlive everything, or `own`. Null: it is for grids alone.
    const solvers::SolverBackend *solvers = nullptr;
    std::shared_ptr<const solvers::SolverBackend> own = nullptr;
};

/// `omp`, which is always there.
Candidate cpuCandidate();

} // namespace gridhelm::dispatch
