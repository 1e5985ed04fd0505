// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/async_table.h"
#include "app/bench/measure.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/machine/environment.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <memory>

namespace gridhelm::cli {
namespace {

using nlohmann::json;

struct BenchAsyncTableOptions
{
    bench::AsyncTableOptions table;
    bool isDouble = false;
};

void printAsyncTable(const json &table)
{
    printText(fmt::format(
        "{} x {} unknowns, {}, {} thread(s): {}\n"
        "to the residual of exact iterate {} ({:.3e} of the start), median of {}\n\n"
        "method    alpha  iterations  to exact   seconds  beside tuned  beside temporal\n",
        table["unknowns"][0].get<std::size_t>(), table["unknowns"][1].get<std::size_t>(),
        table["precision"].get<std::string>(), table["threads"].get<int>(),
        table["problem"].get<std::string>(), table["exact_iterations"].get<std::uint64_t>(),
        table["residual"].get<double>(), table["repeats"].get<int>()));
    double temporal = 0;
    for (const auto &row : table["exact"])
        temporal = row["seconds"].get<double>(); // the last of the two
    for (const auto &row : table["exact"]) {
        const double seconds = row["seconds"].get<double>();
        printText(fmt::format("{:9} {:>5} {:>11} {:>9.2f} {:>9.4f} {:>13.2f} {:>16.2f}\n",
                              row["method"].get<std::string>(), "-",
                              row["iterations"].get<std::uint64_t>(), 1.0, seconds,
                              row["speedup"].get<double>(), temporal / seconds));
    }
    for (const auto &row : table["async"]) {
        const auto method = row["method"].get<std::string>();
        const auto alpha = row["alpha"].get<int>();
        if (!row["reached"].get<bool>()) {
            printText(fmt::format("{:9} {:>5} does not get there\n", method, alpha));
            continue;
        }
        printText(fmt::format("{:9} {:>5} {:>11.0f} {:>9.2f} {:>9.4f} {:>13.2f} {:>16.2f}\n",
                              method, alpha, row["iterations"].get<double>(),
                              row["iterations_to_exact"].get<double>(),
                              row["seconds"].get<double>(), row["speedup"].get<double>(),
                              row["to_temporal"].get<double>()));
    }
}

void run(const GlobalOptions &global, BenchAsyncTableOptions options)
{
    auto &table = options.table;
    if (table.unknowns == 0 || table.exactIterations == 0)
        throw Error("a table needs unknowns and iterations: choose --size and --iterations of at "
                    "least 1");
    if (table.largestAlpha < 2 || table.largestAlpha > 1000)
        throw Error(fmt::format("the largest alpha cannot be {}; choose from 2 to 1000",
                                table.largestAlpha));
    if (table.repeats < 1)
        throw Error("there is no median of no runs; choose --repeats of at least 1");
    table.context = benchContext(global);
    table.precision = options.isDouble ? solvers::Precision::float64 : solvers::Precision::float32;
    json document = {{"benchmark", "async-table"},
                     {"environment", app::environmentJson(table.context)},
                     {"table", bench::asyncTable(table)}};
    if (global.json)
        printJson(document);
    else
        printAsyncTable(document["table"]);
}

} // namespace

void addBenchAsyncTableCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "async-table", "What asynchronous Jacobi gains, for every alpha, beside exact iterations");
    const auto options = std::make_shared<BenchAsyncTableOptions>();
    command.add_option("--size", options->table.unknowns, "Unknowns in each of two directions")
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--iterations", options->table.exactIterations,
                    "The exact iterate whose residual is to be reached")
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--largest-alpha", options->table.largestAlpha, "Alphas from 2 to this")
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--repeats", options->table.repeats, "Runs of each; their median counts")
        ->type_name("N")
        ->capture_default_str();
    command.add_flag("--double", options->isDouble, "Double precision instead of float");
    command.footer(R"(
A tile of unknowns does alpha iterations on its own, and one more to close the launch, before all
tiles are synchronised: alpha + 1 iterations a launch. async0 to async2 take even alphas only.

Examples:
  gridhelm-cli bench async-table
  gridhelm-cli bench async-table --size 4096        (the size of the thesis, figure 21)
  gridhelm-cli bench async-table --double --json)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
