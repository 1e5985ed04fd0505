// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/solver_backend.h"
#include "core/sparse/backend.h"

#include <functional>
#include <memory>
#include <string>

namespace gridhelm::choice {

/// A back end that may be chosen.
struct Candidate
{
    std::string name;     ///< "omp", "cuda"
    std::string hardware; ///< on which its speed depends; text to compare
    /// Throws gridhelm::Error if it cannot be had now.
    std::function<std::shared_ptr<const sparse::Backend>(int threads)> makeSparse;
    const solvers::SolverBackend *solvers = nullptr; ///< that outlives everything
};

/// `omp`, which is always there.
Candidate processorCandidate();

/// Where `by` goes on because `failed` cannot: without a full stop.
std::string sentenceOnRelief(const std::string &failed, const std::string &by,
                             const std::string &problem);

} // namespace gridhelm::choice
