// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/grid_options.h"
#include "app/cli/output.h"
#include "core/sparse/sparse_grid.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>

#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>

namespace gridhelm::cli {
namespace {

struct PointsOptions
{
    GridOptions grid;
    std::string first = "0";
    std::string count;
    std::string output;
};

void run(const GlobalOptions &global, const PointsOptions &options)
{
    const sparse::SparseGrid grid(gridShape(options.grid));
    const std::uint64_t first = parseIndex(options.first, "--first");
    if (first >= grid.points())
        throw Error(fmt::format("--first {} is beyond the grid's {} points: choose 0 to {}", first,
                                grid.points(), grid.points() - 1));
    const std::uint64_t rest = grid.points() - first;
    const std::uint64_t count = options.count.empty() ? rest : parseIndex(options.count, "--count");
    if (count > rest)
        throw Error(fmt::format(
            "--count {} is more than the {} points from --first on: choose less", count, rest));

    // Piece by piece: the list of a large grid may be larger than the memory.
    std::optional<OutputFile> file;
    if (!options.output.empty())
        file.emplace(options.output);
    TextSink sink(file ? &*file : nullptr);
    std::vector<double> x(static_cast<std::size_t>(grid.dimension()));
    if (global.json)
        sink.write("{\"points\": [");
    std::string line;
    for (std::uint64_t index = first; index < first + count; ++index) {
        grid.coordinates(index, x);
        line.clear();
        if (global.json)
            line += index == first ? "\n[" : ",\n[";
        for (std::size_t t = 0; t < x.size(); ++t)
            fmt::format_to(std::back_inserter(line), "{}{}", t == 0 ? "" : ",", x[t]);
        line += global.json ? "]" : "\n";
        sink.write(line);
    }
    if (global.json)
        sink.write("\n]}\n");
    sink.close();
    if (file)
        file->commit();
}

} // namespace

void addGridPointsCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "points", "The points of a grid in storage order, as CSV: sample your function there");
    const auto options = std::make_shared<PointsOptions>();
    addGridOptions(command, options->grid);
    command.add_option("--first", options->first, "Index of the first point to print")
        ->type_name("I")
        ->capture_default_str();
    command.add_option("--count", options->count, "Number of points to print (default: the rest)")
        ->type_name("N");
    command.add_option("--output", options->output, "Write to this file instead of stdout")
        ->type_name("FILE");
    command.footer(R"(
One point a line, its coordinates in [0, 1] separated by commas: scale them to the ranges of your
parameters, and write the function's values in the same order for "grid interpolate --values".

Examples:
  gridhelm-cli grid points --dim 2 --level 4 --boundary boundary --output points.csv
  gridhelm-cli grid points --dim 6 --level 5 --first 100 --count 10
  gridhelm-cli grid points --dim 2 --level 3 --json)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
