// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/grid_shape.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::sparse {

/// What the groups of a grid are.
enum class Grouping : std::uint8_t {
    levelSums, ///< |l|_1 of the dimensions that are not dense
    /// The same, but for *leaf blocks*, which are the last group: those with no block above in any
    /// dimension that is not dense (levels -1 and 0 are one here). For grids that were refined
    /// where it pays: what they add tells how well the rest was known, whatever their level sums
    /// ([Gerstner2003]).
    leavesLast
};

/// A sparse grid: a downward-closed set of level vectors in storage order, and the bijection
/// between its points and 0 .. points() - 1. Values are stored elsewhere, in this order.
///
/// Order in memory: |l|_1 of the dimensions that are not dense ascending (a *group*, see Grouping);
/// then that of the dense ones (GridShape); number of free dimensions ascending; points in the
/// block ascending (these follow from the others where all dimensions have cells); level vectors by
/// their highest differing component; inside a *block* (all points of one level vector) row-major,
/// last dimension fastest, extent pointsOfLevel() (sparse-grids.md, eq:storage-order and
/// eq:point-index; [Murarasu2013], Eq. 3.9 and 3.12). So the first groups are a coarser grid with
/// all levels of the dense dimensions.
///
/// All blocks that agree in the first four, a *class*, have the same size, so the table needs no
/// offsets: d bytes a block.
class SparseGrid
{
public:
    /// The truncated grid of `shape`. Throws gridhelm::Error when its block table does not fit
    /// into memory.
    explicit SparseGrid(const GridShape &shape);

    /// Any downward-closed set; `levels` holds the level vectors one after the other, in any order.
    /// `dense` dimensions do not count in the group of a block; nothing else depends on them, nor
    /// on the `grouping` but the order. `degrees` as for GridShape. Throws gridhelm::Error when a
    /// vector is repeated, out of range, or lacks a lower neighbour, and for a degree that its
    /// treatment does not have.
    SparseGrid(std::vector<BoundaryTreatment> treatments, std::span<const Level> levels,
               DimensionSet dense = 0, std::vector<int> degrees = {},
               Grouping grouping = Grouping::levelSums);

    int dimension() const { return static_cast<int>(m_treatments.size()); }
    const std::vector<BoundaryTreatment> &treatments() const { return m_treatments; }
    BoundaryTreatment treatment(int t) const { return m_treatments[static_cast<std::size_t>(t)]; }
    DimensionSet dense() const { return m_dense; }
    bool isDense(int t) const { return contains(m_dense, static_cast<std::size_t>(t)); }
    Grouping grouping() const { return m_grouping; }
    const std::vector<int> &degrees() const { return m_degrees; }
    int degree(int t) const { return m_degrees[static_cast<std::size_t>(t)]; }
    DimensionBasis basis(int t) const { return {treatment(t), degree(t)}; }
    std::vector<DimensionBasis> bases() const { return basesOf(m_treatments, m_degrees); }
    /// Whether all dimensions have cells and degree 1: one function of a block without level -1
    /// holds a place, and it is linear in the halves of its cell.
    bool hasHatsOnly() const { return m_hasHatsOnly; }

    std::uint64_t points() const { return m_classes.back().firstPoint; }
    std::size_t blocks() const { return m_classes.back().firstBlock; }

    LevelVectorView levelVector(std::size_t block) const
    {
        const auto d = m_treatments.size();
        return {m_levels.data() + block * d, d};
    }
    /// All level vectors in storage order, one after the other.
    std::span<const Level> levelVectors() const { return m_levels; }

    /// Position of the block's first point in storage order.
    std::uint64_t blockOffset(std::size_t block) const;
    std::uint64_t blockSize(std::size_t block) const;

