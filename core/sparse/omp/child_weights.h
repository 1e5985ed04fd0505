// SPDX-License-Identifier: GPL-3.0-or-later
//
// What functions in cells of degree 2 and 3 have at the two children of a parent, by values of the
// parent's pole: the polynomial through the parent, the ends of its cell and, of degree 3, its
// nearest further ancestor (docs/theory/sparse-grids.md, eq:surplus-direct).
#pragma once

#include "core/sparse/cell_polynomial.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace gridhelm::sparse::omp {

/// The mean of the polynomial at both children: meanOfNode * the value at the parent
/// + meanOfEnds * the sum of those at the ends of its cell.
inline constexpr double meanOfNode = 0.75, meanOfEnds = 0.125;

/// Half of its difference, right child minus left child, by the values at the lower end of the
/// parent's cell, at the parent, at the upper end, and at the further ancestor.
struct HalfDifference
{
    double low;
    double node;
    double high;
    double ancestor;
};

/// `inverseOfRoot`: inverseOfFurtherRoot() of the parent; 0 without an ancestor, and at degree 2.
/// The parabola has (high - low) / 4; the rest is 3/8 of the factor of u (1 - u^2), with u = -1 and
/// 1 the ends and u = 1 / inverseOfRoot the ancestor.
constexpr HalfDifference halfDifference(double inverseOfRoot)
{
    const double f = inverseOfRoot;
    return {-0.25 + 0.1875 * f / (1 + f), -0.375 * f, 0.25 + 0.1875 * f / (1 - f),
            -0.375 * f * f * f / (1 - f * f)};
}

/// A parent of degree 3.
struct CubicParent
{
    HalfDifference weights{};
    int ancestor = 0; ///< its numerator minus the parent's position, in units of the parent's cell
    bool hasAncestor = false;
};

/// Those of one dimension.
class CubicParents
{
public:
    constexpr explicit CubicParents(BoundaryTreatment treatment)
    {
        for (int level = 0; level <= regularLevel; ++level) {
            for (std::uint32_t position = 0; position < std::uint32_t{1} << level; ++position)
                m_parents[index(level, position)] = parent({treatment, 3}, level, position);
        }
    }

    constexpr const CubicParent &operator()(int level, std::size_t position) const
    {
        if (level <= regularLevel)
            return m_parents[index(level, position)];
        // All levels from there on are alike, seen from either end.
        constexpr std::size_t regularLast = (std::size_t{1} << regularLevel) - 1;
        const auto fromLast = (std::size_t{1} << level) - 1 - position;
        if (fromLast < 2)
            return m_parents[index(regularLevel, regularLast - fromLast)];
        return m_parents[index(regularLevel, position < 2 ? position : 2 + position % 2)];
    }

private:
    static constexpr int regularLevel = 3;

    static constexpr std::size_t index(int level, std::size_t position)
    {
        return (std::size_t{1} << level) - 1 + position;
    }

    static constexpr CubicParent parent(DimensionBasis basis, int level, std::uint32_t position)
    {
        const double inverse = inverseOfFurtherRoot(basis, level, position);
        if (inverse == 0)
            return {halfDifference(0)};
        const double root = 1 / inverse; // 3, -3, 5 or -5
        const int rounded = static_cast<int>(root < 0 ? root - 0.5 : root + 0.5);
        return {halfDifference(inverse), (rounded + 1) / 2, true};
    }

    std::array<CubicParent, (std::size_t{2} << regularLevel) - 1> m_parents{};
};

} // namespace gridhelm::sparse::omp
