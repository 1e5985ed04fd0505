// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/start_field.h"

#include "core/solvers/setup/problem_text.h"
#include "core/support/checked_math.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace gridhelm::solvers {
namespace {

/// Where values are wanted, and what is known beyond the outermost points of a field.
struct Wanted
{
    int dimension = 3;
    std::array<std::size_t, 3> points{1, 1, 1};
    std::array<double, 3> origin{}; ///< of the first point
    double spacing = 1;
    std::array<double, 3> low{}, high{};                 ///< the box that has to be covered
    const std::array<SideCondition, 6> *sides = nullptr; ///< none: nothing is known there

    double at(std::size_t axis, std::size_t index) const
    {
        return origin[axis] + spacing * static_cast<double>(index);
    }
};

/// The field's points along one axis, and the sides beyond them where these are further out.
struct Axis
{
    std::vector<double> coordinates;
    bool hasLowSide = false;
    bool hasHighSide = false;
    std::size_t points = 1; ///< of the field

    /// The field's point, or the one next to a side.
    std::size_t pointAt(std::size_t index) const
    {
        return std::min(index - (hasLowSide && index > 0 ? 1 : 0), points - 1);
    }
    bool isLowSide(std::size_t index) const { return hasLowSide && index == 0; }
    bool isHighSide(std::size_t index) const
    {
        return hasHighSide && index + 1 == coordinates.size();
    }
};

/// A place between two coordinates of an axis.
struct Between
{
    std::size_t below = 0;
    std::size_t above = 0;
    double share = 0; ///< of the upper one
};

Axis axisOf(const StartField &field, const Wanted &wanted, std::size_t axis)
{
    constexpr double roundOff = 1e-6; // of a spacing
    const double spacing = field.grid.spacing;
    const double first = field.grid.origin[axis];
    Axis result;
    result.points = field.grid.points[axis];
    const double last = first + spacing * static_cast<double>(result.points - 1);
    const double slack = spacing * ((wanted.sides != nullptr ? 1 : 0) + roundOff);
    if (first > wanted.low[axis] + slack || last < wanted.high[axis] - slack)
        throw Error(fmt::format("{} reaches from {:.4g} to {:.4g} in {}, and the grid from {:.4g} "
                                "to {:.4g}: a run begins with a field at all of its points",
                                field.name, first, last, "xyz"[axis], wanted.low[axis],
                                wanted.high[axis]));
    result.hasLowSide = wanted.sides != nullptr && first > wanted.low[axis] + roundOff * spacing;
    result.hasHighSide = wanted.sides != nullptr && last < wanted.high[axis] - roundOff * spacing;
    if (result.hasLowSide)
        result.coordinates.push_back(wanted.low[axis]);
    for (std::size_t i = 0; i < result.points; ++i)
        result.coordinates.push_back(first + spacing * static_cast<double>(i));
    if (result.hasHighSide)
        result.coordinates.push_back(wanted.high[axis]);
    return result;
}

std::vector<Between> placesAlong(const Axis &axis, const Wanted &wanted, std::size_t direction)
{
    const auto &all = axis.coordinates;
    std::vector<Between> places(wanted.points[direction]);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double x = std::clamp(wanted.at(direction, i), all.front(), all.back());
        const auto above =
            static_cast<std::size_t>(std::upper_bound(all.begin(), all.end(), x) - all.begin());
        if (above == all.size()) {
            places[i] = {above - 1, above - 1, 0};
            continue;
        }
        const double share = (x - all[above - 1]) / (all[above] - all[above - 1]);
        places[i] = {above - 1, above, share};
    }
    return places;
}

/// A field with the sides around it, at any place of the grid that is wanted.
class Interpolation
{
public:
    Interpolation(const StartField &field, const Wanted &wanted)
        : m_field(field)
        , m_wanted(wanted)
    {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (axis < static_cast<std::size_t>(wanted.dimension))
                m_axes[axis] = axisOf(field, wanted, axis);
            else
                m_axes[axis].coordinates = {0};
            m_places[axis] = placesAlong(m_axes[axis], wanted, axis);
        }
    }

    double at(const std::array<std::size_t, 3> &point) const
    {
        double sum = 0;
        for (unsigned corner = 0; corner < 8; ++corner) {
            double weight = 1;
            std::array<std::size_t, 3> index{};
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const auto &place = m_places[axis][point[axis]];
                const bool isAbove = (corner >> axis & 1U) != 0;
                index[axis] = isAbove ? place.above : place.below;
                weight *= isAbove ? place.share : 1 - place.share;
            }
            if (weight > 0) // an infinite time that does not count is none
                sum += weight * valueAt(index);
        }
        return sum;
    }

private:
    /// Of a point of the field, or of the side beyond it: the value that is given there (between
    /// two such sides the mean), or what the flux makes of the nearest point's.
    double valueAt(const std::array<std::size_t, 3> &index) const
    {
        std::array<std::size_t, 3> point{};
        double given = 0, slope = 0;
        int sides = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto &along = m_axes[axis];
            point[axis] = along.pointAt(index[axis]);
            const bool isHigh = along.isHighSide(index[axis]);
            if (!isHigh && !along.isLowSide(index[axis]))
                continue;
            const auto &side = (*m_wanted.sides)[2 * axis + (isHigh ? 1 : 0)];
            if (side.kind == SideKind::dirichlet) {
                given += side.value;
                ++sides;
            } else {
                const auto inside = isHigh ? index[axis] - 1 : index[axis] + 1;
                slope += side.value
                         * std::abs(along.coordinates[index[axis]] - along.coordinates[inside]);
            }
        }
        const auto &n = m_field.grid.points;
        return sides > 0 ? given / sides
                         : m_field.values[(point[2] * n[1] + point[1]) * n[0] + point[0]] + slope;
    }

    const StartField &m_field;
    const Wanted &m_wanted;
    std::array<Axis, 3> m_axes;
    std::array<std::vector<Between>, 3> m_places;
};

