// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/grid_shape.h"

#include "core/support/checked_math.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"

#include <algorithm>
#include <limits>
#include <string>

namespace gridhelm::sparse {

namespace {

constexpr auto saturated = std::numeric_limits<std::uint64_t>::max();

std::uint64_t saturatingAdd(std::uint64_t a, std::uint64_t b)
{
    return a > saturated - b ? saturated : a + b;
}

std::vector<BoundaryTreatment> oneForEach(std::vector<BoundaryTreatment> treatments, int dimension)
{
    if (treatments.size() == 1)
        treatments.resize(static_cast<std::size_t>(dimension), treatments.front());
    return treatments;
}

void requireDimension(int dimension)
{
    if (dimension < 1 || dimension > maximumDimension)
        throw Error("dimension " + std::to_string(dimension)
                    + " is not possible: a sparse grid has 1 to " + std::to_string(maximumDimension)
                    + " dimensions");
}

} // namespace

GridShape::GridShape(int dimension, int level, std::vector<int> caps,
                     std::vector<BoundaryTreatment> treatments, std::vector<int> degrees)
    : m_level(level)
{
    requireDimension(dimension);
    int highest = maximumLevel;
    for (const auto treatment : treatments)
        highest = std::max(highest, highestLevelOf(treatment) + 1);
    if (level < 1 || level > highest)
        throw Error("level " + std::to_string(level) + " is not possible: choose 1 to "
                    + std::to_string(highest));
    const auto d = static_cast<std::size_t>(dimension);
    if (caps.empty())
        caps.assign(d, level);
    if (caps.size() != d)
        throw Error(std::to_string(caps.size()) + " level caps for " + std::to_string(dimension)
                    + " dimensions: give one cap per dimension, or none for a regular grid");
    for (int &cap : caps) {
        if (cap < 1)
            throw Error("level cap " + std::to_string(cap)
                        + " is not possible: a cap is at least 1");
        cap = std::min(cap, level);
    }
    m_caps = std::move(caps);
    m_treatments = oneForEach(std::move(treatments), dimension);
    if (m_treatments.size() != d)
        throw Error(std::to_string(m_treatments.size()) + " boundary treatments for "
                    + std::to_string(dimension)
                    + " dimensions: give one for all, or one per dimension");
    for (std::size_t t = 0; t < d; ++t)
        m_caps[t] = std::min(m_caps[t], highestLevelOf(m_treatments[t]) + 1);
    m_degrees = degreesFor(m_treatments, std::move(degrees));
}

GridShape::GridShape(int dimension, int level, BoundaryTreatment treatment)
    : GridShape(dimension, level, {}, {treatment})
{
}

LevelVectorCounts::LevelVectorCounts(const GridShape &shape)
    : m_dimension(shape.dimension())
    , m_level(shape.level())
{
    const auto d = static_cast<std::size_t>(m_dimension);
    const auto n = static_cast<std::size_t>(m_level);
    m_counts.assign((d + 1) * (d + 1) * n, 0);
    const auto at = [&](std::size_t t, std::size_t k, std::size_t s) -> std::uint64_t & {
        return m_counts[(t * (d + 1) + k) * n + s];
    };
    at(0, 0, 0) = 1;
    for (std::size_t t = 0; t < d; ++t) {
        const auto cap = static_cast<std::size_t>(shape.caps()[t]);
        const bool hasEnds = hasEndPoints(shape.treatments()[t]);
        for (std::size_t k = 0; k <= t; ++k) {
            for (std::size_t s = 0; s < n; ++s) {
                const auto count = at(t, k, s);
                if (count == 0)
                    continue;
                if (hasEnds)
                    at(t + 1, k, s) = saturatingAdd(at(t + 1, k, s), count);
                for (std::size_t l = 0; l < cap && s + l < n; ++l)
                    at(t + 1, k + 1, s + l) = saturatingAdd(at(t + 1, k + 1, s + l), count);
            }
        }
    }
}

std::uint64_t LevelVectorCounts::operator()(int dimensions, int free, int sum) const
{
    if (free < 0 || sum < 0 || free > dimensions || sum >= m_level)
        return 0;
    const auto d = static_cast<std::size_t>(m_dimension);
    return m_counts[(static_cast<std::size_t>(dimensions) * (d + 1)
                     + static_cast<std::size_t>(free))
                        * static_cast<std::size_t>(m_level)
                    + static_cast<std::size_t>(sum)];
}

GridCount countGrid(const GridShape &shape)
try {
    // Of the dimensions so far, by |l|_1. No count is larger than one that it becomes a part of.
    std::vector<GridCount> counts(static_cast<std::size_t>(shape.level()));
    counts[0] = {1, 1};
    for (std::size_t t = 0; t < shape.caps().size(); ++t) {
        const auto treatment = shape.treatments()[t];
        std::vector<GridCount> next(counts.size());
        for (std::size_t sum = 0; sum < counts.size(); ++sum) {
            const auto &before = counts[sum];
            for (int level = lowestLevel(treatment); level < shape.caps()[t]; ++level) {
                const auto with = sum + static_cast<std::size_t>(std::max(level, 0));
                if (before.blocks == 0 || with >= counts.size())
                    break;
                const auto extent = pointsOfLevel(treatment, static_cast<Level>(level));
                next[with].blocks = checkedAdd(next[with].blocks, before.blocks);
                next[with].points =
                    checkedAdd(next[with].points, checkedMultiply(before.points, extent));
            }
        }
        counts = std::move(next);
    }
    GridCount total;
    for (const auto &count : counts) {
        total.blocks = checkedAdd(total.blocks, count.blocks);
        total.points = checkedAdd(total.points, count.points);
    }
    return total;
} catch (const Error &) {
    throw Error("this grid has more points than 64 bits can count: lower the level, or cap the "
                "levels of some dimensions");
}

void requireFitsInMemory(const GridShape &shape, std::uint64_t bytesPerPoint)
{
    const auto count = countGrid(shape);
    const double needed = static_cast<double>(count.points) * static_cast<double>(bytesPerPoint)
                          + static_cast<double>(count.blocks) * (shape.dimension() + 32.0);
    requireMemory(needed, "the grid of " + std::to_string(count.points) + " points",
                  "lower the level, or cap the levels of some dimensions");
}

} // namespace gridhelm::sparse
