// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace gridhelm::sparse {

/// One component l_t of a level vector: -1 (end points) .. highestLevelOf(treatment).
using Level = std::int8_t;

inline constexpr int maximumDimension = 32;
inline constexpr int maximumLevel = 30; ///< largest refinement level n of points in cells

using LevelVectorView = std::span<const Level>;

/// |l|_1, where level -1 counts 0 (ARCHITECTURE.md, Eq. 1): the group of a block.
constexpr int levelSum(LevelVectorView levels)
{
    int sum = 0;
    for (Level level : levels)
        sum += std::max<int>(level, 0);
    return sum;
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
constexpr int bitsInDimension(Level level)
{
    return level < 0 ? 1 : level;
}

} // namespace gridhelm::sparse