/// For one value for each point; returns how many there are.
std::uint64_t requireRoom(const std::array<std::size_t, 3> &points)
{
    const auto count = checkedMultiply(checkedMultiply(points[0], points[1]), points[2]);
    requireMemory(static_cast<double>(checkedMultiply(count, sizeof(double))),
                  "the field that a run begins with", "choose a smaller grid");
    return count;
}

std::vector<double> valuesAt(const Wanted &wanted, const StartField &field)
{
    const auto &n = wanted.points;
    if (field.grid.points == n)
        return field.values;
    if ((field.grid.points[2] > 1) != (wanted.dimension == 3))
        throw Error(fmt::format("{} holds {} points, and the grid has {} dimensions: a run begins "
                                "with a field of as many",
                                field.name, describeSize(field.grid.points, 3), wanted.dimension));
    const auto count = requireRoom(n);
    const Interpolation interpolation(field, wanted);
    std::vector<double> values;
    values.reserve(count);
    for (std::size_t k = 0; k < n[2]; ++k) {
        for (std::size_t j = 0; j < n[1]; ++j) {
            for (std::size_t i = 0; i < n[0]; ++i)
                values.push_back(interpolation.at({i, j, k}));
        }
    }
    return values;
}

Wanted wantedBy(const PoissonProblem &problem)
{
    Wanted wanted{.dimension = problem.dimension,
                  .points = problem.unknowns,
                  .origin = firstUnknown(problem),
                  .spacing = problem.spacing,
                  .sides = &problem.sides};
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(problem.dimension); ++axis) {
        const bool isDirichlet = problem.sides[2 * axis + 1].kind == SideKind::dirichlet;
        wanted.high[axis] =
            wanted.at(axis, problem.unknowns[axis] - 1) + problem.spacing * (isDirichlet ? 1 : 0.5);
    }
    return wanted;
}

Wanted wantedBy(const PmmProblem &problem)
{
    const auto &n = problem.nodes;
    Wanted wanted{
        .points = n, .origin = problem.origin, .spacing = problem.spacing, .low = problem.origin};
    wanted.high = problem.position(n[0] - 1, n[1] - 1, n[2] - 1);
    return wanted;
}

std::vector<double> placesOf(const Wanted &wanted)
{
    const auto &n = wanted.points;
    const auto count = checkedMultiply(checkedMultiply(n[0], n[1]), n[2]);
    requireMemory(static_cast<double>(checkedMultiply(count, 3 * sizeof(double))),
                  "the points of the start", "choose a smaller grid");
    std::vector<double> places;
    places.reserve(3 * count);
    for (std::size_t k = 0; k < n[2]; ++k) {
        for (std::size_t j = 0; j < n[1]; ++j) {
            for (std::size_t i = 0; i < n[0]; ++i)
                places.insert(places.end(), {wanted.at(0, i), wanted.at(1, j),
                                             wanted.dimension == 3 ? wanted.at(2, k) : 0.0});
        }
    }
    return places;
}

} // namespace

StartField readStartField(const std::string &path, const std::string &array,
                          const std::array<std::size_t, 3> &points)
{
    requireRoom(points);
    auto image = readVti(path);
    const auto chosen = array.empty() ? image.arrays.begin()
                                      : std::ranges::find(image.arrays, array, &ImageArray::name);
    if (chosen == image.arrays.end()) {
        std::string names;
        for (const auto &each : image.arrays)
            names += (names.empty() ? "" : ", ") + each.name;
        throw Error(fmt::format("{} has no field \"{}\": it has {}", path, array, names));
    }
    requireMemory(static_cast<double>(checkedMultiply(image.grid.count(), sizeof(double))), path,
                  "close other programs");
    return {
        path, image.grid,
        std::visit(
            [](const auto &values) { return std::vector<double>(values.begin(), values.end()); },
            chosen->values)};
}

std::vector<double> startingValues(const PoissonProblem &problem, const StartField &field)
{
    const auto bad =
        std::ranges::find_if_not(field.values, [](double v) { return std::isfinite(v); });
    if (bad != field.values.end())
        throw Error(fmt::format("{} holds a value that is not a finite number, {} at point {}: a "
                                "run cannot begin with it",
                                field.name, *bad, bad - field.values.begin()));
    return valuesAt(wantedBy(problem), field);
}

std::vector<double> startingTimes(const PmmProblem &problem, const StartField &field)
{
    return valuesAt(wantedBy(problem), field);
}

std::vector<double> placesOf(const PoissonProblem &problem)
{
    return placesOf(wantedBy(problem));
}

std::vector<double> placesOf(const PmmProblem &problem)
{
    return placesOf(wantedBy(problem));
}

} // namespace gridhelm::solvers
