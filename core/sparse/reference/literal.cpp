// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/reference/literal.h"

#include "core/sparse/basis.h"
#include "core/sparse/hierarchical_parents.h"

#include <array>
#include <cstdint>

namespace gridhelm::sparse::reference {

namespace {

/// What the relatives of a point in dimension t predict for its value.
template <typename T>
T prediction(const SparseGrid &grid, std::span<const T> values, std::uint64_t point, int t)
{
    const auto parents = hierarchicalParents(grid, point, t);
    T sum = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(parents.count); ++i)
        sum += static_cast<T>(parents.weights[i]) * values[parents.points[i]];
    return sum;
}

/// Calls visit(index, factors) for the functions of a block that are nonzero-able at x: one choice
/// of an end point for each dimension of level -1.
template <typename T, typename Visit>
void forEachFunction(const SparseGrid &grid, std::size_t block, std::span<const T> x, Visit visit)
{
    const auto levels = grid.levelVector(block);
    const auto d = levels.size();
    const auto choices = std::uint64_t{1} << (static_cast<int>(d) - freeDimensions(levels));
    for (std::uint64_t choice = 0; choice < choices; ++choice) {
        std::array<T, maximumDimension> values{};
        std::array<T, maximumDimension> derivatives{};
        std::uint64_t inBlock = 0;
        auto remainingChoice = choice;
        for (std::size_t t = 0; t < d; ++t) {
            std::uint32_t position = 0;
            if (levels[t] < 0) {
                position = static_cast<std::uint32_t>(remainingChoice & 1U);
                remainingChoice >>= 1;
                values[t] = endPointValue(position, x[t]);
                derivatives[t] = position == 0 ? T(-1) : T(1);
            } else {
                const auto cell = cellOf(levels[t], x[t]);
                const auto treatment = grid.treatment(static_cast<int>(t));
                position = cell.position;
                values[t] = basisValue(treatment, levels[t], cell);
                derivatives[t] = basisDerivative(treatment, levels[t], cell);
            }
            inBlock = (inBlock << bitsInDimension(levels[t])) + position;
        }
        visit(grid.blockOffset(block) + inBlock, values, derivatives);
    }
}

} // namespace

template <typename T>
void hierarchize(const SparseGrid &grid, std::span<T> values)
{
    grid.requireOneValuePerPoint(values.size());
    for (int t = 0; t < grid.dimension(); ++t) {
        for (std::uint64_t j = grid.points(); j-- > 0;)
            values[j] -= prediction<T>(grid, values, j, t);
    }
}

template <typename T>
void dehierarchize(const SparseGrid &grid, std::span<T> coefficients)
{
    grid.requireOneValuePerPoint(coefficients.size());
    for (int t = grid.dimension() - 1; t >= 0; --t) {
        for (std::uint64_t j = 0; j < grid.points(); ++j)
            coefficients[j] += prediction<T>(grid, coefficients, j, t);
    }
}

template <typename T>
Interpolated<T> interpolate(const SparseGrid &grid, std::span<const T> coefficients,
                            std::span<const T> x)
{
    const auto d = static_cast<std::size_t>(grid.dimension());
    const auto lastGroup = grid.groupFirstBlock(grid.groups() - 1);
    Interpolated<T> result;
    for (std::size_t block = 0; block < grid.blocks(); ++block) {
        forEachFunction<T>(grid, block, x, [&](std::uint64_t index, const auto &values, auto &) {
            T product = 1;
            for (std::size_t t = 0; t < d; ++t)
                product *= values[t];
            result.value += coefficients[index] * product;
            if (block >= lastGroup)
                result.lastGroup += coefficients[index] * product;
        });
    }
    return result;
}

template <typename T>
Interpolated<T> combine(const SparseWeights &weights, MatrixView<const T> matrix,
                        std::size_t column)
{
    Interpolated<T> sum;
    for (std::size_t i = 0; i < weights.rows.size(); ++i) {
        const T part = static_cast<T>(weights.weights[i]) * matrix.row(weights.rows[i])[column];
        sum.value += part;
        if (i >= weights.lastGroupBegin)
            sum.lastGroup += part;
    }
    return sum;
}

template <typename T>
void gradient(const SparseGrid &grid, std::span<const T> coefficients, std::span<const T> x,
              std::span<T> gradient)
{
    const auto d = static_cast<std::size_t>(grid.dimension());
    for (T &component : gradient)
        component = 0;
    for (std::size_t block = 0; block < grid.blocks(); ++block) {
        forEachFunction<T>(grid, block, x, [&](std::uint64_t index, auto &values, auto &slopes) {
            for (std::size_t direction = 0; direction < d; ++direction) {
                T product = coefficients[index];
                for (std::size_t t = 0; t < d; ++t)
                    product *= t == direction ? slopes[t] : values[t];
                gradient[direction] += product;
            }
        });
    }
}

template void hierarchize<float>(const SparseGrid &, std::span<float>);
template void hierarchize<double>(const SparseGrid &, std::span<double>);
template void dehierarchize<float>(const SparseGrid &, std::span<float>);
template void dehierarchize<double>(const SparseGrid &, std::span<double>);
template Interpolated<float> combine<float>(const SparseWeights &, MatrixView<const float>,
                                            std::size_t);
template Interpolated<float> interpolate<float>(const SparseGrid &, std::span<const float>,
                                                std::span<const float>);
template Interpolated<double> interpolate<double>(const SparseGrid &, std::span<const double>,
                                                  std::span<const double>);
template void gradient<float>(const SparseGrid &, std::span<const float>, std::span<const float>,
                              std::span<float>);
template void gradient<double>(const SparseGrid &, std::span<const double>, std::span<const double>,
                               std::span<double>);

} // namespace gridhelm::sparse::reference
