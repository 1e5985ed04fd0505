// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/nearest_point.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gridhelm::sparse {

namespace {

/// What the position of x among the points of a level would be, if it was one of them.
double positionOf(BoundaryTreatment treatment, int level, double x)
{
    const int cells = cellLevel(treatment, level);
    if (cells >= 0)
        return (x * std::ldexp(1.0, cells + 1) - 1) / 2;
    return bitsOfLevel(treatment, static_cast<Level>(level)) == 0 ? 0 : x; // the ends are 0 and 1
}

} // namespace

std::optional<std::uint64_t> pointNear(const SparseGrid &grid, std::span<const double> x,
                                       double tolerance)
{
    const auto d = static_cast<std::size_t>(grid.dimension());
    std::vector<Level> levels(d);
    std::vector<std::uint32_t> positions(d);
    for (std::size_t t = 0; t < d; ++t) {
        bool found = false;
        for (int level = lowestLevel(grid.treatment(static_cast<int>(t)));
             level <= grid.highestLevel(static_cast<int>(t)) && !found; ++level) {
            const auto points =
                pointsOfLevel(grid.treatment(static_cast<int>(t)), static_cast<Level>(level));
            const double last = static_cast<double>(points) - 1;
            const double position =
                std::round(positionOf(grid.treatment(static_cast<int>(t)), level, x[t]));
            if (!(position >= 0 && position <= last))
                continue;
            levels[t] = static_cast<Level>(level);
            positions[t] = static_cast<std::uint32_t>(position);
            found = std::abs(pointCoordinate(grid.treatment(static_cast<int>(t)), levels[t],
                                             positions[t])
                             - x[t])
                    <= tolerance;
        }
        if (!found)
            return std::nullopt;
    }
    if (!grid.findBlock(levels))
        return std::nullopt;
    return grid.gp2idx(levels, positions);
}

NearestCoordinate nearestCoordinate(const SparseGrid &grid, int t, double x)
{
    const int highest = std::max(grid.highestLevel(t), 0);
    if (grid.treatment(t) != BoundaryTreatment::leja) {
        const double steps = stepsOf(grid, t), scaled = x * steps;
        return {std::round(scaled) / steps, std::abs(scaled - std::round(scaled))};
    }
    std::vector<double> coordinates{0, 1};
    for (int level = 0; level <= highest; ++level)
        coordinates.push_back(pointCoordinate(grid.treatment(t), static_cast<Level>(level), 0));
    const auto distanceTo = [](double place) {
        return [place](double coordinate) { return std::abs(coordinate - place); };
    };
    const double nearest = *std::ranges::min_element(coordinates, {}, distanceTo(x));
    std::erase(coordinates, nearest);
    const double neighbour = *std::ranges::min_element(coordinates, {}, distanceTo(nearest));
    return {nearest, std::abs(x - nearest) / std::abs(neighbour - nearest)};
}

double stepsOf(const SparseGrid &grid, int t)
{
    const int highest = std::max(grid.highestLevel(t), 0);
    if (grid.treatment(t) == BoundaryTreatment::leja)
        return highest + 2;
    return std::ldexp(1.0, hasCells(grid.treatment(t)) ? highest + 1 : std::max(highest, 1));
}

} // namespace gridhelm::sparse
