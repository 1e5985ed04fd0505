// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/vector_grid.h"

#include "core/sparse/basis.h"
#include "core/sparse/hierarchical_parents.h"
#include "core/sparse/omp/row_kernel.h"
#include "core/support/error.h"
#include "core/support/parallel_for.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace gridhelm::sparse {

namespace {

template <typename T>
void requireWholeRows(const MatrixView<T> &matrix)
{
    if (matrix.stride < matrix.columns)
        throw Error("rows of " + std::to_string(matrix.columns) + " values cannot be "
                    + std::to_string(matrix.stride) + " values apart: they would overlap");
}

template <typename T>
void requireMatchingRows(const SparseWeights &weights, const MatrixView<T> &matrix)
{
    if (weights.weights.size() != weights.rows.size()
        || weights.lastGroupBegin > weights.rows.size())
        throw Error("the weights do not belong together: " + std::to_string(weights.rows.size())
                    + " rows, " + std::to_string(weights.weights.size()) + " weights");
    requireWholeRows(matrix);
    if (!weights.rows.empty() && weights.rows.back() >= matrix.rows)
        throw Error("the weights name row " + std::to_string(weights.rows.back())
                    + " of a matrix with " + std::to_string(matrix.rows) + " rows");
}

void requireIndicatorSize(std::size_t values, std::size_t indicator)
{
    if (indicator != 0 && indicator != values)
        throw Error("the indicator needs as many entries as there are values: "
                    + std::to_string(indicator) + " for " + std::to_string(values));
}

template <typename T>
std::vector<omp::WeightedRow<T>> termsOf(const SparseWeights &weights,
                                         const MatrixView<const T> &matrix, std::size_t begin,
                                         std::size_t end)
{
    std::vector<omp::WeightedRow<T>> terms;
    terms.reserve(end - begin);
    for (auto i = begin; i < end; ++i)
        terms.push_back({matrix.row(weights.rows[i]), static_cast<T>(weights.weights[i])});
    return terms;
}

/// Adds the last group's part to the values and turns it into the indicator.
template <typename T>
void addLastGroup(std::span<T> last, std::span<T> values, std::span<T> indicator)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] += last[i];
        if (!indicator.empty())
            indicator[i] = std::abs(last[i]);
    }
}

} // namespace

WeightEvaluator::WeightEvaluator(const SparseGrid &grid)
    : m_grid(&grid)
    , m_x(static_cast<std::size_t>(grid.dimension()), 0.5)
{
    for (int t = 0; t < grid.dimension(); ++t) {
        m_firstFactor.push_back(m_factors.size());
        m_factors.resize(m_factors.size() + static_cast<std::size_t>(grid.highestLevel(t) + 1));
        setCoordinate(t, 0.5);
    }
}

void WeightEvaluator::setCoordinate(int t, double x)
{
    if (t < 0 || t >= m_grid->dimension())
        throw Error("dimension " + std::to_string(t + 1) + " of a grid with "
                    + std::to_string(m_grid->dimension()));
    if (!(x >= 0 && x <= 1))
        throw Error("coordinate " + std::to_string(t + 1) + " is " + std::to_string(x)
                    + ", outside [0, 1]");
    const auto index = static_cast<std::size_t>(t);
    m_x[index] = x;
    for (int level = 0; level <= m_grid->highestLevel(t); ++level) {
        const auto cell = cellOf(level, x);
        m_factors[m_firstFactor[index] + static_cast<std::size_t>(level)] = {
            cell.position, basisValue(m_grid->treatment(t), level, cell)};
    }
}

SparseWeights WeightEvaluator::weights() const
{
    return weights(m_grid->groups());
}

SparseWeights WeightEvaluator::weights(int groups) const
{
    groups = std::clamp(groups, 1, m_grid->groups());
    const auto d = static_cast<std::size_t>(m_grid->dimension());
    SparseWeights result;
    const auto lastGroup = m_grid->groupFirstBlock(groups - 1);
    const auto end = m_grid->groupFirstBlock(groups);
    for (std::size_t block = 0; block < end; ++block) {
        if (block == lastGroup)
            result.lastGroupBegin = result.rows.size();
        const auto levels = m_grid->levelVector(block);
        const int endPointDimensions = static_cast<int>(d) - freeDimensions(levels);
        for (std::uint64_t choice = 0; choice < std::uint64_t{1} << endPointDimensions; ++choice) {
            double weight = 1;
            std::uint64_t inBlock = 0;
            int choiceBit = endPointDimensions; // the first dimension's choice varies slowest
            for (std::size_t t = 0; t < d && weight != 0; ++t) {
                std::uint32_t position = 0;
                if (levels[t] < 0) {
                    position = static_cast<std::uint32_t>((choice >> --choiceBit) & 1U);
                    weight *= endPointValue(position, m_x[t]);
                } else {
                    const auto &factor =
                        m_factors[m_firstFactor[t] + static_cast<std::size_t>(levels[t])];
                    position = factor.position;
                    weight *= factor.value;
                }
                inBlock = (inBlock << bitsInDimension(levels[t])) + position;
            }
            if (weight == 0)
                continue;
            result.rows.push_back(m_grid->blockOffset(block) + inBlock);
            result.weights.push_back(weight);
        }
    }
    return result;
}

