// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/rank_cases.h"
#include "app/bench/slowed_backend.h"
#include "app/bench/team_cases.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/machine/environment.h"
#include "app/machine/sparse_team.h"
#include "core/execution/team.h"
#include "core/support/enumeration.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace gridhelm::cli {
namespace {

using nlohmann::json;

struct BenchTeamOptions
{
    std::string gridCase = "6/8";
    std::size_t points = 10000000;
    std::size_t side = 256;
    std::size_t rows = 100;
    std::size_t columns = 1000000;
    double slowed = 1;
    bool lastHelps = false;
    bool quick = false;
};

void print(const std::string &name, const json &row)
{
    const auto ofHelper = row.contains("helper")
                              ? fmt::format(", the helper {:9.2e}: {:.0f} % of the sum",
                                            row["helper"]["per_second"].get<double>(),
                                            100 * row["team_to_sum"].get<double>())
                              : std::string();
    printText(fmt::format(
        "{:<15} {:9.2e} values: one {:9.2e}, all {:9.2e} a second, {:.2f} times "
        "as many{}; {}\n",
        name, row["values"].get<double>(), row["one"]["per_second"].get<double>(),
        row["team"]["per_second"].get<double>(), row["team_to_one"].get<double>(), ofHelper,
        row["is_same"].get<bool>()
            ? std::string("the same to the last bit")
            : fmt::format("they differ by {:.0e}", row["largest_difference"].get<double>())));
}

bench::TeamBenchOptions sizesOf(const BenchTeamOptions &options, const ExecutionContext &context)
{
    const auto cases = bench::parseCases(options.gridCase);
    if (cases.size() != 1)
        throw Error("--case is one grid, dimension/level, e.g. 6/8");
    bench::TeamBenchOptions sizes;
    sizes.context = context;
    sizes.gridCase = cases.front();
    sizes.points = options.points;
    sizes.side = options.side;
    sizes.rows = options.rows;
    sizes.columns = options.columns;
    if (options.quick)
        sizes.measure = {0.02, 3, 1};
    return sizes;
}

json documentOf(const bench::TeamBenchOptions &sizes, const json &rows)
{
    json document = {{"benchmark", "team"},
                     {"environment", app::environmentJson(sizes.context)},
                     {"dim", sizes.gridCase.dimension},
                     {"level", sizes.gridCase.level}};
    document.update(rows);
    return document;
}

void runOnRanks(const GlobalOptions &global, const BenchTeamOptions &options)
{
    const auto context = teamContext(global).withFallback(FallbackPolicy::forbidden);
    if (!context.gpus().empty() || options.slowed > 1 || options.lastHelps)
        throw Error(
            "\"bench team\" measures processes that mpirun has started on their CPUs: leave "
            "--devices, --slow-down and --last-helps out");
    const auto sizes = sizesOf(options, context.withRanks(nullptr));
    const auto rows = bench::benchRanks(sizes, global.ranks);
    if (global.json) {
        printJson(documentOf(sizes, rows));
        return;
    }
    printText(fmt::format("{} ranks beside the first alone, each with {} thread{}:\n",
                          global.ranks->count(), context.cpu().threads,
                          context.cpu().threads == 1 ? "" : "s"));
    print("interpolation", rows["interpolation"]);
    print("vectors", rows["vector_hierarchization"]);
}

void run(const GlobalOptions &global, const BenchTeamOptions &options)
{
    if (global.ranks) {
        runOnRanks(global, options);
        return;
    }
    const auto context = teamContext(global).withFallback(FallbackPolicy::forbidden);
    if (context.team().empty())
        throw Error("there is no team to measure: name several devices, as --devices gpu:0,1 or "
                    "--devices cpu/2");
    auto sizes = sizesOf(options, context);
    sizes.members = app::sparseTeam(context, global.backend);
    sizes.members.front().backend =
        bench::makeSlowedBackend(sizes.members.front().backend, options.slowed);
    sizes.members.back().isHelper |= options.lastHelps;
    const auto rows = bench::benchTeam(sizes);
    if (global.json) {
        auto document = documentOf(sizes, rows);
        document["slow_down"] = options.slowed;
        printJson(document);
        return;
    }
    const auto names = namesOf(context.team());
    printText(fmt::format("{} beside {} alone, with results in the CPU's memory:\n",
                          enumeration(names, "and"), names.front()));
    for (const char *name : {"interpolation", "cartesian", "combination", "hierarchization"}) {
        if (rows.contains(name))
            print(name, rows[name]);
    }
}

} // namespace

void addBenchTeamCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "team", "Sparse grids on several devices, beside the first of them alone");
    const auto options = std::make_shared<BenchTeamOptions>();
    command.add_option("--case", options->gridCase, "A regular grid, dimension/level")
        ->type_name("D/N")
        ->capture_default_str();
    command.add_option("--points", options->points, "Random points to evaluate at")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1000000000}))
        ->capture_default_str();
    command.add_option("--side", options->side, "Side of the cube (D > 2) or square")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1024}))
        ->capture_default_str();
    command.add_option("--rows", options->rows, "Rows of the matrix that is combined")
        ->check(CLI::Range(std::size_t{1}, std::size_t{100000}))
        ->capture_default_str();
    command.add_option("--columns", options->columns, "Its columns")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1000000000}))
        ->capture_default_str();
    command
        .add_option(
            "--slow-down", options->slowed,
            "Let the first device take so many times as long to evaluate, to see what others "
            "gain")
        ->check(CLI::Range(1.0, 1000.0))
        ->capture_default_str();
    command.add_flag("--last-helps", options->lastHelps,
                     "Let the last device help the others, as the CPU helps GPUs");
    command.add_flag("--quick", options->quick, "Short, rough measurements");
    command.footer(R"(
The devices are those of --devices. Single precision, medians. Rates are of points, of pixels, of
values of the matrix, and of points of the grid that are hierarchized. Of processes that mpirun has
started, each has a chunk of the points, and of the nodes of snapshots that are hierarchized.

Examples:
  gridhelm-cli bench team --devices gpu:0,1 --points 100000000 --json > team.json
  gridhelm-cli bench team --devices gpu+cpu --slow-down 5
  gridhelm-cli bench team --devices cpu/2 --quick --points 100000
  mpirun -n 2 gridhelm-cli bench team --points 1000000)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
