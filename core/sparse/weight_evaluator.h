// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/sparse_grid.h"
#include "core/surrogate/sparse_weights.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridhelm::sparse {

using gridhelm::SparseWeights;

/// Weights of the moving parameter point (evaluation.md, eq:weights). Setting one coordinate
/// recomputes that dimension's basis functions only. Not thread-safe.
class WeightEvaluator
{
public:
    /// `grid` must outlive this object.
    explicit WeightEvaluator(const SparseGrid &grid);
    explicit WeightEvaluator(SparseGrid &&) = delete;

    /// Throws gridhelm::Error unless 0 <= t < dimension and 0 <= x <= 1.
    void setCoordinate(int t, double x);

    /// x < 0 or x > 1: what every function does at the nearer end goes on linearly, with its value
    /// and its slope there. Throws gridhelm::Error unless 0 <= t < dimension and x is finite.
    void setCoordinateOutside(int t, double x);

    /// Weights of the groups 0 .. groups - 1 (a level prefix); all groups by default.
    SparseWeights weights() const;
    SparseWeights weights(int groups) const;

    /// Their derivatives by coordinate t: to the right at kinks, to the left at 1.
    SparseWeights derivativeWeights(int t, int groups) const;

private:
    /// A function of one dimension at its coordinate, and its position in its level.
    struct Factor
    {
        std::uint32_t position = 0;
        double value = 0;
    };
    /// Those of a level: the second one only where the level isPaired().
    struct LevelFactors
    {
        Factor functions[2]; // NOLINT(modernize-avoid-c-arrays)
    };
    /// Of each dimension: those of level -1, 0, 1, ...
    using FactorsOfDimensions = std::vector<const LevelFactors *>;

    FactorsOfDimensions factors() const;
    void setFactors(int t);
    void fillSlopes(int t, std::vector<LevelFactors> &slopes) const;
    SparseWeights products(const FactorsOfDimensions &factors, int groups) const;

    const SparseGrid *m_grid;
    std::vector<DimensionBasis> m_bases;
    std::vector<std::size_t> m_firstFactor; // per dimension
    std::vector<LevelFactors> m_factors;
    std::vector<double> m_x;
};

} // namespace gridhelm::sparse
