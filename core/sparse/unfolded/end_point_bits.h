// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/level_vector.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridhelm::sparse {

/// Which bits of an index inside a block choose between the end points of a dimension.
struct EndPointBits
{
    std::vector<int> bits; ///< bit of each dimension of level -1, first dimension first
    std::uint64_t mask = 0;
};

inline EndPointBits endPointBits(LevelVectorView levels)
{
    EndPointBits result;
    int bit = 0;
    for (Level level : levels)
        bit += bitsInDimension(level);
    for (Level level : levels) {
        bit -= bitsInDimension(level);
        if (level < 0) {
            result.bits.push_back(bit);
            result.mask |= std::uint64_t{1} << bit;
        }
    }
    return result;
}

/// The bits of `choice` at their places in an index.
inline std::uint64_t deposit(std::uint64_t choice, const EndPointBits &ends)
{
    std::uint64_t index = 0;
    for (std::size_t i = 0; i < ends.bits.size(); ++i)
        index |= ((choice >> i) & 1U) << ends.bits[i];
    return index;
}

} // namespace gridhelm::sparse
