// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/dimension_basis.h"
#include "core/sparse/omp/hierarchization_kernel.h"

#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::sparse::omp {

/// One-dimensional transforms along a pole of blocks in a dimension without hats.
///
/// Of functions in cells, coefficients of degree p follow from those of degree p - 1, which the
/// fast kernel has made first: with j the parent of point i,
///
///     alpha^2_i = alpha^1_i - 1/4 alpha^1_j,
///     alpha^3_i = alpha^2_i - (phi^3_j(x_i) - phi^2_j(x_i)) alpha^2_j
///
/// (ARCHITECTURE.md, "Higher degrees"). Points of clenshaw-curtis are those of `boundary` in
/// another order. Of leja the definition itself is fast enough: a level is one point.
template <typename T>
class PolynomialPoles
{
public:
    /// Of a dimension that does not have hats.
    explicit PolynomialPoles(DimensionBasis basis);

    /// In place, on the calling thread. `levels` are the blocks of the pole from the lowest level
    /// on, at least two; each is an array [outer][points of the level][stride].
    void transform(Transform transform, std::span<T *const> levels, std::size_t outer,
                   std::size_t stride) const;

private:
    void transformCells(Transform transform, const BlockPole<T> &pole) const;
    void transformClenshawCurtis(Transform transform, std::span<T *const> levels, std::size_t outer,
                                 std::size_t stride) const;
    void transformLeja(Transform transform, std::span<T *const> levels, std::size_t size) const;

    DimensionBasis m_basis;
    PoleTransform<T> m_hats = nullptr;
};

} // namespace gridhelm::sparse::omp
