// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stencil/stencil.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace gridhelm::stencil {
namespace {

constexpr std::size_t mostPoints = std::size_t{1} << 40;

void requireGrid(const Stencil &stencil)
{
    if (stencil.dimension != 2 && stencil.dimension != 3)
        throw Error("a stencil has 2 or 3 dimensions; choose one of them");
    double count = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto n = stencil.points[axis];
        if (n < 1 || n > mostPoints)
            throw Error("a grid has at least one point in each direction, and at most 2^40; choose "
                        "such sizes");
        count *= static_cast<double>(n);
    }
    if (count > static_cast<double>(mostPoints))
        throw Error(fmt::format("{:.3g} points are more than a grid can have (2^40); choose "
                                "smaller sizes",
                                count));
    if (!(stencil.spacing > 0) || !std::isfinite(stencil.spacing))
        throw Error("the spacing is not a positive number; choose one");
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(stencil.dimension); ++axis) {
        const bool low = stencil.sides[2 * axis].rule == SideRule::periodic;
        const bool high = stencil.sides[2 * axis + 1].rule == SideRule::periodic;
        if (low != high)
            throw Error("one of two opposite sides is periodic alone; make both of them periodic, "
                        "or none");
    }
}

/// Also once they are rounded to the stencil's precision.
void requireNumbers(const Stencil &stencil)
{
    const bool isFloat = stencil.precision == solvers::Precision::float32;
    const auto require = [isFloat](double number, const char *what) {
        if (!std::isfinite(isFloat ? static_cast<float>(number) : number))
            throw Error(
                fmt::format("{} has a number that is not finite, or too large for {}; choose "
                            "a smaller one",
                            what, isFloat ? "float" : "double"));
    };
    for (const auto &neighbour : stencil.neighbours) {
        for (const auto &node : neighbour.weight.nodes())
            require(node.number, "a weight");
    }
    for (const auto &side : stencil.sides)
        require(ghostRise<double>(stencil, {side.rule, side.number}, largestRadius) + side.number,
                "a side");
    require(stencil.source.factor, "the source's factor");
}

void requireLists(const Stencil &stencil)
{
    if (stencil.coefficients.size() > mostCoefficients)
        throw Error(fmt::format("{} coefficients are too many (at most {}); put some together",
                                stencil.coefficients.size(), mostCoefficients));
    const auto requireLength = [&](const ScalarField &field) {
        const auto *list = std::get_if<std::vector<double>>(&field);
        if (list && list->size() != stencil.count())
            throw Error(fmt::format("a list of {} values is not for a grid of {} points; give one "
                                    "value for each",
                                    list->size(), stencil.count()));
    };
    for (const auto &coefficient : stencil.coefficients)
        requireLength(coefficient);
    requireLength(stencil.start);
    if (stencil.source.field)
        requireLength(*stencil.source.field);
}

} // namespace

int sideBySideOf(const Stencil &stencil, bool isWide)
{
    constexpr std::size_t few = 8, some = 20, many = 32;
    constexpr int far = 3;
    const auto neighbours = stencil.neighbours.size();
    if (stencil.target.sideBySide > 0)
        return stencil.target.sideBySide;
    if (stencil.dimension == 2)
        return 4;
    // In 3D the more layers are read together, the fewer are read twice; large stencils wait for
    // their arithmetic, though.
    if (!isWide)
        return neighbours <= few ? 8 : neighbours <= some ? 4 : 1;
    // Where registers hold what layers share, fewer are enough, but for those that reach far.
    if (radiusOf(stencil) >= far && neighbours <= many)
        return 8;
    return neighbours <= some ? 4 : 2;
}

int radiusOf(const Stencil &stencil)
{
    int radius = 0;
    for (const auto &neighbour : stencil.neighbours) {
        for (const int distance : neighbour.at)
            radius = std::max(radius, std::abs(distance));
    }
    return radius;
}

void requireStencil(const Stencil &stencil)
{
    requireGrid(stencil);
    if (stencil.neighbours.empty())
        throw Error("a stencil without neighbours computes nothing; name at least one");
    if (stencil.neighbours.size() > mostNeighbours)
        throw Error(fmt::format("{} neighbours are too many (at most {}); leave some out",
                                stencil.neighbours.size(), mostNeighbours));
    std::set<std::array<int, 3>> places;
    for (const auto &neighbour : stencil.neighbours) {
        for (const int distance : neighbour.at) {
            if (distance < -largestRadius || distance > largestRadius)
                throw Error(fmt::format("a neighbour is too far away (at most {} points in each "
                                        "direction); choose a smaller stencil",
                                        largestRadius));
        }
        if (stencil.dimension == 2 && neighbour.at[2] != 0)
            throw Error("a neighbour in z is not for 2 dimensions; leave it out");
        if (!places.insert(neighbour.at).second)
            throw Error("a neighbour is named twice; add its weights up");
    }
    requireNumbers(stencil);
    // Each is a statement for a compiler, some times over.
    constexpr std::size_t mostNodes = 4000;
    std::size_t nodes = 0;
    for (const auto &neighbour : stencil.neighbours)
        nodes += neighbour.weight.nodes().size();
    if (nodes > mostNodes)
        throw Error(fmt::format("the weights have {} numbers, names and operations, which are too "
                                "many (at most {}); make coefficients of what they share",
                                nodes, mostNodes));
    const auto radius = static_cast<std::size_t>(radiusOf(stencil));
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(stencil.dimension); ++axis) {
        if (stencil.points[axis] < std::max<std::size_t>(radius, 1))
            throw Error(fmt::format("{} points in a direction are too few for neighbours {} points "
                                    "away; choose a larger grid",
                                    stencil.points[axis], radius));
    }
    requireLists(stencil);
}

} // namespace gridhelm::stencil
