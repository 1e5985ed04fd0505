// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/growth.h"

#include "core/sparse/vector_grid.h"
#include "core/support/error.h"

#include <algorithm>
#include <set>

namespace gridhelm::sparse {

namespace {

/// Index in `grid` of the point of the same block position in a grid that contains its blocks.
std::vector<std::size_t> blocksInGrown(const SparseGrid &grid, const SparseGrid &grown)
{
    if (grid.treatments() != grown.treatments())
        throw Error("the grown grid treats its boundaries differently: only levels can grow");
    std::vector<std::size_t> blocks;
    blocks.reserve(grid.blocks());
    for (std::size_t block = 0; block < grid.blocks(); ++block) {
        const auto found = grown.findBlock(grid.levelVector(block));
        if (!found)
            throw Error("the grown grid lacks points of the old one: a grid can only grow");
        blocks.push_back(*found);
    }
    return blocks;
}

} // namespace

AncestorWeights ancestorWeights(const SparseGrid &grid, std::uint64_t point)
{
    // At a grid point only its own function and those of its ancestors do not vanish.
    std::vector<double> x(static_cast<std::size_t>(grid.dimension()));
    grid.coordinates(point, x);
    WeightEvaluator evaluator(grid);
    for (int t = 0; t < grid.dimension(); ++t)
        evaluator.setCoordinate(t, x[static_cast<std::size_t>(t)]);
    const auto all = evaluator.weights();

    AncestorWeights result;
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        if (all.rows[i] == point)
            continue;
        result.points.push_back(all.rows[i]);
        result.weights.push_back(all.weights[i]);
    }
    return result;
}

template <typename T>
std::vector<T> growCoefficients(const Backend &backend, const SparseGrid &grid,
                                std::span<const T> coefficients,
                                const std::shared_ptr<const SparseGrid> &grown,
                                const std::function<T(std::uint64_t)> &valueAt)
{
    grid.requireOneValuePerPoint(coefficients.size());
    const auto d = static_cast<std::size_t>(grid.dimension());
    const auto oldBlocks = blocksInGrown(grid, *grown);
    std::vector<bool> isOld(grown->blocks(), false);
    std::vector<T> result(grown->points(), T(0));
    for (std::size_t block = 0; block < grid.blocks(); ++block) {
        isOld[oldBlocks[block]] = true;
        std::ranges::copy(coefficients.subspan(grid.blockOffset(block), grid.blockSize(block)),
                          result.begin()
                              + static_cast<std::ptrdiff_t>(grown->blockOffset(oldBlocks[block])));
    }

    // A coefficient is the value minus the interpolant of the blocks below, and blocks elsewhere
    // vanish at the point. Blocks of one class (same group, as many free dimensions) are never
    // below each other, so a class at a time is computed with all coefficients known so far.
    std::vector<double> exact(d);
    for (const auto &blockClass : grown->blockClasses()) {
        std::vector<std::uint64_t> indices;
        std::vector<double> points; // in float, coordinates of levels above 22 are not exact
        for (std::size_t i = 0; i < blockClass.blocks; ++i) {
            const auto block = blockClass.firstBlock + i;
            if (isOld[block])
                continue;
            for (std::uint64_t k = 0; k < grown->blockSize(block); ++k) {
                indices.push_back(grown->blockOffset(block) + k);
                grown->coordinates(indices.back(), exact);
                for (double x : exact)
                    points.push_back(x);
            }
        }
        if (indices.empty())
            continue;
        std::vector<double> below(indices.size());
        backend.load(grown, std::vector<double>(result.begin(), result.end()))
            ->interpolate({points, grown->dimension()}, EvaluationOutput<double>{below});
        for (std::size_t i = 0; i < indices.size(); ++i)
            result[indices[i]] =
                static_cast<T>(static_cast<double>(valueAt(indices[i])) - below[i]);
    }
    return result;
}

SparseGrid withLevelVectors(const SparseGrid &grid, std::span<const Level> added)
{
    const auto d = static_cast<std::size_t>(grid.dimension());
    if (added.size() % d != 0)
        throw Error("the added level vectors must have " + std::to_string(d) + " components each");
    constexpr double mostBlocks = 2e7;
    for (std::size_t i = 0; i < added.size(); i += d) {
        double blocksBelow = 1;
        for (std::size_t t = 0; t < d; ++t) {
            const int level = added[i + t];
            if (level < lowestLevel(grid.treatments()[t]) || level >= maximumLevel)
                throw Error("level " + std::to_string(level)
                            + " of an added level vector is out "
                              "of range in dimension "
                            + std::to_string(t + 1));
            blocksBelow *= level - lowestLevel(grid.treatments()[t]) + 1;
        }
        if (blocksBelow > mostBlocks)
            throw Error("an added level vector needs more than 20 million blocks below it: add "
                        "lower levels");
    }
    std::set<std::vector<Level>> vectors;
    for (std::size_t block = 0; block < grid.blocks(); ++block)
        vectors.emplace(grid.levelVector(block).begin(), grid.levelVector(block).end());
    std::vector<std::vector<Level>> pending;
    for (std::size_t i = 0; i < added.size(); i += d)
        pending.emplace_back(added.begin() + static_cast<std::ptrdiff_t>(i),
                             added.begin() + static_cast<std::ptrdiff_t>(i + d));
    while (!pending.empty()) {
        auto vector = std::move(pending.back());
        pending.pop_back();
        if (!vectors.insert(vector).second)
            continue;
        for (std::size_t t = 0; t < d; ++t) {
            if (vector[t] <= lowestLevel(grid.treatments()[t]))
                continue;
            --vector[t];
            pending.push_back(vector);
            ++vector[t];
        }
    }
    std::vector<Level> levels;
    for (const auto &vector : vectors)
        levels.insert(levels.end(), vector.begin(), vector.end());
    return SparseGrid(grid.treatments(), levels);
}

template std::vector<float> growCoefficients<float>(const Backend &, const SparseGrid &,
                                                    std::span<const float>,
                                                    const std::shared_ptr<const SparseGrid> &,
                                                    const std::function<float(std::uint64_t)> &);
template std::vector<double> growCoefficients<double>(const Backend &, const SparseGrid &,
                                                      std::span<const double>,
                                                      const std::shared_ptr<const SparseGrid> &,
                                                      const std::function<double(std::uint64_t)> &);

} // namespace gridhelm::sparse
