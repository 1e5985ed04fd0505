// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/transform_part.h"

#include <cstdint>

namespace gridhelm::gpu {

using sparse::Transform;

/// Blocks that differ in their level in one dimension only; see PoleList.
struct BlockPole
{
    std::uint32_t firstOffset; ///< among PoleList::offsets
    std::uint8_t blocks;       ///< how many, from the lowest level on
    std::uint8_t outerBits;    ///< of an index, above those of the dimension
    std::uint8_t strideBits;   ///< below
    std::uint8_t unused;
};

/// The poles of one dimension that have more than one block, and where their blocks begin, pole
/// after pole; on the device. The points of clenshaw-curtis are those of `boundary` in another
/// order: of its blocks the ends come before the middle.
struct PoleList
{
    const BlockPole *poles = nullptr;
    std::uint32_t count = 0;
    const std::uint64_t *offsets = nullptr;
    std::uint64_t largestPole = 0; ///< points

    /// A warp takes poles of a few thousand points at the speed of memory; larger ones a block.
    bool areForWarps() const { return largestPole <= 4096; }
};

} // namespace gridhelm::gpu
