// SPDX-License-Identifier: GPL-3.0-or-later
//
// The definitions of docs/theory/sparse-grids.md, word by word, one point and one block at a
// time. Slow on purpose: everything fast is tested against these.
#pragma once

#include "core/codec/quantised_row.h"
#include "core/linalg/combination.h"
#include "core/sparse/sparse_grid.h"

#include <span>

namespace gridhelm::sparse::reference {

/// [Murarasu2013], Listing 3.4, extended to all boundary treatments that have cells: for every
/// dimension, for every point from the last to the first, subtract the prediction of its
/// hierarchical parents. Of other points and higher degrees by the definition: for every point from
/// the first to the last, subtract the interpolant of all blocks componentwise below its own.
template <typename T>
void hierarchize(const SparseGrid &grid, std::span<T> values);

/// Its inverse: dimensions and points in the opposite order, add what was subtracted.
template <typename T>
void dehierarchize(const SparseGrid &grid, std::span<T> coefficients);

template <typename T>
struct Interpolated
{
    T value = 0;
    T lastGroup = 0; ///< the part of the last group; the indicator is its magnitude
};

/// [Murarasu2013], Listing 3.5, extended: the contribution of every block, one after the other.
template <typename T>
Interpolated<T> interpolate(const SparseGrid &grid, std::span<const T> coefficients,
                            std::span<const T> x);

/// One column of a grid of vectors: the weighted sum of its rows, one after the other. The weights
/// and the column are the matrix's (requireFitting).
template <typename T>
Interpolated<T> combine(const SparseWeights &weights, linalg::MatrixView<const T> matrix,
                        std::size_t column);

/// The same of quantised rows, each value decoded by itself.
Interpolated<float> combine(const SparseWeights &weights, const codec::QuantisedRows &matrix,
                            std::size_t column);

/// The derivatives of the interpolant, one product rule per block.
template <typename T>
void gradient(const SparseGrid &grid, std::span<const T> coefficients, std::span<const T> x,
              std::span<T> gradient);

} // namespace gridhelm::sparse::reference
