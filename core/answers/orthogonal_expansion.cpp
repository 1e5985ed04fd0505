// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/orthogonal_expansion.h"

#include "core/answers/joint_inputs.h"
#include "core/sparse/basis_functions.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gridhelm::answers {

namespace {

/// Functions of dimension t of a grid, level after level; number 0 is the constant 1.
class DimensionFunctions
{
public:
    DimensionFunctions(const sparse::SparseGrid &grid, int t)
        : m_basis(grid.basis(t))
        , m_lowest(sparse::lowestLevel(grid.treatment(t)))
        , m_highest(grid.highestLevel(t))
    {
        for (int level = m_lowest; level <= m_highest; ++level) {
            m_first.push_back(m_count);
            m_count += static_cast<std::size_t>(
                sparse::pointsOfLevel(m_basis.treatment, static_cast<sparse::Level>(level)));
        }
    }

    std::size_t count() const { return m_count; }
    std::size_t numberOf(int level, std::uint32_t position) const
    {
        return m_first[static_cast<std::size_t>(level - m_lowest)] + position;
    }
    /// Between multiples of 1 / cells all are polynomials.
    std::size_t cells() const
    {
        if (m_basis.treatment == sparse::BoundaryTreatment::leja)
            return 16;
        return std::size_t{2} << std::max(m_highest, 0);
    }

    /// Of products of two functions, if these are polynomials all across the range; else 0.
    std::size_t degree() const
    {
        const bool isLeja = m_basis.treatment == sparse::BoundaryTreatment::leja;
        return isLeja && m_highest < 64 ? 2 * static_cast<std::size_t>(std::max(m_highest, 1)) : 0;
    }

    /// T, count x count, row by row: function j is sum over k <= j of T(k, j) e_k. e_k is missing,
    /// and row k is 0, where function k is a combination of earlier ones.
    std::vector<double> triangle(const Measure &measure) const
    {
        const auto n = m_count;
        std::vector<double> gram(n * n, 0.0);
        struct Nonzero
        {
            std::size_t function;
            double value;
        };
        std::vector<Nonzero> here;
        for (std::size_t i = 0; i < measure.nodes.size(); ++i) {
            here.assign(1, {0, 1.0});
            for (int level = m_lowest; level <= m_highest; ++level)
                for (const auto position : sparse::functionsAt(m_basis, level, measure.nodes[i])) {
                    const double value =
                        sparse::basisFunction(m_basis, level, position, measure.nodes[i]).value;
                    if (value != 0)
                        here.push_back({numberOf(level, position), value});
                }
            for (const auto &a : here)
                for (const auto &b : here)
                    if (a.function <= b.function)
                        gram[a.function * n + b.function] += measure.weights[i] * a.value * b.value;
        }
        return factorOf(std::move(gram), n);
    }

private:
    /// Cholesky's upper factor, in place, without the rows whose pivot is round-off.
    static std::vector<double> factorOf(std::vector<double> a, std::size_t n)
    {
        constexpr double roundOff = 1e-12;
        std::vector<double> norms(n);
        for (std::size_t k = 0; k < n; ++k)
            norms[k] = a[k * n + k];
        for (std::size_t k = 0; k < n; ++k) {
            double *row = a.data() + k * n;
            if (!(row[k] > roundOff * norms[k])) {
                std::fill(row, row + n, 0.0);
                continue;
            }
            const double root = std::sqrt(row[k]);
            for (std::size_t j = k; j < n; ++j)
                row[j] /= root;
            for (std::size_t i = k + 1; i < n; ++i) {
                if (row[i] == 0)
                    continue;
                double *below = a.data() + i * n;
                for (std::size_t j = i; j < n; ++j)
                    below[j] -= row[i] * row[j];
            }
        }
        return a;
    }

