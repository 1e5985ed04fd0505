// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/grid_projection.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace gridhelm::ui {
namespace {

constexpr std::uint64_t maxPlaces = 20'000;  // more is grey
constexpr std::uint64_t maxPoints = 500'000; // to look at, for a picture that keeps up

int groupOf(sparse::Level level)
{
    return std::max<int>(level, 0);
}

/// Coordinates are multiples of 2^-31 at least.
std::uint64_t keyOf(double across, double up)
{
    const auto whole = [](double x) { return static_cast<std::uint64_t>(std::ldexp(x, 31)); };
    return whole(across) << 32 | whole(up);
}

} // namespace

GridProjection projectPlan(const ParameterSpace &space, int level, std::size_t across,
                           std::size_t up)
{
    std::vector<Parameter> shown{space[across]};
    if (up != across)
        shown.push_back(space[up]);
    const ParameterSpace two(std::move(shown));
    GridProjection projection;
    int drawn = level;
    while (drawn > 1 && sparse::countGrid(two.shape(drawn)).points > maxPlaces)
        --drawn;
    projection.isWhole = drawn == level;
    const sparse::SparseGrid grid(two.shape(drawn));
    const auto dimension = static_cast<std::size_t>(grid.dimension());
    std::vector<sparse::Level> levels(dimension);
    std::vector<std::uint32_t> positions(dimension);
    for (std::uint64_t point = 0; point < grid.points(); ++point) {
        grid.idx2gp(point, levels, positions);
        const auto along = [&](std::size_t t) {
            return sparse::pointCoordinate(grid.treatments()[t], levels[t], positions[t]);
        };
        const double x = along(0), y = up != across ? along(1) : 0.5;
        const int group = sparse::levelSum(levels);
        projection.places.push_back({x, y, group});
        projection.groups = std::max(projection.groups, group + 1);
    }
    std::ranges::stable_sort(projection.places, {}, &GridPlace::group);
    return projection;
}

GridProjection projectStudy(const sparse::SparseGrid &grid, std::span<const PointState> states,
                            std::size_t across, std::size_t up)
{
    GridProjection projection;
    projection.hasStates = true;
    int groups = grid.groups();
    while (groups > 1 && grid.groupFirstPoint(groups) > maxPoints)
        --groups;
    projection.isWhole = groups == grid.groups();
    const auto dimension = static_cast<std::size_t>(grid.dimension());
    std::vector<sparse::Level> levels(dimension);
    std::vector<std::uint32_t> positions(dimension);
    std::unordered_map<std::uint64_t, std::size_t> placeOf;
    const auto count = std::min<std::uint64_t>(grid.groupFirstPoint(groups), states.size());
    for (std::uint64_t point = 0; point < count; ++point) {
        grid.idx2gp(point, levels, positions);
        const auto along = [&](std::size_t t) {
            return sparse::pointCoordinate(grid.treatments()[t], levels[t], positions[t]);
        };
        const double x = along(across), y = up != across ? along(up) : 0.5;
        const auto [found, isNew] = placeOf.try_emplace(keyOf(x, y), projection.places.size());
        if (isNew) {
            const int group = groupOf(levels[across]) + (up != across ? groupOf(levels[up]) : 0);
            projection.places.push_back({x, y, group});
            projection.groups = std::max(projection.groups, group + 1);
        }
        auto &place = projection.places[found->second];
        ++place.points;
        place.snapshots += states[point] != PointState::missing;
        place.coefficients += states[point] == PointState::coefficient;
    }
    std::ranges::stable_sort(projection.places, {}, &GridPlace::group);
    if (projection.places.size() > maxPlaces) {
        projection.places.resize(maxPlaces);
        projection.isWhole = false;
    }
    return projection;
}

GridProjection projectRuns(std::span<const std::vector<double>> places,
                           std::span<const PointState> states, std::size_t across, std::size_t up)
{
    GridProjection projection;
    projection.hasStates = !states.empty();
    projection.groups = 1;
    for (std::size_t i = 0; i < places.size(); ++i) {
        GridPlace place{places[i][across], up != across ? places[i][up] : 0.5, 0};
        if (projection.hasStates) {
            place.points = 1;
            place.snapshots = states[i] != PointState::missing;
            place.coefficients = states[i] == PointState::coefficient;
        }
        projection.places.push_back(place);
    }
    return projection;
}

} // namespace gridhelm::ui
