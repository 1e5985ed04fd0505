// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a campaign will take, before it is begun.
#pragma once

#include "data/campaign/plan_file.h"

#include <cstdint>

namespace gridhelm::data {

struct PlanCost
{
    std::uint64_t points = 0;
    std::uint64_t jobs = 0;
    double bytes = 0; ///< of raw snapshots and coefficients; 0: not known before the first run
    bool isScattered = false; ///< each run is a point of its own, and has no coefficients
};

/// Of the same plan with another space (caps) and level. Counts only; needs no memory.
PlanCost costOf(const Plan &plan, const ParameterSpace &space, int level);

} // namespace gridhelm::data
