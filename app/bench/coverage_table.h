// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether error bands keep what they claim: the share of new places that they cover, over many
// draws of the hold-outs that they are calibrated at.
#pragma once

#include "core/execution/execution_context.h"
#include "data/campaign/plan_file.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace gridhelm::bench {

struct CoverageOptions
{
    std::size_t draws = 50;
    std::size_t holdOuts = 19; ///< of a draw, inside of the ranges
    std::size_t places = 200;  ///< new ones, uniformly random, the same for all draws
    ExecutionContext context{CpuDevice{}};
};

struct CoverageRow
{
    std::string field;
    double claimed = 0; ///< share of places
    double mean = 0;    ///< that is covered, over the draws
    double least = 0;
    double largest = 0;
    double byError = 0;    ///< median band over all places and draws, by the median true error
    double byConstant = 0; ///< the same, by the median of bands that are the same everywhere
};

/// Makes the plan's study in `file`, which must not exist and is the caller's to remove, and runs
/// its simulation at all places. Throws gridhelm::Error if a run fails.
std::vector<CoverageRow> coverageTable(const data::Plan &plan, const std::filesystem::path &file,
                                       const CoverageOptions &options);

} // namespace gridhelm::bench
