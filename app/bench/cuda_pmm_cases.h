// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <vector>

namespace gridhelm::bench {

struct CudaPmmBenchOptions
{
    ExecutionContext context{CpuDevice{}};                   ///< with a GPU
    std::vector<std::size_t> table{128, 192, 256, 384, 512}; ///< nodes in each direction
    std::vector<std::size_t> corner{256, 512};
    /// Upwind differences, which the CPU solves, and the egg carton at twice the resolution
    /// up to this size, if that fits: 512 takes 27 GB of memory here and 35 GB there.
    std::size_t upwindUpTo = 512;
    int repeats = 3;
};

/// Front propagation on the first CUDA device:
///
///     {"device", "limits": as limitsJson() has them,
///      "table": of a ball in the middle of the unit cube (docs/theory/fronts.md),
///               in double and float:
///          [{"nodes", "medium", "precision", "eight_sweeps": seconds, "converged": seconds,
///            "sweeps", "first_sweep": seconds, "share_of_flops", "share_of_copy": of the first
///            sweep, by the stated counts}, ...],
///      "ways": the same in double on the largest grid, in seconds for eight sweeps:
///          [{"medium", "as_is", "launch_per_plane", "strided_x", "every_tile"}, ...],
///      "corner": constant speed 1, and the egg carton 6 + 5 sin sin sin, from the node in a
///               corner, in double:
///          [{"nodes", "speed", "seconds", "sweeps", "mean_error", "upwind_mean_error"}, ...]}
///
/// Converged: no value decreased by more than 1e-10 of the latest. Times are medians of the sweeps
/// alone. Errors are against the exact solution, or against ours at twice the resolution, and those
/// of first-order upwind differences stand beside.
nlohmann::json benchCudaPmm(const CudaPmmBenchOptions &options);

} // namespace gridhelm::bench
