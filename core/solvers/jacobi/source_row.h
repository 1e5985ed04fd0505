// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/jacobi/stencil_row.h"
#include "core/solvers/padded_grid.h"
#include "core/solvers/scaled_source.h"

#include <cmath>

namespace gridhelm::solvers::jacobi {

/// The rows for updating `count` values of row (j, k) from column `first` on.
template <typename T>
StencilRow<T> stencilRow(const PaddedGrid<T> &from, PaddedGrid<T> &to,
                         const ScaledSource<T> &source, std::ptrdiff_t first, std::ptrdiff_t j,
                         std::ptrdiff_t k, std::size_t count)
{
    StencilRow<T> row;
    row.centre = from.row(j, k) + first;
    row.below = row.centre - from.rowStride();
    row.above = row.centre + from.rowStride();
    if (from.dimension() == 3) {
        row.front = row.centre - from.planeStride();
        row.back = row.centre + from.planeStride();
    }
    if (const T *f = source.row(j, k))
        row.source = f + first;
    row.target = to.row(j, k) + first;
    row.count = count;
    return row;
}

/// Updates a row that begins at column `first`, with the spike, if that is one of its values.
/// Returns the largest |new - old| if `compares`, otherwise 0.
template <typename T>
T updateRowWithSpike(const StencilRow<T> &row, const typename ScaledSource<T>::Spike *spike,
                     std::ptrdiff_t first, Store store, bool compares)
{
    const auto count = static_cast<std::ptrdiff_t>(row.count);
    if (spike == nullptr || spike->i < first || spike->i >= first + count)
        return update(row, nullptr, store, compares);
    update(row, nullptr, Store::cached, false);
    row.target[spike->i - first] = updatedValue(row, spike->i - first, spike->value);
    T largest = 0;
    for (std::ptrdiff_t i = 0; compares && i < count; ++i)
        largest = std::max(largest, std::abs(row.target[i] - row.centre[i]));
    return largest;
}

} // namespace gridhelm::solvers::jacobi
