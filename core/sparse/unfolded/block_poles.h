// SPDX-License-Identifier: GPL-3.0-or-later
//
// Block poles: the blocks that differ in one component of their level vectors only. A
// one-dimensional transform in dimension t works on one pole of blocks at a time.
#pragma once

#include "core/sparse/sparse_grid.h"

#include <cstdint>
#include <vector>

namespace gridhelm::sparse {

/// For every block, the block with l_t one higher. Made for one dimension at a time, in linear
/// time: adding 1 to l_t keeps the storage order of blocks inside a class that become larger by the
/// same factor, so both lists are walked in step.
class BlockSuccessors
{
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// Throws gridhelm::Error for grids of more than 2^32 - 2 blocks.
    explicit BlockSuccessors(const SparseGrid &grid);

    /// Successors in dimension t, indexed by block; replaced by the next call.
    const std::vector<std::uint32_t> &inDimension(int t);

private:
    template <typename Compare>
    void link(int t, Compare compare);

    const SparseGrid &m_grid;
    std::vector<int> m_shifts;         // of each dimension's component in a packed key
    std::vector<std::uint64_t> m_keys; // packed level vectors, ordered as inside a class; or empty
    std::vector<std::uint32_t> m_successors;
};

} // namespace gridhelm::sparse
