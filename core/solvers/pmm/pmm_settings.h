// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/pmm/pmm_partition.h"

#include <optional>

namespace gridhelm::solvers {

struct PmmSettings
{
    /// advance() ends after a sweep in which no value decreased by more than this; without it, only
    /// after the wanted number of sweeps.
    std::optional<double> stopChange{};
    /// How several devices share the grid; without it, in the way that is faster on them. Times do
    /// not depend on it.
    std::optional<PmmPartition> partition{};
};

} // namespace gridhelm::solvers
