// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/unfolded/block_poles.h"

#include "core/support/error.h"

#include <algorithm>
#include <bit>
#include <bitset>
#include <compare>

namespace gridhelm::sparse {

namespace {

/// None is negative.
int leafGroupOf(const SparseGrid &grid)
{
    return grid.grouping() == Grouping::leavesLast ? grid.groups() - 1 : -1;
}

/// From which levels of a dimension the next one leads from one class of blocks to another.
class LevelSteps
{
public:
    using Set = std::bitset<128>; // bit l + 1 for level l

    LevelSteps(const SparseGrid &grid, int t)
    {
        const auto treatment = grid.treatment(t);
        m_lowest = lowestLevel(treatment);
        m_isDense = grid.isDense(t);
        m_leafGroup = leafGroupOf(grid);
        for (int level = m_lowest; level < grid.highestLevel(t); ++level) {
            m_bits.push_back(bitsOfLevel(treatment, static_cast<Level>(level + 1))
                             - bitsOfLevel(treatment, static_cast<Level>(level)));
        }
    }

    /// -1 -> 0 is one more free dimension, all others raise one of the level sums by 1. Leaf blocks
    /// can be above any others.
    Set between(const SparseGrid::BlockClass &from, const SparseGrid::BlockClass &to) const
    {
        Set levels;
        const int bits = to.blockBits - from.blockBits;
        const int dense = to.dense - from.dense, free = to.free - from.free;
        const auto isGroup = [&](int more) {
            return to.group - from.group == more || to.group == m_leafGroup;
        };
        if (m_lowest < 0 && isGroup(0) && dense == 0 && free == 1 && !m_bits.empty())
            levels[0] = m_bits.front() == bits;
        if (!isGroup(m_isDense ? 0 : 1) || dense != (m_isDense ? 1 : 0) || free != 0)
            return levels;
        for (int level = 0; level - m_lowest < static_cast<int>(m_bits.size()); ++level)
            levels[static_cast<std::size_t>(level + 1)] =
                m_bits[static_cast<std::size_t>(level - m_lowest)] == bits;
        return levels;
    }

private:
    int m_lowest;
    bool m_isDense;
    int m_leafGroup;
    std::vector<int> m_bits; // that a block grows by, from the lowest level on
};

} // namespace

BlockSuccessors::BlockSuccessors(const SparseGrid &grid)
    : m_grid(grid)
    , m_successors(grid.blocks(), none)
{
    if (grid.blocks() >= none)
        throw Error("a grid of " + std::to_string(grid.blocks())
                    + " blocks is too large to be hierarchized: lower the level");
    // Highest component in the highest bits, so that keys compare like level vectors
    // ([Murarasu2013], Eq. 3.9).
    int bits = 0;
    for (int t = 0; t < grid.dimension(); ++t) {
        m_shifts.push_back(bits);
        // one more than the highest level, for the key of a successor that does not exist
        bits += std::bit_width(static_cast<unsigned>(grid.highestLevel(t) + 2));
    }
    if (bits > 64)
        return;
    m_keys.reserve(grid.blocks());
    for (std::size_t block = 0; block < grid.blocks(); ++block) {
        const auto levels = grid.levelVector(block);
        std::uint64_t key = 0;
        for (std::size_t t = 0; t < levels.size(); ++t)
            key |= static_cast<std::uint64_t>(levels[t] + 1) << m_shifts[t];
        m_keys.push_back(key);
    }
}

const std::vector<std::uint32_t> &BlockSuccessors::inDimension(int t)
{
    if (!m_keys.empty()) {
        const auto step = std::uint64_t{1} << m_shifts[static_cast<std::size_t>(t)];
        link(t, [this, step](std::size_t block, std::size_t candidate) {
            return m_keys[candidate] <=> m_keys[block] + step;
        });
        return m_successors;
    }
    // Too many bits for a key: compare the components, highest first.
    link(t, [this, t](std::size_t block, std::size_t candidate) {
        const auto a = m_grid.levelVector(candidate), b = m_grid.levelVector(block);
        for (auto u = static_cast<int>(a.size()) - 1; u >= 0; --u) {
            const auto i = static_cast<std::size_t>(u);
            const int wanted = b[i] + (u == t ? 1 : 0);
            if (a[i] != wanted)
                return a[i] <=> wanted;
        }
        return std::strong_ordering::equal;
    });
    return m_successors;
}

template <typename Compare>
void BlockSuccessors::link(int t, Compare compare)
{
    std::ranges::fill(m_successors, none);
    const auto classes = m_grid.blockClasses();
    const auto endOf = [&](std::size_t c) { return classes[c].firstBlock + classes[c].blocks; };
    const auto d = static_cast<std::size_t>(m_grid.dimension());
    const LevelSteps steps(m_grid, t);
    const int leafGroup = leafGroupOf(m_grid);
    const auto linkClasses = [&](std::size_t from, std::size_t to, const LevelSteps::Set &levels) {
        auto candidate = classes[to].firstBlock;
        const auto end = endOf(to);
        for (auto block = classes[from].firstBlock; block < endOf(from); ++block) {
            const int level = m_grid.levelVectors()[block * d + static_cast<std::size_t>(t)];
            if (!levels[static_cast<std::size_t>(level + 1)])
                continue;
            while (candidate < end && std::is_lt(compare(block, candidate)))
                ++candidate;
            if (candidate == end)
                return;
            if (std::is_eq(compare(block, candidate)))
                m_successors[block] = static_cast<std::uint32_t>(candidate);
        }
    };
    for (std::size_t from = 0; from < classes.size(); ++from) {
        for (std::size_t to = from + 1; to < classes.size(); ++to) {
            if (classes[to].group > classes[from].group + 1 && classes[to].group != leafGroup)
                continue;
            const auto levels = steps.between(classes[from], classes[to]);
            if (levels.any())
                linkClasses(from, to, levels);
        }
    }
}

} // namespace gridhelm::sparse
