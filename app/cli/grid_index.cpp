// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/grid_options.h"
#include "app/cli/output.h"
#include "core/sparse/nearest_point.h"
#include "core/sparse/sparse_grid.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace gridhelm::cli {
namespace {

using sparse::Level;
using sparse::SparseGrid;

struct IndexOptions
{
    GridOptions grid;
    std::string index;
    std::string coordinates;
    std::string levels;
    std::string positions;
};

void requireLength(std::size_t length, const SparseGrid &grid, const char *option)
{
    if (length != static_cast<std::size_t>(grid.dimension()))
        throw Error(fmt::format("{} has {} numbers, but the grid has {} dimensions: give one per "
                                "dimension",
                                option, length, grid.dimension()));
}

std::uint64_t indexOfLevels(const SparseGrid &grid, const IndexOptions &options)
{
    const auto levels = parseIntegers(options.levels, "--levels");
    const auto positions = parseIndices(options.positions, "--positions");
    requireLength(levels.size(), grid, "--levels");
    requireLength(positions.size(), grid, "--positions");
    std::vector<Level> levelVector;
    std::vector<std::uint32_t> position;
    for (const int level : levels) {
        constexpr int highest = sparse::highestLevelOf(sparse::BoundaryTreatment::leja);
        if (level < -1 || level > highest)
            throw Error(fmt::format("level {} is not possible: levels go from -1 (the end points) "
                                    "to {}",
                                    level, highest));
        levelVector.push_back(static_cast<Level>(level));
    }
    for (const std::uint64_t p : positions) {
        if (p > std::numeric_limits<std::uint32_t>::max())
            throw Error(fmt::format("position {} is beyond the points of every level", p));
        position.push_back(static_cast<std::uint32_t>(p));
    }
    return grid.gp2idx(levelVector, position);
}

/// A coordinate tells its level: it is an odd multiple of 2^-(level + 1), or an end point.
std::uint64_t indexOfCoordinates(const SparseGrid &grid, const std::string &text)
{
    std::vector<double> x;
    parseReals(text, "--at", x);
    requireLength(x.size(), grid, "--at");
    if (!std::ranges::all_of(grid.treatments(), sparse::hasCells)) {
        constexpr double roundOff = 1e-12; // coordinates of leja have many digits
        if (const auto point = sparse::pointNear(grid, x, roundOff))
            return *point;
        throw Error("no point of this grid is at " + text
                    + ": gridhelm-cli grid points lists them");
    }
    std::vector<Level> levels;
    std::vector<std::uint32_t> positions;
    for (const double coordinate : x) {
        if (!(coordinate >= 0.0 && coordinate <= 1.0))
            throw Error(fmt::format("coordinate {} is outside [0, 1]: scale the point to the unit "
                                    "cube",
                                    coordinate));
        int level = -1;
        double scaled = coordinate; // x 2^(level + 1)
        while (scaled != std::floor(scaled) && level < sparse::maximumLevel) {
            scaled *= 2.0;
            ++level;
        }
        if (level == sparse::maximumLevel)
            throw Error(fmt::format("coordinate {} belongs to no point of a sparse grid: "
                                    "coordinates are multiples of a power of 1/2",
                                    coordinate));
        levels.push_back(static_cast<Level>(level));
        positions.push_back(static_cast<std::uint32_t>(level < 0 ? scaled : (scaled - 1.0) / 2.0));
    }
    return grid.gp2idx(levels, positions);
}

nlohmann::json describePoint(const SparseGrid &grid, std::uint64_t index)
{
    const auto d = static_cast<std::size_t>(grid.dimension());
    std::vector<Level> levels(d);
    std::vector<std::uint32_t> positions(d);
    std::vector<double> x(d);
    grid.idx2gp(index, levels, positions);
    grid.coordinates(index, x);
    return {{"index", index},
            {"level", std::vector<int>(levels.begin(), levels.end())},
            {"position_in_level", positions},
            {"x", x}};
}

void run(const GlobalOptions &global, const IndexOptions &options)
{
    const bool byIndex = !options.index.empty();
    const bool byCoordinates = !options.coordinates.empty();
    const bool byLevels = !options.levels.empty() || !options.positions.empty();
    if (int{byIndex} + int{byCoordinates} + int{byLevels} != 1)
        throw Error("say which point in one way: --index, --at, or --levels with --positions");

    const SparseGrid grid(gridShape(options.grid));
    std::vector<std::uint64_t> indices;
    if (byIndex)
        indices = parseIndices(options.index, "--index");
    else if (byCoordinates)
        indices = {indexOfCoordinates(grid, options.coordinates)};
    else
        indices = {indexOfLevels(grid, options)};

    nlohmann::json points = nlohmann::json::array();
    std::string text;
    for (const std::uint64_t index : indices) {
        const nlohmann::json point = describePoint(grid, index);
        text += fmt::format("index {}  level {}  position {}  x {}\n", index,
                            fmt::join(point["level"].get<std::vector<int>>(), ","),
                            fmt::join(point["position_in_level"].get<std::vector<int>>(), ","),
                            fmt::join(point["x"].get<std::vector<double>>(), ","));
        points.push_back(point);
    }
    if (global.json)
        printJson({{"points", points}});
    else
        printText(text);
}

} // namespace

void addGridIndexCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "index", "Where a point stands in storage order, and which point stands at an index");
    const auto options = std::make_shared<IndexOptions>();
    addGridOptions(command, options->grid);
    command.add_option("--index", options->index, "Indices in storage order, from 0")
        ->type_name("I[,...]");
    command.add_option("--at", options->coordinates, "Coordinates of a grid point")
        ->type_name("X1,...,XD");
    command.add_option("--levels", options->levels, "Level vector of a grid point")
        ->type_name("L1,...,LD");
    command
        .add_option("--positions", options->positions,
                    "Its position among the points of each level, from 0")
        ->type_name("P1,...,PD");
    command.footer(R"(
The point at position p of level l has the coordinate (2 p + 1) / 2^(l + 1); level -1 holds the end
points 0 (p = 0) and 1 (p = 1) of a dimension with --boundary boundary.

Examples:
  gridhelm-cli grid index --dim 2 --level 5 --index 0,17
  gridhelm-cli grid index --dim 2 --level 5 --at 0.5,0.3125
  gridhelm-cli grid index --dim 2 --level 5 --boundary boundary --levels 2,-1 --positions 3,1)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
