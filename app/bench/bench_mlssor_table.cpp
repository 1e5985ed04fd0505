// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/measure.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/machine/environment.h"
#include "core/solvers/sor/convergence_table.h"
#include "core/solvers/sor/sor_options.h"
#include "core/support/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace gridhelm::cli {
namespace {

using nlohmann::json;
using namespace solvers;

struct BenchMlssorTableOptions
{
    std::size_t size = 63; ///< the time grows like its fourth power
    double relaxation = 1;
    bool defaultRelaxation = false;
};

json jsonOf(const std::vector<ConvergenceInput> &inputs)
{
    json result = json::array();
    for (const auto &input : inputs)
        result.push_back({{"formula", input.formula}, {"tolerance", input.tolerance}});
    return result;
}

json jsonOf(const std::vector<ConvergenceRow> &rows)
{
    json result = json::array();
    for (const auto &row : rows) {
        json entry = {{"method", row.method}, {"iterations", row.iterations}};
        if (row.method == "MLSSOR") {
            entry["layers"] = row.shape.layers;
            entry["width"] = row.shape.width;
            entry["iterations_forward_only"] = row.iterationsForwardOnly;
        }
        result.push_back(std::move(entry));
    }
    return result;
}

void printConvergence(const json &document)
{
    const auto n = document["unknowns"].get<std::size_t>();
    const auto &w = document["relaxation"];
    printText(fmt::format("{} x {} unknowns of the unit square, u = 0 on all sides, {}\n", n, n,
                          w.is_null() ? std::string("each method's default w")
                                      : fmt::format("w = {}", w.get<double>())));
    int number = 0;
    for (const auto &input : document["inputs"])
        printText(fmt::format("input {}: {}; residual to {:g} of the start\n", ++number,
                              input["formula"].get<std::string>(),
                              input["tolerance"].get<double>()));
    printText("\niterations              input 1   input 2   input 3\n");
    const auto line = [](const std::string &name, const json &iterations) {
        std::string text = fmt::format("{:20}", name);
        for (const auto &count : iterations)
            text += fmt::format(" {:>10.1f}", count.get<double>());
        printText(text + "\n");
    };
    for (const auto &row : document["rows"]) {
        auto name = row["method"].get<std::string>();
        if (!row.contains("layers")) {
            line(name, row["iterations"]);
            continue;
        }
        name += fmt::format(" {} x {} x {}", row["layers"].get<std::size_t>(),
                            row["width"].get<std::size_t>(), row["width"].get<std::size_t>());
        line(name, row["iterations"]);
        line("  one direction", row["iterations_forward_only"]);
    }
}

void run(const GlobalOptions &global, const BenchMlssorTableOptions &options)
{
    if (options.size == 0)
        throw Error("a table needs unknowns; choose a --size of at least 1");
    ConvergenceOptions table;
    table.unknowns = options.size;
    const auto context = benchContext(global);
    if (options.defaultRelaxation)
        table.relaxation.reset();
    else {
        requirePossible(relaxationOption, options.relaxation, "--relaxation");
        table.relaxation = options.relaxation;
    }
    json document = {{"benchmark", "mlssor-table"},
                     {"environment", app::environmentJson(context)},
                     {"unknowns", options.size},
                     {"relaxation", table.relaxation ? json(*table.relaxation) : json()},
                     {"inputs", jsonOf(convergenceInputs(options.size))},
                     {"rows", jsonOf(convergenceTable(table, context))}};
    if (global.json)
        printJson(document);
    else
        printConvergence(document);
}

} // namespace

void addBenchMlssorTableCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "mlssor-table", "Iterations of SSOR, red-black SOR and MLSSOR with four sizes of tiles");
    const auto options = std::make_shared<BenchMlssorTableOptions>();
    command.add_option("--size", options->size, "Unknowns in each of two directions")
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--relaxation", options->relaxation, "w, the same for all methods")
        ->type_name("W")
        ->capture_default_str();
    command.add_flag("--default-relaxation", options->defaultRelaxation,
                     "The default w of each method instead");
    command.footer(R"(
A sub-domain of MLSSOR is K x M x M: K iterations of M x M unknowns. An iteration relaxes every
unknown once, so a pair of SSOR sweeps is two. "One direction" has forward sweeps only.

Examples:
  gridhelm-cli bench mlssor-table            (some seconds)
  gridhelm-cli bench mlssor-table --size 127 (some minutes)
  gridhelm-cli bench mlssor-table --size 127 --default-relaxation --json)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
