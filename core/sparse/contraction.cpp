// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/contraction.h"

#include "core/sparse/omp/contraction_plan.h"
#include "core/sparse/omp/unfold.h"
#include "core/support/error.h"

#include <algorithm>
#include <set>

namespace gridhelm::sparse {

namespace {

/// The level vectors of the free dimensions.
SparseGrid freeGrid(const SparseGrid &grid, const std::vector<bool> &isFixed)
{
    std::vector<BoundaryTreatment> treatments;
    for (std::size_t t = 0; t < isFixed.size(); ++t) {
        if (!isFixed[t])
            treatments.push_back(grid.treatments()[t]);
    }
    std::set<std::vector<Level>> vectors;
    for (std::size_t block = 0; block < grid.blocks(); ++block) {
        std::vector<Level> vector;
        for (std::size_t t = 0; t < isFixed.size(); ++t) {
            if (!isFixed[t])
                vector.push_back(grid.levelVector(block)[t]);
        }
        vectors.insert(std::move(vector));
    }
    std::vector<Level> levels;
    for (const auto &vector : vectors)
        levels.insert(levels.end(), vector.begin(), vector.end());
    return SparseGrid(std::move(treatments), levels);
}

/// The node values that `from` nodes have, in the order of `to`: both hold the same states.
template <typename T>
omp::NodeValues<T> reordered(const omp::UnfoldedGrid &from, const T *values,
                             const omp::UnfoldedGrid &to)
{
    const auto sortedByStates = [](const omp::UnfoldedGrid &nodes) {
        std::vector<std::size_t> order(nodes.nodes());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
            return std::ranges::lexicographical_compare(nodes.states(a), nodes.states(b));
        });
        return order;
    };
    const auto source = sortedByStates(from), target = sortedByStates(to);
    auto result = omp::allocateNodeValues<T>(to);
    for (std::size_t i = 0; i < source.size(); ++i)
        std::copy_n(values + from.offset(source[i]), std::size_t{1} << from.bits(source[i]),
                    result.get() + to.offset(target[i]));
    return result;
}

} // namespace

template <typename T>
ContractedGrid<T> contract(const SparseGrid &grid, std::span<const T> coefficients,
                           const std::vector<bool> &isFixed, std::span<const T> x,
                           bool withLastGroup, const CpuDevice &cpu)
{
    const auto d = static_cast<std::size_t>(grid.dimension());
    if (isFixed.size() != d || x.size() != d)
        throw Error("a contraction needs a flag and a coordinate for each of the "
                    + std::to_string(d) + " dimensions");
    grid.requireOneValuePerPoint(coefficients.size());
    if (std::ranges::find(isFixed, false) == isFixed.end())
        throw Error("a contraction must leave at least one dimension free");

    const omp::UnfoldedGrid nodes(grid);
    const auto values = omp::unfold(grid, nodes, coefficients);
    const omp::ContractionPlan plan(nodes, isFixed);
    ContractedGrid<T> result;
    result.grid = std::make_shared<SparseGrid>(freeGrid(grid, isFixed));
    const omp::UnfoldedGrid freeNodes(*result.grid);
    const auto contractPart = [&](omp::ContractionPlan::Part part) {
        auto contracted = omp::allocateNodeValues<T>(plan.freeNodes());
        plan.apply<T>(nodes, values.get(), x, part, contracted.get(), cpu);
        const auto inOrder = reordered<T>(plan.freeNodes(), contracted.get(), freeNodes);
        return omp::fold<T>(*result.grid, freeNodes, inOrder.get());
    };
    result.coefficients = contractPart(omp::ContractionPlan::Part::all);
    if (withLastGroup)
        result.lastGroup = contractPart(omp::ContractionPlan::Part::lastGroup);
    return result;
}

template ContractedGrid<float> contract<float>(const SparseGrid &, std::span<const float>,
                                               const std::vector<bool> &, std::span<const float>,
                                               bool, const CpuDevice &);
template ContractedGrid<double> contract<double>(const SparseGrid &, std::span<const double>,
                                                 const std::vector<bool> &, std::span<const double>,
                                                 bool, const CpuDevice &);

} // namespace gridhelm::sparse
