// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/pmm/pmm_problem.h"

#include <cstddef>
#include <vector>

namespace gridhelm::solvers {

struct SourceTime
{
    std::size_t node = 0; ///< index, x fastest
    double time = 0;
};

/// What the source gives: T at its nodes. A node may occur more than once; its earliest time
/// counts.
std::vector<SourceTime> sourceTimes(const PmmProblem &problem);

} // namespace gridhelm::solvers
