// SPDX-License-Identifier: GPL-3.0-or-later
//
// Grids of vectors: every grid point stores a snapshot of p values. The matrix has one row per
// point, in storage order.
#pragma once

#include "core/execution/device.h"
#include "core/sparse/sparse_grid.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm::sparse {

/// The value at one parameter point as a combination of rows: sum_b weights[b] A[rows[b]].
struct SparseWeights
{
    std::vector<std::uint64_t> rows; ///< ascending
    std::vector<double> weights;     ///< nonzero
    std::size_t lastGroupBegin = 0;  ///< rows from here on belong to the grid's last group
};

/// Weights of the moving parameter point. Setting one coordinate recomputes that dimension's basis
/// functions only. Not thread-safe.
class WeightEvaluator
{
public:
    /// `grid` must outlive this object.
    explicit WeightEvaluator(const SparseGrid &grid);
    explicit WeightEvaluator(SparseGrid &&) = delete;

    /// Throws gridhelm::Error unless 0 <= t < dimension and 0 <= x <= 1.
    void setCoordinate(int t, double x);

    /// Weights of the groups 0 .. groups - 1 (a level prefix); all groups by default.
    SparseWeights weights() const;
    SparseWeights weights(int groups) const;

private:
    struct Factor
    {
        std::uint32_t position;
        double value;
    };
    const SparseGrid *m_grid;
    std::vector<std::size_t> m_firstFactor; // per dimension, index of its level 0
    std::vector<Factor> m_factors;
    std::vector<double> m_x;
};

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

/// Nodal snapshots to hierarchical coefficients, every column at once, in place; and back.
/// matrix.rows must be grid.points().
template <typename T>
void hierarchizeVectors(const SparseGrid &grid, MatrixView<T> matrix, const CpuDevice &cpu);
template <typename T>
void dehierarchizeVectors(const SparseGrid &grid, MatrixView<T> matrix, const CpuDevice &cpu);

} // namespace gridhelm::sparse
