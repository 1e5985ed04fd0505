// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the error falls as the grid grows, measured where it was not sampled.
#pragma once

#include "core/execution/execution_context.h"
#include "core/sparse/grid_shape.h"
#include "data/campaign/plan_file.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace gridhelm::bench {

struct LevelRow
{
    int level = 0;
    std::uint64_t points = 0;
    std::uint64_t jobs = 0; ///< of a study that begins at this level
    std::uint64_t fileBytes = 0;
    /// Of the plan's first field, at places off the finest grid: relative L2 errors
    /// (docs/theory/error-bounds.md, eq:relative-error).
    double meanRelativeL2 = 0; ///< root mean square
    double largestRelativeL2 = 0;
};

struct LevelTableOptions
{
    std::uint64_t maxJobs = 2000;
    std::size_t holdOuts = 12;
    ExecutionContext context{CpuDevice{}};
};

/// Grows one study level by level, from 2 on, while it takes no more than maxJobs jobs. `file`
/// must not exist and is the caller's to remove. All parameters that are not time-like get this
/// treatment and degree.
std::vector<LevelRow> levelTable(data::Plan plan, sparse::DimensionBasis basis,
                                 const std::filesystem::path &file,
                                 const LevelTableOptions &options);

} // namespace gridhelm::bench
