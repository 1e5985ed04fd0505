// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `bench solvers` measures of the iterations that memory limits: Jacobi and red-black SOR on
// grids that no cache holds, beside the copy bandwidth (docs/benchmarks/index.md) with the same
// number of threads.
#pragma once

#include "app/bench/measure.h"
#include "core/execution/execution_context.h"

#include <nlohmann/json.hpp>

namespace gridhelm::bench {

struct MemoryBoundOptions
{
    ExecutionContext context{CpuDevice{}}; ///< "all"; everything is measured on one thread, too
    MeasureOptions measure;
    bool small = false; ///< small grids, to try the benchmark out: the shares mean nothing then
};

/// Every method in 2D, without f, and `tuned` in 3D, in float and double, with one and all threads:
///
///     {"cases": [{"method", "precision", "unknowns", "threads", "iterations", "gbytes_per_second",
///                 "gflops_per_second", "copy_gbytes_per_second", "share_of_copy",
///                 "best_share_of_copy", "seconds", "spread", "repeats"}, ...],
///      "temporal_to_tuned": [{"precision", "threads", "ratio"}, ...],
///      "error_against_naive": {"tuned": ..., "temporal": ...}}
///
/// Bytes and flops by the solvers' stated counts. The shares compare the median and the fastest
/// call with the fastest copy, measured before and after.
nlohmann::json benchJacobi(const MemoryBoundOptions &options);

/// Red-black SOR in 2D and 3D, one iteration a pass over memory and as many as it chooses, likewise
/// (with "iterations_per_pass", 0 if it chooses).
nlohmann::json benchRedBlack(const MemoryBoundOptions &options);

} // namespace gridhelm::bench
