// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/team/divided_transform.h"

#include "core/support/error.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace gridhelm::sparse {
namespace {

/// By the levels of all dimensions but first .. end - 1.
std::weak_ordering compareOthers(const SparseGrid &grid, std::uint32_t a, std::uint32_t b,
                                 int first, int end)
{
    const auto ofA = grid.levelVector(a), ofB = grid.levelVector(b);
    for (std::size_t t = 0; t < ofA.size(); ++t) {
        const bool isOther = static_cast<int>(t) < first || static_cast<int>(t) >= end;
        if (isOther && ofA[t] != ofB[t])
            return ofA[t] <=> ofB[t];
    }
    return std::weak_ordering::equivalent;
}

/// Blocks that have to stay together.
struct Bundle
{
    std::span<const std::uint32_t> blocks;
    std::uint64_t points = 0;
};

std::vector<std::uint64_t> blockSizes(const SparseGrid &grid)
{
    std::vector<std::uint64_t> sizes;
    sizes.reserve(grid.blocks());
    for (const auto &blockClass : grid.blockClasses())
        sizes.insert(sizes.end(), blockClass.blocks, std::uint64_t{1} << blockClass.blockBits);
    return sizes;
}

/// `order`: all blocks, of which the bundles are pieces, the largest first.
std::vector<Bundle> bundlesOf(const SparseGrid &grid, int first, int end,
                              std::vector<std::uint32_t> &order)
{
    order.resize(grid.blocks());
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return std::is_lt(compareOthers(grid, a, b, first, end));
    });
    const auto sizes = blockSizes(grid);
    std::vector<Bundle> bundles;
    for (std::size_t begin = 0, next = 0; begin < order.size(); begin = next) {
        std::uint64_t points = 0;
        while (next < order.size()
               && std::is_eq(compareOthers(grid, order[begin], order[next], first, end)))
            points += sizes[order[next++]];
        bundles.push_back({std::span(order).subspan(begin, next - begin), points});
    }
    std::ranges::stable_sort(bundles, std::greater(), &Bundle::points);
    return bundles;
}

void requireCountable(const SparseGrid &grid)
{
    if (grid.blocks() >= std::numeric_limits<std::uint32_t>::max())
        throw Error("a grid of " + std::to_string(grid.blocks())
                    + " blocks is too large to be hierarchized: lower the level");
}

/// Of all devices the largest time, beside that of a division without any rest.
double imbalance(const SparseGrid &grid, const std::vector<std::vector<std::uint32_t>> &parts,
                 std::span<const double> speeds)
{
    const auto sizes = blockSizes(grid);
    double slowest = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        std::uint64_t points = 0;
        for (const auto block : parts[i])
            points += sizes[block];
        slowest = std::max(slowest, static_cast<double>(points) / speeds[i]);
    }
    const double all = std::accumulate(speeds.begin(), speeds.end(), 0.0);
    return slowest * all / static_cast<double>(grid.points());
}

} // namespace

std::vector<std::vector<std::uint32_t>> dividedBlocks(const SparseGrid &grid, int first, int end,
                                                      std::span<const double> speeds)
{
    requireCountable(grid);
    std::vector<std::uint32_t> order;
    std::vector<std::vector<std::uint32_t>> parts(speeds.size());
    std::vector<double> seconds(speeds.size(), 0.0);
    // The largest ones first, each to whoever would be done with it first: what is left to even out
    // at the end is small.
    for (const auto &bundle : bundlesOf(grid, first, end, order)) {
        const auto points = static_cast<double>(bundle.points);
        std::size_t best = 0;
        for (std::size_t i = 1; i < speeds.size(); ++i) {
            if (seconds[i] + points / speeds[i] < seconds[best] + points / speeds[best])
                best = i;
        }
        seconds[best] += points / speeds[best];
        parts[best].insert(parts[best].end(), bundle.blocks.begin(), bundle.blocks.end());
    }
    for (auto &part : parts)
        std::ranges::sort(part);
    return parts;
}

std::vector<TransformStep> transformSteps(const SparseGrid &grid, std::span<const double> speeds)
{
    constexpr double tooMuch = 1.1;
    const int d = grid.dimension();
    const auto stepOf = [&](int first, int end) {
        return TransformStep{first, end, dividedBlocks(grid, first, end, speeds)};
    };
    std::vector<TransformStep> steps;
    bool areEven = d > 2;
    for (const auto &[first, end] : {std::pair{0, d / 2}, std::pair{d / 2, d}}) {
        if (!areEven)
            break;
        steps.push_back(stepOf(first, end));
        areEven = imbalance(grid, steps.back().parts, speeds) <= tooMuch;
    }
    if (areEven)
        return steps;
    steps.clear();
    for (int t = 0; t < d; ++t)
        steps.push_back(stepOf(t, t + 1));
    return steps;
}

template <typename T>
ComputedOn transformDivided(Transform transform, const SparseGrid &grid, std::span<T> values,
                            std::span<const TeamMember> members, JointWork &work)
{
    grid.requireOneValuePerPoint(values.size());
    std::vector<double> speeds;
    for (const auto &member : members)
        speeds.push_back(member.speed);
    auto steps = transformSteps(grid, speeds);
    if (transform == Transform::dehierarchize)
        std::ranges::reverse(steps);
    ComputedOn where;
    for (auto &step : steps) {
        std::vector<std::size_t> busy;
        for (std::size_t member = 0; member < step.parts.size(); ++member) {
            if (!step.parts[member].empty())
                busy.push_back(member);
        }
        where |= work.run(busy, [&](std::size_t member) {
            const TransformPart part{transform, step.first, step.end,
                                     std::move(step.parts[member])};
            return members[member].backend->transformPart(grid, part, values);
        });
    }
    return where;
}

template ComputedOn transformDivided<float>(Transform, const SparseGrid &, std::span<float>,
                                            std::span<const TeamMember>, JointWork &);
template ComputedOn transformDivided<double>(Transform, const SparseGrid &, std::span<double>,
                                             std::span<const TeamMember>, JointWork &);

} // namespace gridhelm::sparse
