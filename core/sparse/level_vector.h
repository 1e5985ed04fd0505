// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/host_device.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace gridhelm::sparse {

/// One component l_t of a level vector: -1 (end points) .. highestLevelOf(treatment).
using Level = std::int8_t;

inline constexpr int maximumDimension = 32;
inline constexpr int maximumLevel = 30; ///< largest refinement level n of points in cells

using LevelVectorView = std::span<const Level>;

/// |l|_1, where level -1 counts 0 (sparse-grids.md, eq:level-sum), of all dimensions.
constexpr int levelSum(LevelVectorView levels)
{
    int sum = 0;
    for (Level level : levels)
        sum += std::max<int>(level, 0);
    return sum;
}

/// Some of the dimensions: bit t is dimension t.
using DimensionSet = std::uint32_t;
static_assert(maximumDimension <= 32);

constexpr bool contains(DimensionSet set, std::size_t t)
{
    return ((set >> t) & 1U) != 0;
}

/// |l|_1 of the dimensions that cost runs, and of the *dense* ones, which do not.
struct LevelSums
{
    int group = 0; ///< the group of a block
    int dense = 0;
};
constexpr LevelSums levelSums(LevelVectorView levels, DimensionSet dense)
{
    LevelSums sums;
    for (std::size_t t = 0; t < levels.size(); ++t)
        (contains(dense, t) ? sums.dense : sums.group) += std::max<int>(levels[t], 0);
    return sums;
}

/// Number of free dimensions, l_t >= 0.
constexpr int freeDimensions(LevelVectorView levels)
{
    int count = 0;
    for (Level level : levels)
        count += level >= 0 ? 1 : 0;
    return count;
}

/// Binary logarithm of the points of a block in one dimension that has cells: 2^l, or the two end
/// points for level -1. bitsOfLevel() has it for all treatments.
GRIDHELM_HOST_DEVICE constexpr int bitsInDimension(Level level)
{
    return level < 0 ? 1 : level;
}

} // namespace gridhelm::sparse
