// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/linalg/combination.h"

#include "core/execution/parallel_for.h"
#include "core/linalg/tiled_combination.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace gridhelm::linalg {

namespace {

template <typename T>
void requireWholeRows(const MatrixView<T> &matrix)
{
    if (matrix.stride < matrix.columns)
        throw Error("rows of " + std::to_string(matrix.columns) + " values cannot be "
                    + std::to_string(matrix.stride) + " values apart: they would overlap");
}

void requireIndicatorSize(std::size_t values, std::size_t indicator)
{
    if (indicator != 0 && indicator != values)
        throw Error("the indicator needs as many entries as there are values: "
                    + std::to_string(indicator) + " for " + std::to_string(values));
}

} // namespace

void requireRows(const SparseWeights &weights, std::uint64_t rows)
{
    if (weights.weights.size() != weights.rows.size()
        || weights.lastGroupBegin > weights.rows.size())
        throw Error("the weights do not belong together: " + std::to_string(weights.rows.size())
                    + " rows, " + std::to_string(weights.weights.size()) + " weights");
    const auto requireInside = [&](std::uint64_t row) {
        if (row >= rows)
            throw Error("the weights name row " + std::to_string(row) + " of a matrix with "
                        + std::to_string(rows) + " rows");
    };
    if (weights.lastGroupBegin > 0)
        requireInside(weights.rows[weights.lastGroupBegin - 1]);
    if (!weights.rows.empty())
        requireInside(weights.rows.back());
}

template <typename T>
void requireFitting(const SparseWeights &weights, MatrixView<const T> matrix,
                    std::size_t firstColumn, std::span<const T> y, std::span<const T> indicator)
{
    requireWholeRows(matrix);
    requireRows(weights, matrix.rows);
    requireIndicatorSize(y.size(), indicator.size());
    if (firstColumn > matrix.columns || y.size() > matrix.columns - firstColumn)
        throw Error("columns " + std::to_string(firstColumn) + " to "
                    + std::to_string(firstColumn + y.size()) + " of a matrix with "
                    + std::to_string(matrix.columns) + " columns");
}

template <typename T>
void requireFitting(const SparseWeights &weights, MatrixView<const T> matrix,
                    std::span<const std::uint32_t> columns, std::span<const T> y,
                    std::span<const T> indicator)
{
    requireWholeRows(matrix);
    requireRows(weights, matrix.rows);
    requireIndicatorSize(y.size(), indicator.size());
    if (columns.size() != y.size())
        throw Error(std::to_string(y.size()) + " values for " + std::to_string(columns.size())
                    + " columns");
    for (auto column : columns) {
        if (column >= matrix.columns)
            throw Error("column " + std::to_string(column) + " of a matrix with "
                        + std::to_string(matrix.columns) + " columns");
    }
}

template <typename T>
void combine(const SparseWeights &weights, MatrixView<const T> matrix, std::size_t firstColumn,
             std::span<T> y, std::span<T> indicator, const CpuDevice &cpu)
{
    combineTiles<T>(weights, matrix, firstColumn, y, indicator, cpu, {});
}

template <typename T>
void combineColumns(const SparseWeights &weights, MatrixView<const T> matrix,
                    std::span<const std::uint32_t> columns, std::span<T> y, std::span<T> indicator,
                    const CpuDevice &cpu)
{
    requireFitting<T>(weights, matrix, columns, y, indicator);
    constexpr std::size_t tile = 1024;
    const auto tiles = (y.size() + tile - 1) / tile;
    const auto combine = [&](std::size_t begin, std::size_t end,
                             std::span<const std::uint32_t> wanted, std::span<T> target) {
        std::ranges::fill(target, T(0));
        for (auto r = begin; r < end; ++r) {
            const T *row = matrix.row(weights.rows[r]);
            const T weight = static_cast<T>(weights.weights[r]);
            for (std::size_t i = 0; i < wanted.size(); ++i)
                target[i] += weight * row[wanted[i]];
        }
    };
    parallelFor(tiles, cpu, 1, [&](std::size_t i) {
        const auto begin = i * tile;
        const auto size = std::min(tile, y.size() - begin);
        const auto wanted = columns.subspan(begin, size);
        const auto target = y.subspan(begin, size);
        std::array<T, tile> lastPart;
        const auto last = std::span<T>(lastPart).first(size);
        combine(0, weights.lastGroupBegin, wanted, target);
        combine(weights.lastGroupBegin, weights.rows.size(), wanted, last);
        addLastGroup<T>(last, target,
                        indicator.empty() ? indicator : indicator.subspan(begin, size));
    });
}

template void requireFitting<float>(const SparseWeights &, MatrixView<const float>, std::size_t,
                                    std::span<const float>, std::span<const float>);
template void requireFitting<double>(const SparseWeights &, MatrixView<const double>, std::size_t,
                                     std::span<const double>, std::span<const double>);
template void requireFitting<float>(const SparseWeights &, MatrixView<const float>,
                                    std::span<const std::uint32_t>, std::span<const float>,
                                    std::span<const float>);
template void combine<float>(const SparseWeights &, MatrixView<const float>, std::size_t,
                             std::span<float>, std::span<float>, const CpuDevice &);
template void combine<double>(const SparseWeights &, MatrixView<const double>, std::size_t,
                              std::span<double>, std::span<double>, const CpuDevice &);
template void combineColumns<float>(const SparseWeights &, MatrixView<const float>,
                                    std::span<const std::uint32_t>, std::span<float>,
                                    std::span<float>, const CpuDevice &);
template void combineColumns<double>(const SparseWeights &, MatrixView<const double>,
                                     std::span<const std::uint32_t>, std::span<double>,
                                     std::span<double>, const CpuDevice &);

} // namespace gridhelm::linalg
