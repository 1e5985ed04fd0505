// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/grid_options.h"
#include "app/cli/output.h"
#include "core/support/checked_math.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace gridhelm::cli {
namespace {

void run(const GlobalOptions &global, const GridOptions &options)
{
    const sparse::GridCount count = sparse::countGrid(gridShape(options));
    const std::uint64_t floatBytes = checkedMultiply(count.points, sizeof(float));
    const std::uint64_t doubleBytes = checkedMultiply(count.points, sizeof(double));
    if (global.json)
        printJson({{"points", count.points},
                   {"blocks", count.blocks},
                   {"bytes_float32", floatBytes},
                   {"bytes_float64", doubleBytes}});
    else
        printText(fmt::format("points         {}\nblocks         {}\n"
                              "bytes_float32  {}\nbytes_float64  {}\n",
                              count.points, count.blocks, floatBytes, doubleBytes));
}

} // namespace

void addGridCountCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "count", "Points, blocks and bytes of a grid (nothing is allocated for it)");
    const auto options = std::make_shared<GridOptions>();
    addGridOptions(command, *options);
    command.footer(R"(
Bytes are those of one value per point, in single and double precision.

Examples:
  gridhelm-cli grid count --dim 10 --level 10
      33 million points, where the full grid has 10^30
  gridhelm-cli grid count --dim 3 --level 8 --caps 8,8,3 --boundary boundary,boundary,modified
  gridhelm-cli grid count --dim 6 --level 7 --json)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
