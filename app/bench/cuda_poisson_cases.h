// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/measure.h"
#include "core/execution/execution_context.h"

#include <nlohmann/json.hpp>

namespace gridhelm::bench {

struct CudaPoissonOptions
{
    ExecutionContext context{CpuDevice{}}; ///< with a GPU
    MeasureOptions measure{0.2, 5, 4};
    bool small = false; ///< small grids, to try the benchmark out: the shares mean nothing then
};

/// Jacobi and SOR on the device, beside the device's copy rate, the better one of before and after:
///
///     {"limits": as limitsJson() has them,
///      "cases": [{"method", "precision", "unknowns", "iterations", "seconds_per_iteration",
///                 "updates_per_second", "gbytes_per_second", "share_of_copy", "to_tuned",
///                 "spread", "repeats"}, ...]}
///
/// Bytes by the solvers' stated counts. "with norm": the residual is read after every iteration.
/// "to_tuned" compares updates with tuned's on the largest grid of the same precision and
/// dimension.
nlohmann::json benchCudaPoissonRates(const CudaPoissonOptions &options);

/// Time to a residual no larger than that of the last of some exact Jacobi iterates:
///
///     {"exact_iterations", "residual", "tuned_seconds", "temporal_seconds",
///      "runs": [{"method", "alpha", "tile_rows", "iterations", "seconds", "speedup"}, ...]}
nlohmann::json benchCudaAsync(const CudaPoissonOptions &options);

/// MLSSOR and red-black SOR, each with some choices, on two problems:
///
///     [{"problem", "unknowns", "residuals", "longest_run_seconds",
///       "runs": [{"method", "relaxation", "layers", "width",
///                 "reached": [{"residual", "iterations", "seconds"}, ...]}, ...]}, ...]
nlohmann::json benchCudaTolerance(const CudaPoissonOptions &options);

} // namespace gridhelm::bench
