// SPDX-License-Identifier: GPL-3.0-or-later
//
// The interpolant as sparse-grids.md, eq:interpolant, defines it: the sum of all basis functions
// times their coefficients, nothing left out, in double. Of core/sparse it takes the values that a
// treatment has at the ends, and no arithmetic; for what has no hats it takes the functions of
// core/sparse/basis_functions.h, which tst_other_bases compares with numbers from elsewhere.
#pragma once

#include "core/sparse/basis_functions.h"
#include "core/sparse/sparse_grid.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm::test {

inline double basisFunction(sparse::BoundaryTreatment treatment, int level, std::uint32_t position,
                            double x)
{
    if (level < 0)
        return position == 0 ? 1 - x : x;
    const double cells = std::ldexp(1.0, level); // one per point of this level
    const double distance =
        2 * cells * x - (2.0 * position + 1); // from the point, 1 at its cell's end
    if (std::abs(distance) > 1)
        return 0;
    // Linear from 1 in the middle to the value at the cell's end, which is 0 inside.
    const auto ends = sparse::endsOf(treatment);
    const auto values = level == 0 ? ends.levelZero : ends.outermost;
    double atEnd = 0;
    if (distance < 0 && position == 0)
        atEnd = values.low;
    if (distance > 0 && position == static_cast<std::uint32_t>(cells) - 1)
        atEnd = values.high;
    return 1 + (atEnd - 1) * std::abs(distance);
}

/// Slope of the linear piece to the right of x, of the last piece at x = 1.
inline double basisSlope(sparse::BoundaryTreatment treatment, int level, std::uint32_t position,
                         double x)
{
    const double pieces = std::ldexp(2.0, std::max(level, 0));
    const double piece = std::min(std::floor(pieces * x), pieces - 1);
    return pieces
           * (basisFunction(treatment, level, position, (piece + 1) / pieces)
              - basisFunction(treatment, level, position, piece / pieces));
}

/// Both, of any basis.
inline sparse::ValueAndSlope anyFunction(sparse::DimensionBasis basis, int level,
                                         std::uint32_t position, double x)
{
    if (!sparse::hasHats(basis))
        return sparse::basisFunction(basis, level, position, x);
    return {basisFunction(basis.treatment, level, position, x),
            basisSlope(basis.treatment, level, position, x)};
}

/// A sum, and the sum of the magnitudes of its terms: what its rounding errors are measured by.
struct Sum
{
    double value = 0;
    double magnitude = 0;

    void add(double term)
    {
        value += term;
        magnitude += std::abs(term);
    }
};

/// |l|_1 of the dimensions that count.
inline int runLevelSum(const sparse::SparseGrid &grid, std::span<const sparse::Level> levels)
{
    int sum = 0;
    for (int t = 0; t < grid.dimension(); ++t)
        sum += grid.isDense(t) ? 0 : std::max<int>(levels[static_cast<std::size_t>(t)], 0);
    return sum;
}

/// Whether no block of the grid is one higher in a dimension that counts, -1 and 0 taken as one,
/// whatever the levels of the others are.
inline bool isLeaf(const sparse::SparseGrid &grid, std::span<const sparse::Level> levels)
{
    for (std::size_t block = 0; block < grid.blocks(); ++block) {
        const auto other = grid.levelVector(block);
        int higher = 0, different = 0;
        for (std::size_t t = 0; t < levels.size(); ++t) {
            if (grid.isDense(static_cast<int>(t)))
                continue;
            const int one = std::max<int>(levels[t], 0);
            if (std::max<int>(other[t], 0) == one + 1)
                ++higher;
            else if (other[t] != levels[t])
                ++different;
        }
        if (higher == 1 && different == 0)
            return false;
    }
    return true;
}

inline bool isInLastGroup(const sparse::SparseGrid &grid, std::span<const sparse::Level> levels)
{
    return grid.grouping() == sparse::Grouping::leavesLast
               ? isLeaf(grid, levels)
               : runLevelSum(grid, levels) == grid.groups() - 1;
}

struct SumOfAllFunctions
{
    Sum value;
    Sum lastGroup;
    std::vector<Sum> gradient;
};

template <typename T>
SumOfAllFunctions sumOfAllFunctions(const sparse::SparseGrid &grid, std::span<const T> coefficients,
                                    std::span<const T> x, bool withGradient = false)
{
    const auto d = static_cast<std::size_t>(grid.dimension());
    std::vector<sparse::Level> levels(d);
    std::vector<std::uint32_t> positions(d);
    std::vector<double> factors(d);
    SumOfAllFunctions sum;
    sum.gradient.resize(d);
    std::vector<sparse::Level> previous;
    bool isInLast = false;
    for (std::uint64_t j = 0; j < grid.points(); ++j) {
        grid.idx2gp(j, levels, positions);
        if (levels != previous)
            isInLast = isInLastGroup(grid, levels);
        previous = levels;
        const double coefficient = static_cast<double>(coefficients[j]);
        double product = coefficient;
        for (std::size_t t = 0; t < d; ++t) {
            factors[t] = anyFunction(grid.basis(static_cast<int>(t)), levels[t], positions[t],
                                     static_cast<double>(x[t]))
                             .value;
            product *= factors[t];
        }
        sum.value.add(product);
        if (isInLast)
            sum.lastGroup.add(product);
        for (std::size_t direction = 0; withGradient && direction < d; ++direction) {
            product = coefficient
                      * anyFunction(grid.basis(static_cast<int>(direction)), levels[direction],
                                    positions[direction], static_cast<double>(x[direction]))
                            .slope;
            for (std::size_t t = 0; t < d; ++t)
                product *= t == direction ? 1 : factors[t];
            sum.gradient[direction].add(product);
        }
    }
    return sum;
}

} // namespace gridhelm::test
