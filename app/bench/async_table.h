// SPDX-License-Identifier: GPL-3.0-or-later
//
// [Venkatasubramanian2009], figure 21: what the asynchronous Jacobi methods gain.
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/precision.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridhelm::bench {

struct AsyncTableOptions
{
    std::size_t unknowns = 512;
    std::uint64_t exactIterations = 1000;
    solvers::Precision precision = solvers::Precision::float32;
    ExecutionContext context{CpuDevice{}};
    int largestAlpha = 20; ///< from 2 on
    int repeats = 3;       ///< the median counts: no two asynchronous runs are the same
};

/// Effective iterations, and the time, to a residual no larger than that of the 1000th exact Jacobi
/// iterate. An asynchronous launch counts alpha + 1 iterations; the residual is looked at after
/// every launch once it is close, and is not counted in the time.
///
///     {"problem", "unknowns", "precision", "threads", "exact_iterations", "residual", "repeats",
///      "exact": [{"method": "tuned" or "temporal", "iterations", "seconds", "speedup"}, ...],
///      "async": [{"method", "alpha", "iterations", "iterations_to_exact", "seconds", "spread",
///                 "speedup", "to_temporal"}, ...]}
///
/// "spread" is relativeSpread() of the times; "speedup" is beside
/// `tuned`, "to_temporal" beside `temporal`. A method that has not got there after 20 times as many
/// iterations has "reached": false and no times.
nlohmann::json asyncTable(const AsyncTableOptions &options);

} // namespace gridhelm::bench
