// SPDX-License-Identifier: GPL-3.0-or-later
//
// [Di2010], Table II: how many iterations SSOR, red-black SOR and MLSSOR need.
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/sor/sor_options.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::solvers {

struct ConvergenceInput
{
    std::string formula;
    PoissonProblem problem;
    double tolerance = 1e-3; ///< of the residual, relative to the start
};

/// Three inputs on n x n unknowns of the unit square, u = 0 on all sides. [Di2010] does not say
/// what its own are, only the tolerances, which are these.
std::vector<ConvergenceInput> convergenceInputs(std::size_t n);

struct ConvergenceRow
{
    std::string method; ///< "SSOR", "RBSOR" or "MLSSOR"
    MlssorShape shape;  ///< of MLSSOR
    /// For each input. One more than the largest count allowed if the tolerance was not met.
    std::vector<double> iterations;
    /// Of MLSSOR with forward sweeps only; empty for the others.
    std::vector<double> iterationsForwardOnly;
};

struct ConvergenceOptions
{
    std::size_t unknowns = 255; ///< in each direction
    /// The same w for all, as in [Di2010], or the default of each method if there is none. With
    /// the default of each, SSOR and red-black SOR leave MLSSOR far behind.
    std::optional<double> relaxation = 1;
    std::uint64_t maxIterations = 1'000'000;
};

/// Sub-domains 2 x 4 x 4, 4 x 8 x 8, 8 x 16 x 16 and 16 x 32 x 32. The residual is computed after
/// every SSOR pair and every MLSSOR sweep of K iterations; in between, the count is interpolated as
/// if the residual fell at a constant rate. Fewer rows after a stop.
std::vector<ConvergenceRow> convergenceTable(const ConvergenceOptions &options,
                                             const ExecutionContext &context,
                                             std::stop_token stop = {});

} // namespace gridhelm::solvers
