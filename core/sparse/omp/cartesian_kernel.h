// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/boundary_treatment.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace gridhelm::sparse::omp {

/// One axis of a picture, prepared for piecewise linear evaluation: in a dimension whose finest
/// hats are of level k, x lies at `fraction` of cell `cell` of width 2^-(k + 1).
template <typename T>
struct AxisPoint
{
    std::uint32_t cell;
    T fraction;
};

/// A pole of hierarchical coefficients in one dimension, by levels: level k has 2^k of them.
/// Rows of `width` values each take the place of single coefficients.
struct PoleShape
{
    BoundaryTreatment treatment;
    int highestLevel; ///< -1: only the states 1 and 2x - 1
    bool hasLinear;   ///< the state 2x - 1 exists (boundary only)

    /// Nodes of the pole's finest grid, ends included.
    std::size_t nodes() const { return (std::size_t{1} << (highestLevel + 1)) + 1; }
    /// Where level k's coefficient `position` stands in nodal order.
    std::size_t node(int level, std::size_t position) const
    {
        return (2 * position + 1) << (highestLevel - level);
    }
};

/// In place, from hierarchical to nodal: `rows` holds shape.nodes() rows of `width` values in nodal
/// order, the coefficients at their nodes, the constant state's row first and the state 2x - 1's
/// last (boundary treatment), or those ends undefined (others).
template <typename T>
void hierarchicalToNodal(const PoleShape &shape, T *rows, std::size_t width);

/// For every point of an axis, a row of `width` values at target, `targetStride` apart:
/// (1 - fraction) * rows[cell] + fraction * rows[cell + 1].
template <typename T>
void interpolateRows(const T *rows, std::span<const AxisPoint<T>> axis, T *target,
                     std::size_t targetStride, std::size_t width);

} // namespace gridhelm::sparse::omp
