// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/dimension_basis.h"
#include "core/sparse/level_vector.h"

#include <cstdint>
#include <vector>

namespace gridhelm::sparse {

/// A truncated sparse grid (n, c), as asked for: every level vector l with |l|_1 <= n - 1 and
/// l_t <= c_t - 1. Regular grids have c_t = n. Dimensions that cost nothing, like time, of which
/// one run delivers all values, are *dense*: their levels count nothing in |l|_1, so that there is
/// every combination of a level vector of the others with their levels below the cap
/// (docs/theory/sparse-grids.md, eq:level-sum). Nothing is enumerated here.
class GridShape
{
public:
    /// Throws gridhelm::Error unless 1 <= dimension <= 32, 1 <= level <= 30 (64 if a dimension is
    /// `leja`), there are `dimension` caps >= 1 (caps above `level`, unless the dimension is dense,
    /// or above what the treatment has, count as that; an empty list means `level` for each), one
    /// treatment, or one per dimension, in `dense` dimensions that there are, with caps of at most
    /// 30 and no more than 2^60 points together, and degrees that they have (degreesFor()).
    GridShape(int dimension, int level, std::vector<int> caps,
              std::vector<BoundaryTreatment> treatments, DimensionSet dense = 0,
              std::vector<int> degrees = {});
    GridShape(int dimension, int level, BoundaryTreatment treatment = BoundaryTreatment::zero);

    int dimension() const { return static_cast<int>(m_caps.size()); }
    int level() const { return m_level; }
    const std::vector<int> &caps() const { return m_caps; }
    const std::vector<BoundaryTreatment> &treatments() const { return m_treatments; }
    DimensionSet dense() const { return m_dense; }
    bool isDense(int t) const { return contains(m_dense, static_cast<std::size_t>(t)); }
    /// Largest sum of the levels of the dense dimensions.
    int highestDenseSum() const;
    const std::vector<int> &degrees() const { return m_degrees; }

private:
    int m_level;
    std::vector<int> m_caps;
    std::vector<BoundaryTreatment> m_treatments;
    DimensionSet m_dense;
    std::vector<int> m_degrees;
};

struct GridCount
{
    std::uint64_t points = 0;
    std::uint64_t blocks = 0;
};

/// Counts points and blocks without enumerating them (dynamic programming over dimensions,
/// docs/theory/sparse-grids.md, eq:block-count): O(d n^2).
/// Throws gridhelm::Error when a count exceeds 64 bits.
GridCount countGrid(const GridShape &shape);

/// Number of level vectors of the first t dimensions with k free dimensions and these level sums,
/// for all of them. Saturates at 2^64 - 1. Serves countGrid and the enumeration of blocks in order.
class LevelVectorCounts
{
public:
    explicit LevelVectorCounts(const GridShape &shape);

    std::uint64_t operator()(int dimensions, int free, LevelSums sums) const;

private:
    std::size_t indexOf(std::size_t dimensions, std::size_t free, std::size_t group,
                        std::size_t dense) const
    {
        return ((dimensions * (m_dimension + 1) + free) * m_groups + group) * m_denseSums + dense;
    }
    void addDimension(const GridShape &shape, std::size_t t);

    std::size_t m_dimension;
    std::size_t m_groups;    // n
    std::size_t m_denseSums; // 1 if no dimension is dense
    std::vector<std::uint64_t> m_counts;
};

/// Throws gridhelm::Error, with the numbers, when a grid with `bytesPerPoint` (all values held at
/// once) does not fit into this machine's memory. Call before allocating.
void requireFitsInMemory(const GridShape &shape, std::uint64_t bytesPerPoint);

} // namespace gridhelm::sparse
