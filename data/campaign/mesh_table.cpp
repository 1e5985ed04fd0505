// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/mesh_table.h"

#include "core/support/checked_math.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::data {

namespace {

/// Beyond it, a snapshot of one field takes more than half a gigabyte.
constexpr std::uint64_t maxNodes = std::uint64_t{1} << 27;

/// One number for each direction.
std::optional<std::array<double, 3>> readPlace(PlanTable &table, const std::string &key,
                                               std::size_t directions)
{
    if (!table.has(key))
        return std::nullopt;
    const auto numbers = table.numbers(key);
    if (numbers.size() != directions)
        table.fail(key,
                   "does not have as many numbers as points has; write one for each direction, "
                   "like "
                       + key + (directions == 2 ? " = [0, 0]" : " = [0, 0, 0]"));
    std::array<double, 3> place{};
    std::ranges::copy(numbers, place.begin());
    return place;
}

BackgroundGrid readBackground(PlanTable &table)
{
    BackgroundGrid grid;
    const auto points = table.numbers("points");
    if (points.size() < 2 || points.size() > 3)
        table.fail("points", "does not say how fine the background grid is; write the number of "
                             "its points in each direction, like points = [65, 65]");
    std::uint64_t nodes = 1;
    for (std::size_t t = 0; t < points.size(); ++t) {
        if (!(points[t] >= 1 && points[t] <= 65536) || points[t] != std::floor(points[t]))
            table.fail("points", "holds a number that is not a count from 1 to 65536; correct it");
        grid.points.at(t) = static_cast<std::size_t>(points[t]);
        nodes = checkedMultiply(nodes, grid.points.at(t));
    }
    if (nodes > maxNodes)
        table.fail("points", "make " + std::to_string(nodes) + " nodes, and "
                                 + std::to_string(maxNodes) + " are the most; take fewer");
    if (std::ranges::count(grid.points, std::size_t{1}) > 1)
        table.fail("points", "make no grid; give at least two directions several points");
    grid.low = readPlace(table, "low", points.size());
    grid.high = readPlace(table, "high", points.size());
    for (std::size_t t = 0; grid.low && grid.high && t < points.size(); ++t)
        if (grid.points.at(t) > 1 && !((*grid.low).at(t) < (*grid.high).at(t)))
            table.fail("high", "is not above low in every direction; correct them");
    return grid;
}

MeshKind parseMeshKind(const PlanTable &table, const std::string &text)
{
    for (const auto kind :
         {MeshKind::shared, MeshKind::resampled, MeshKind::moving, MeshKind::background})
        if (text == toString(kind))
            return kind;
    table.fail("kind", "is '" + text
                           + "'; choose \"shared\" (all runs have one mesh; the default), "
                             "\"resampled\", \"moving\" or \"background\"");
}

} // namespace

MeshHandling readMesh(PlanTable &root, PlanTable &simulation, StudyKind kind,
                      std::string_view source)
{
    MeshHandling handling;
    const bool resample = simulation.flag("resample");
    if (resample)
        handling.kind = MeshKind::resampled;
    const auto *found = root.table("mesh");
    if (!found)
        return handling;
    PlanTable table(*found, "[mesh]", source);
    if (resample)
        simulation.fail("resample", "stands beside [mesh]; take it out");
    if (kind == StudyKind::scalar)
        root.fail("mesh", "belongs to studies of snapshots; the runs of a scalar study share one "
                          "image, so take it out");
    const auto text = table.text("kind");
    if (!text)
        table.fail("", "has no kind; add kind = \"moving\", say");
    handling.kind = parseMeshKind(table, *text);
    if (handling.kind == MeshKind::background)
        handling.background = readBackground(table);
    table.refuseUnknown();
    return handling;
}

} // namespace gridhelm::data
