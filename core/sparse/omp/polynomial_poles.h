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
/// Functions in cells have their own kernels (polynomial_kernel.h). Points of clenshaw-curtis are
/// those of `boundary` in another order. Of leja the definition itself is fast enough: a level is
/// one point.
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
    void transformClenshawCurtis(Transform transform, std::span<T *const> levels, std::size_t outer,
                                 std::size_t stride) const;
    void transformLeja(Transform transform, std::span<T *const> levels, std::size_t size) const;

    DimensionBasis m_basis;
    PoleTransform<T> m_inCells = nullptr; ///< null of leja
};

} // namespace gridhelm::sparse::omp