    sparse::DimensionBasis m_basis;
    int m_lowest, m_highest;
    std::vector<std::size_t> m_first;
    std::size_t m_count = 1; // the constant
};

/// Of each point the numbers of its functions.
OrthogonalExpansion productsOf(const GridCoefficients &interpolant,
                               const std::vector<DimensionFunctions> &functions)
{
    const auto &grid = *interpolant.grid;
    OrthogonalExpansion all;
    all.dimension = static_cast<std::size_t>(grid.dimension());
    all.columns = interpolant.columns;
    all.coefficients = interpolant.coefficients;
    all.functions.reserve(grid.points() * all.dimension);
    std::vector<sparse::Level> levels(all.dimension);
    std::vector<std::uint32_t> positions(all.dimension);
    for (std::uint64_t point = 0; point < grid.points(); ++point) {
        grid.idx2gp(point, levels, positions);
        for (std::size_t t = 0; t < all.dimension; ++t)
            all.functions.push_back(
                static_cast<std::uint32_t>(functions[t].numberOf(levels[t], positions[t])));
    }
    return all;
}

/// Terms in the order of all functions but those of dimension t, so that poles are side by side.
std::vector<std::size_t> poleOrder(const OrthogonalExpansion &all, std::size_t t)
{
    std::vector<std::size_t> order(all.terms());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        const auto left = all.functionsOf(a), right = all.functionsOf(b);
        for (std::size_t s = 0; s < left.size(); ++s)
            if (s != t && left[s] != right[s])
                return left[s] < right[s];
        return left[t] < right[t];
    });
    return order;
}

bool isSamePole(const OrthogonalExpansion &all, std::size_t a, std::size_t b, std::size_t t)
{
    const auto left = all.functionsOf(a), right = all.functionsOf(b);
    for (std::size_t s = 0; s < left.size(); ++s)
        if (s != t && left[s] != right[s])
            return false;
    return true;
}

/// One dimension's functions become orthonormal ones.
OrthogonalExpansion alongDimension(const OrthogonalExpansion &all, std::size_t t,
                                   const std::vector<double> &triangle, std::size_t count)
{
    const auto order = poleOrder(all, t);
    const auto columns = all.columns;
    OrthogonalExpansion result;
    result.dimension = all.dimension;
    result.columns = columns;
    std::vector<double> sums;
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && isSamePole(all, order[begin], order[end], t))
            ++end;
        const std::size_t highest = all.functionsOf(order[end - 1])[t];
        sums.assign((highest + 1) * columns, 0.0);
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t j = all.functionsOf(order[i])[t];
            const auto coefficients = all.coefficientsOf(order[i]);
            for (std::size_t k = 0; k <= j; ++k) {
                const double share = triangle[k * count + j];
                if (share != 0)
                    for (std::size_t c = 0; c < columns; ++c)
                        sums[k * columns + c] += share * coefficients[c];
            }
        }
        for (std::size_t k = 0; k <= highest; ++k) {
            const auto *first = sums.data() + k * columns;
            if (std::all_of(first, first + columns, [](double sum) { return sum == 0; }))
                continue;
            const auto pole = all.functionsOf(order[begin]);
            result.functions.insert(result.functions.end(), pole.begin(), pole.end());
            result.functions[result.functions.size() - all.dimension + t] =
                static_cast<std::uint32_t>(k);
            result.coefficients.insert(result.coefficients.end(), first, first + columns);
        }
    }
    return result;
}

std::vector<DimensionFunctions> functionsOf(const sparse::SparseGrid &grid)
{
    std::vector<DimensionFunctions> functions;
    for (int t = 0; t < grid.dimension(); ++t)
        functions.emplace_back(grid, t);
    return functions;
}

} // namespace

bool canExpand(const sparse::SparseGrid &grid)
{
    for (int t = 0; t < grid.dimension(); ++t)
        if (grid.highestLevel(t) > 30 && grid.treatment(t) != sparse::BoundaryTreatment::leja)
            return false;
    return std::ranges::all_of(functionsOf(grid), [](const DimensionFunctions &functions) {
        return functions.count() <= mostFunctionsOfDimension;
    });
}

OrthogonalExpansion expand(const GridCoefficients &interpolant, const Inputs &inputs)
{
    const auto &grid = *interpolant.grid;
    if (inputs.dimension() != grid.dimension())
        throw Error("there has to be one distribution for each parameter");
    requireIndependent(inputs);
    if (!canExpand(grid))
        throw Error(fmt::format("a parameter of this grid has more than {} points: take samples "
                                "instead",
                                mostFunctionsOfDimension));
    const auto functions = functionsOf(grid);
    auto all = productsOf(interpolant, functions);
    for (std::size_t t = 0; t < all.dimension; ++t) {
        const auto measure =
            inputs.distributions[t].measure(functions[t].cells(), functions[t].degree());
        all = alongDimension(all, t, functions[t].triangle(measure), functions[t].count());
    }
    return all;
}

} // namespace gridhelm::answers