template <typename T>
void requireFitting(const SparseWeights &weights, MatrixView<const T> matrix,
                    std::size_t firstColumn, std::span<const T> y, std::span<const T> indicator)
{
    requireMatchingRows(weights, matrix);
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
    requireMatchingRows(weights, matrix);
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
    requireFitting<T>(weights, matrix, firstColumn, y, indicator);
    const auto inner = termsOf(weights, matrix, 0, weights.lastGroupBegin);
    const auto last = termsOf(weights, matrix, weights.lastGroupBegin, weights.rows.size());

    // A tile of the result stays in the second-level cache while all rows pass by; pieces of rows
    // this long reach the speed of one long read.
    constexpr std::size_t tile = (std::size_t{1} << 17) / sizeof(T);
    const auto tiles = (y.size() + tile - 1) / tile;
    const auto combine = [](auto terms, std::size_t column, std::span<T> target) {
        for (auto &term : terms)
            term.row += column;
        omp::combineRows<T>(terms, target.data(), target.size());
    };
    parallelFor(tiles, cpu, 1, [&](std::size_t i) {
        const auto begin = i * tile;
        const auto size = std::min(tile, y.size() - begin);
        const auto target = y.subspan(begin, size);
        static thread_local std::vector<T> lastPart;
        lastPart.resize(size);
        combine(inner, firstColumn + begin, target);
        combine(last, firstColumn + begin, std::span<T>(lastPart));
        addLastGroup<T>(lastPart, target,
                        indicator.empty() ? indicator : indicator.subspan(begin, size));
    });
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

namespace {

/// The relatives of every point in one dimension.
std::vector<HierarchicalParents> parentsInDimension(const SparseGrid &grid, int t)
{
    std::vector<HierarchicalParents> parents;
    parents.reserve(grid.points());
    for (std::uint64_t point = 0; point < grid.points(); ++point)
        parents.push_back(hierarchicalParents(grid, point, t));
    return parents;
}

/// sign = -1: take the predictions of the parents away, children first; +1: add them, parents
/// first.
template <typename T>
void transformVectors(const SparseGrid &grid, MatrixView<T> matrix, int sign, const CpuDevice &cpu)
{
    if (matrix.rows != grid.points())
        throw Error("a matrix of " + std::to_string(matrix.rows) + " rows for a grid of "
                    + std::to_string(grid.points()) + " points");
    requireWholeRows(matrix);
    // All dimensions of a tile of columns are done while it is in the cache.
    constexpr std::size_t tileBytes = 1 << 18;
    const auto wanted = tileBytes / sizeof(T) / std::max<std::size_t>(matrix.rows, 1);
    const auto tile = std::clamp<std::size_t>(wanted / 16 * 16, 64, 4096);
    const auto tiles = (matrix.columns + tile - 1) / tile;
    const auto d = grid.dimension();
    std::vector<std::vector<HierarchicalParents>> parents;
    for (int t = 0; t < d; ++t)
        parents.push_back(parentsInDimension(grid, t));

    parallelFor(tiles, cpu, 1, [&](std::size_t i) {
        const auto begin = i * tile;
        const auto width = std::min(tile, matrix.columns - begin);
        const auto addPrediction = [&](std::uint64_t point, const HierarchicalParents &relatives) {
            if (relatives.count == 0)
                return;
            const auto term = [&](std::size_t k) {
                return omp::WeightedRow<T>{matrix.row(relatives.points[k]) + begin,
                                           static_cast<T>(sign * relatives.weights[k])};
            };
            const auto first = term(0);
            const auto second = relatives.count == 2 ? term(1) : omp::WeightedRow<T>{first.row, 0};
            omp::addTwoRows<T>(first, second, matrix.row(point) + begin, width);
        };
        for (int step = 0; step < d; ++step) {
            const int t = sign < 0 ? step : d - 1 - step;
            const auto &inDimension = parents[static_cast<std::size_t>(t)];
            for (std::uint64_t k = 0; k < grid.points(); ++k) {
                const auto point = sign < 0 ? grid.points() - 1 - k : k;
                addPrediction(point, inDimension[point]);
            }
        }
    });
}

} // namespace

template <typename T>
void hierarchizeVectors(const SparseGrid &grid, MatrixView<T> matrix, const CpuDevice &cpu)
{
    transformVectors(grid, matrix, -1, cpu);
}

template <typename T>
void dehierarchizeVectors(const SparseGrid &grid, MatrixView<T> matrix, const CpuDevice &cpu)
{
    transformVectors(grid, matrix, 1, cpu);
}

template void requireFitting<float>(const SparseWeights &, MatrixView<const float>, std::size_t,
                                    std::span<const float>, std::span<const float>);
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
template void hierarchizeVectors<float>(const SparseGrid &, MatrixView<float>, const CpuDevice &);
template void hierarchizeVectors<double>(const SparseGrid &, MatrixView<double>, const CpuDevice &);
template void dehierarchizeVectors<float>(const SparseGrid &, MatrixView<float>, const CpuDevice &);
template void dehierarchizeVectors<double>(const SparseGrid &, MatrixView<double>,
                                           const CpuDevice &);

} // namespace gridhelm::sparse
