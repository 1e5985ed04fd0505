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

int usedCap(int cap, int level, bool isDense)
{
    if (cap < 1)
        throw Error("level cap " + std::to_string(cap) + " is not possible: a cap is at least 1");
    if (isDense && cap > maximumLevel)
        throw Error("level cap " + std::to_string(cap) + " is not possible: choose 1 to "
                    + std::to_string(maximumLevel));
    return isDense ? cap : std::min(cap, level);
}

} // namespace

GridShape::GridShape(int dimension, int level, std::vector<int> caps,
                     std::vector<BoundaryTreatment> treatments, DimensionSet dense,
                     std::vector<int> degrees)
    : m_level(level)
    , m_dense(dense)
{
    requireDimension(dimension);
    int highest = maximumLevel;
    for (const auto treatment : treatments)
        highest = std::max(highest, highestLevelOf(treatment) + 1);
    if (level < 1 || level > highest)
        throw Error("level " + std::to_string(level) + " is not possible: choose 1 to "
                    + std::to_string(highest));
    const auto d = static_cast<std::size_t>(dimension);
    if (std::uint64_t{dense} >> d != 0)
        throw Error("only the " + std::to_string(d) + " dimensions of the grid can be dense");
    if (caps.empty())
        caps.assign(d, level);
    if (caps.size() != d)
        throw Error(std::to_string(caps.size()) + " level caps for " + std::to_string(dimension)
                    + " dimensions: give one cap per dimension, or none for a regular grid");
    for (std::size_t t = 0; t < d; ++t)
        caps[t] = usedCap(caps[t], level, contains(dense, t));
    m_caps = std::move(caps);
    m_treatments = oneForEach(std::move(treatments), dimension);
    if (m_treatments.size() != d)
        throw Error(std::to_string(m_treatments.size()) + " boundary bases for "
                    + std::to_string(dimension)
                    + " dimensions: give one for all, or one per dimension");
    for (std::size_t t = 0; t < d; ++t)
        m_caps[t] = std::min(m_caps[t], highestLevelOf(m_treatments[t]) + 1);
    constexpr int mostBits = 60; // so that counts of points fit into 64 bits, and tables are small
    if (highestDenseSum() > mostBits)
        throw Error("dimensions that count nothing in the level sum, like time, have more than 2^"
                    + std::to_string(mostBits) + " points together: lower their caps");
    m_degrees = degreesFor(m_treatments, std::move(degrees));
}

GridShape::GridShape(int dimension, int level, BoundaryTreatment treatment)
    : GridShape(dimension, level, {}, {treatment})
{
}

int GridShape::highestDenseSum() const
{
    int sum = 0;
    for (std::size_t t = 0; t < m_caps.size(); ++t)
        sum += contains(m_dense, t) ? m_caps[t] - 1 : 0;
    return sum;
}

LevelVectorCounts::LevelVectorCounts(const GridShape &shape)
    : m_dimension(static_cast<std::size_t>(shape.dimension()))
    , m_groups(static_cast<std::size_t>(shape.level()))
    , m_denseSums(static_cast<std::size_t>(shape.highestDenseSum()) + 1)
{
    m_counts.assign(indexOf(m_dimension + 1, 0, 0, 0), 0);
    m_counts[indexOf(0, 0, 0, 0)] = 1;
    for (std::size_t t = 0; t < m_dimension; ++t)
        addDimension(shape, t);
}

void LevelVectorCounts::addDimension(const GridShape &shape, std::size_t t)
{
    const auto cap = static_cast<std::size_t>(shape.caps()[t]);
    const bool hasEnds = hasEndPoints(shape.treatments()[t]);
    const bool isDense = contains(shape.dense(), t);
    const auto add = [&](std::uint64_t count, std::size_t index) {
        m_counts[index] = saturatingAdd(m_counts[index], count);
    };
    for (std::size_t free = 0; free <= t; ++free) {
        for (std::size_t group = 0; group < m_groups; ++group) {
            for (std::size_t dense = 0; dense < m_denseSums; ++dense) {
                const auto count = m_counts[indexOf(t, free, group, dense)];
                if (count == 0)
                    continue;
                if (hasEnds)
                    add(count, indexOf(t + 1, free, group, dense));
                for (std::size_t l = 0; l < cap && (isDense || group + l < m_groups); ++l)
                    add(count, indexOf(t + 1, free + 1, isDense ? group : group + l,
                                       isDense ? dense + l : dense));
            }
        }
    }
}

std::uint64_t LevelVectorCounts::operator()(int dimensions, int free, LevelSums sums) const
{
    if (free < 0 || free > dimensions || sums.group < 0 || sums.dense < 0)
        return 0;
    const auto group = static_cast<std::size_t>(sums.group);
    const auto dense = static_cast<std::size_t>(sums.dense);
    if (group >= m_groups || dense >= m_denseSums)
        return 0;
    return m_counts[indexOf(static_cast<std::size_t>(dimensions), static_cast<std::size_t>(free),
                            group, dense)];
}

GridCount countGrid(const GridShape &shape)
try {
    // Of the dimensions so far, by |l|_1 of those that are not dense. No count is larger than one
    // that it becomes a part of.
    std::vector<GridCount> counts(static_cast<std::size_t>(shape.level()));
    counts[0] = {1, 1};
    for (std::size_t t = 0; t < shape.caps().size(); ++t) {
        const auto treatment = shape.treatments()[t];
        std::vector<GridCount> next(counts.size());
        for (std::size_t sum = 0; sum < counts.size(); ++sum) {
            const auto &before = counts[sum];
            for (int level = lowestLevel(treatment); level < shape.caps()[t]; ++level) {
                const auto with =
                    sum
                    + (contains(shape.dense(), t) ? 0U
                                                  : static_cast<std::size_t>(std::max(level, 0)));
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
