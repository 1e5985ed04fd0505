// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/reference/literal.h"

#include "core/sparse/basis_functions.h"
#include "core/sparse/hierarchical_parents.h"

#include <array>
#include <cstdint>
#include <vector>

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

/// Calls visit(index, values, slopes) for the functions of a block that may be nonzero at x: those
/// of all dimensions in all combinations.
template <typename T, typename Visit>
void forEachFunction(const SparseGrid &grid, std::size_t block, std::span<const T> x, Visit visit)
{
    const auto levels = grid.levelVector(block);
    const auto d = levels.size();
    std::vector<std::vector<std::uint32_t>> positions(d);
    std::size_t combinations = 1;
    for (std::size_t t = 0; t < d; ++t) {
        positions[t] =
            functionsAt(grid.basis(static_cast<int>(t)), levels[t], static_cast<double>(x[t]));
        combinations *= positions[t].size();
    }
    for (std::size_t combination = 0; combination < combinations; ++combination) {
        std::array<T, maximumDimension> values{}, slopes{};
        std::uint64_t inBlock = 0;
        auto remaining = combination;
        for (std::size_t t = 0; t < d; ++t) {
            const auto position = positions[t][remaining % positions[t].size()];
            remaining /= positions[t].size();
            const auto basis = grid.basis(static_cast<int>(t));
            const auto function =
                basisFunction(basis, levels[t], position, static_cast<double>(x[t]));
            values[t] = static_cast<T>(function.value);
            slopes[t] = static_cast<T>(function.slope);
            inBlock = (inBlock << bitsOfLevel(basis.treatment, levels[t])) + position;
        }
        visit(grid.blockOffset(block) + inBlock, values, slopes);
    }
}

/// The interpolant of all blocks componentwise below that of a point, without its own, at the
/// point. The coefficients of those must be there.
template <typename T>
T interpolantBelow(const SparseGrid &grid, std::span<const T> coefficients, std::uint64_t point)
{
    const auto d = static_cast<std::size_t>(grid.dimension());
    std::vector<double> place(d);
    grid.coordinates(point, place);
    std::vector<Level> own(d);
    std::vector<std::uint32_t> positions(d);
    grid.idx2gp(point, own, positions);
    double sum = 0;
    for (std::size_t block = 0; block < grid.blocks(); ++block) {
        const auto levels = grid.levelVector(block);
        bool isBelow = false, isAbove = false;
        for (std::size_t t = 0; t < d; ++t) {
            isBelow = isBelow || levels[t] < own[t];
            isAbove = isAbove || levels[t] > own[t];
        }
        if (isAbove || !isBelow)
            continue;
        forEachFunction<double>(grid, block, place,
                                [&](std::uint64_t index, const auto &values, const auto &) {
                                    double product = static_cast<double>(coefficients[index]);
                                    for (std::size_t t = 0; t < d; ++t)
                                        product *= values[t];
                                    sum += product;
                                });
    }
    return static_cast<T>(sum);
}

} // namespace

template <typename T>
void hierarchize(const SparseGrid &grid, std::span<T> values)
{
    grid.requireOneValuePerPoint(values.size());
    if (!grid.hasHatsOnly()) {
        for (std::uint64_t j = 0; j < grid.points(); ++j)
            values[j] -= interpolantBelow<T>(grid, values, j);
        return;
    }
    for (int t = 0; t < grid.dimension(); ++t) {
        for (std::uint64_t j = grid.points(); j-- > 0;)
            values[j] -= prediction<T>(grid, values, j, t);
    }
}

template <typename T>
void dehierarchize(const SparseGrid &grid, std::span<T> coefficients)
{
    grid.requireOneValuePerPoint(coefficients.size());
    if (!grid.hasHatsOnly()) {
        for (std::uint64_t j = grid.points(); j-- > 0;)
            coefficients[j] += interpolantBelow<T>(grid, coefficients, j);
        return;
    }
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

Interpolated<float> combine(const SparseWeights &weights, const QuantisedRows &matrix,
                            std::size_t column)
{
    Interpolated<float> sum;
    for (std::size_t i = 0; i < weights.rows.size(); ++i) {
        const float part =
            static_cast<float>(weights.weights[i]) * matrix.rows[weights.rows[i]].value(column);
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