    /// The block of a level vector, if it is in the grid. O(d log blocks).
    std::optional<std::size_t> findBlock(LevelVectorView levels) const;
    /// Whether there is a block next above in one of the dimensions that are not dense, counting
    /// levels from `least` on in each: with 0 (see Grouping) ends and middle are one level.
    bool hasBlockAbove(LevelVectorView levels, int least = 0) const;

    /// Largest group in the grid, plus one.
    int groups() const { return static_cast<int>(m_groupFirstClass.size()) - 1; }
    /// First block, point of group g; g = groups() gives the totals.
    std::size_t groupFirstBlock(int g) const;
    std::uint64_t groupFirstPoint(int g) const;

    /// How many functions of the first groups are nonzero at almost every place: of each block
    /// contributionsOf(), one if no level of it is paired.
    std::uint64_t activeFunctions(int groups) const
    {
        return m_activeFunctions[static_cast<std::size_t>(groups)];
    }

    /// Largest level of dimension t in the grid.
    int highestLevel(int t) const { return m_highestLevels[static_cast<std::size_t>(t)]; }

    /// A run of blocks of the same level sums, number of free dimensions and size.
    struct BlockClass
    {
        std::size_t firstBlock;
        std::size_t blocks;
        std::uint64_t firstPoint;
        int group;
        int dense; ///< level sum of the dense dimensions
        int free;
        int blockBits; ///< block size = 2^blockBits
    };
    /// Classes in storage order, without the closing sentinel.
    std::span<const BlockClass> blockClasses() const
    {
        return {m_classes.data(), m_classes.size() - 1};
    }

    /// Index of the point (l, position) where position_t = (i_t - 1) / 2 counts the points of the
    /// block along t from 0 (for level -1: 0 is x = 0, 1 is x = 1).
    /// Throws gridhelm::Error for a point that is not in the grid.
    std::uint64_t gp2idx(LevelVectorView levels, std::span<const std::uint32_t> positions) const;

    /// Inverse of gp2idx. Throws gridhelm::Error when index >= points().
    void idx2gp(std::uint64_t index, std::span<Level> levels,
                std::span<std::uint32_t> positions) const;

    /// Coordinates of the point with this index, exact in double, but those of `leja` rounded.
    void coordinates(std::uint64_t index, std::span<double> x) const;

    /// Throws gridhelm::Error unless `count` values are one for each point.
    void requireOneValuePerPoint(std::size_t count) const;

    /// Bytes of the block table.
    std::size_t tableBytes() const;

private:
    void sortLevels(const std::vector<bool> &areLeaves = {}); // into storage order
    /// Fills everything below from m_treatments and the sorted m_levels; the last so many blocks
    /// are leaves.
    void indexClasses(std::size_t leaves = 0);

    std::size_t classOfBlock(std::size_t block) const;
    int blockBits(LevelVectorView levels) const;
    void sortLeavesLast(); // of a grid that has its level sums as groups
    /// What blocks of one class have in common; classes come in this order.
    struct ClassKey
    {
        int group;
        int dense;
        int free;
        int bits;
        auto operator<=>(const ClassKey &) const = default;
    };
    ClassKey keyOf(LevelVectorView levels, bool isLeaf) const;
    std::optional<std::size_t> findBlock(LevelVectorView levels, const ClassKey &key) const;
    static ClassKey keyOf(const BlockClass &blockClass);
    std::vector<BoundaryTreatment> m_treatments;
    DimensionSet m_dense;
    std::vector<int> m_degrees;
    Grouping m_grouping = Grouping::levelSums;
    int m_leafGroup = 0; ///< of leavesLast
    bool m_hasHatsOnly = true;
    std::vector<Level> m_levels;
    std::vector<BlockClass> m_classes;          // one more than there are, as a sentinel
    std::vector<std::size_t> m_groupFirstClass; // one more than there are groups
    std::vector<int> m_highestLevels;
    std::vector<std::uint64_t> m_activeFunctions; // of the first groups, 0 .. groups()
};

} // namespace gridhelm::sparse
