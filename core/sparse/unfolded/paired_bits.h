// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/dimension_basis.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridhelm::sparse {

/// Which bits of an index inside a block choose between the two functions of a paired level.
struct PairedBits
{
    std::vector<int> bits; ///< bit of each dimension whose level isPaired(), first dimension first
    std::uint64_t mask = 0;
};

inline PairedBits pairedBits(const std::vector<DimensionBasis> &bases, LevelVectorView levels)
{
    PairedBits result;
    int bit = 0;
    for (std::size_t t = 0; t < levels.size(); ++t)
        bit += bitsOfLevel(bases[t].treatment, levels[t]);
    for (std::size_t t = 0; t < levels.size(); ++t) {
        bit -= bitsOfLevel(bases[t].treatment, levels[t]);
        if (isPaired(bases[t], levels[t])) {
            result.bits.push_back(bit);
            result.mask |= std::uint64_t{1} << bit;
        }
    }
    return result;
}

/// The bits of `choice` at their places in an index.
inline std::uint64_t deposit(std::uint64_t choice, const PairedBits &pairs)
{
    std::uint64_t index = 0;
    for (std::size_t i = 0; i < pairs.bits.size(); ++i)
        index |= ((choice >> i) & 1U) << pairs.bits[i];
    return index;
}

} // namespace gridhelm::sparse
