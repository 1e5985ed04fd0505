// SPDX-License-Identifier: GPL-3.0-or-later
//
// The functions of degree 2 and 3 in their cells, for one point at a time: what rootsOf() of
// core/sparse/basis_functions.h means in units of the cell.
#pragma once

#include "core/sparse/basis.h"
#include "core/sparse/dimension_basis.h"

#include <cstdint>

namespace gridhelm::sparse {

/// 1 / r, where the nearest further ancestor is r half cells to the right of the function's node,
/// or 0 where there is none and at degree 2: r is 3 or -3 (the other end of the cell above), next
/// to it 5 or -5 where that is an end of the range that is no point.
template <typename T = double>
GRIDHELM_HOST_DEVICE constexpr T inverseOfFurtherRoot(DimensionBasis basis, int cells,
                                                      std::uint32_t position)
{
    if (basis.degree < 3 || cells == 0)
        return 0;
    const T towardsParent = position % 2 == 0 ? 1 : -1;
    if (basis.treatment != BoundaryTreatment::zero)
        return towardsParent / 3;
    const std::uint32_t last = (std::uint32_t{1} << cells) - 1;
    const bool isOutermost = position == 0 || position == last;
    const bool isNextToIt = position == 1 || position + 1 == last;
    if (cells == 1 || (cells == 2 && !isOutermost))
        return 0;
    return isNextToIt && !isOutermost ? -towardsParent / 5 : towardsParent / 3;
}

/// A function in its cell: 4 t (1 - t) (1 - (2 t - 1) / r), and its derivative by the fraction t.
template <typename T>
struct CellPolynomial
{
    T value;
    T slope;
};

template <typename T>
GRIDHELM_HOST_DEVICE constexpr CellPolynomial<T> cellPolynomial(T fraction, T inverseOfRoot)
{
    const T parabola = 4 * fraction * (1 - fraction);
    const T further = 1 - (2 * fraction - 1) * inverseOfRoot;
    return {parabola * further, 4 * (1 - 2 * fraction) * further - 2 * parabola * inverseOfRoot};
}

} // namespace gridhelm::sparse
