// SPDX-License-Identifier: GPL-3.0-or-later
//
// Weighted sums of rows: every point of a grid, mode or run of a study stores one row, of values at
// the nodes of its mesh.
#pragma once

#include "core/execution/device.h"
#include "core/surrogate/sparse_weights.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm::linalg {

/// rows x columns values, row-major; consecutive rows are `stride` >= columns values apart. Rows
/// that begin at multiples of 64 bytes are read at full speed, others up to a third slower.
template <typename T>
struct MatrixView
{
    T *data = nullptr;
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::size_t stride = 0;

    T *row(std::size_t r) const { return data + r * stride; }
};

/// Throws gridhelm::Error if the weights do not belong together, or name one of more than `rows`.
void requireRows(const SparseWeights &weights, std::uint64_t rows);

/// Throw gridhelm::Error if the arguments of combine() or combineColumns() do not belong together.
template <typename T>
void requireFitting(const SparseWeights &weights, MatrixView<const T> matrix,
                    std::size_t firstColumn, std::span<const T> y, std::span<const T> indicator);
template <typename T>
void requireFitting(const SparseWeights &weights, MatrixView<const T> matrix,
                    std::span<const std::uint32_t> columns, std::span<const T> y,
                    std::span<const T> indicator);

/// y = sum_b w_b A[row_b] for the columns [firstColumn, firstColumn + y.size()); `indicator` is
/// empty, or as long as y, and receives |the part of the last group| in the same pass.
template <typename T>
void combine(const SparseWeights &weights, MatrixView<const T> matrix, std::size_t firstColumn,
             std::span<T> y, std::span<T> indicator, const CpuDevice &cpu);

/// The same for a list of columns (what is visible).
template <typename T>
void combineColumns(const SparseWeights &weights, MatrixView<const T> matrix,
                    std::span<const std::uint32_t> columns, std::span<T> y, std::span<T> indicator,
                    const CpuDevice &cpu);

} // namespace gridhelm::linalg
