// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/coverage_table.h"
#include "app/bench/measure.h"
#include "app/bench/sample_studies.h"
#include "app/bench/scratch_folder.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/machine/environment.h"
#include "core/support/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace gridhelm::cli {
namespace {

using nlohmann::json;

struct BenchCoverageOptions
{
    bench::SampleStudiesOptions samples;
    int draws = 50;
    int holdOuts = 19;
    int places = 200;
};

json jsonOf(const bench::CoverageRow &row)
{
    return {{"field", row.field},
            {"claimed", row.claimed},
            {"mean", row.mean},
            {"least", row.least},
            {"largest", row.largest},
            {"median_band_by_median_error", row.byError},
            {"median_band_by_constant_band", row.byConstant}};
}

std::string textOf(const char *sample, const std::vector<bench::CoverageRow> &rows)
{
    std::string text;
    for (const auto &row : rows)
        text += fmt::format("{}, {}: {:.1f} % of points are covered ({:.0f} % claimed; {:.0f} to "
                            "{:.0f} % by one draw); the median band is {:.2f} times the median "
                            "error, {:.2f} times a constant band\n",
                            sample, row.field, 100 * row.mean, 100 * row.claimed, 100 * row.least,
                            100 * row.largest, row.byError, row.byConstant);
    return text;
}

void runBenchCoverage(const GlobalOptions &global, const BenchCoverageOptions &options)
{
    if (options.draws < 1 || options.holdOuts < 2 || options.places < 1)
        throw Error("--draws and --places must be at least 1, --holdout at least 2");
    bench::CoverageOptions table;
    table.draws = static_cast<std::size_t>(options.draws);
    table.holdOuts = static_cast<std::size_t>(options.holdOuts);
    table.places = static_cast<std::size_t>(options.places);
    table.context = benchContext(global);
    json cases = json::array();
    for (const auto &sample : bench::samplesCalled(options.samples.simulation)) {
        const auto plan =
            data::parsePlan(sample.plan, sample.name, std::filesystem::current_path());
        const bench::ScratchFolder folder(options.samples.folder, 0);
        const auto rows = bench::coverageTable(plan, folder / "study.gridhelm", table);
        json fields = json::array();
        for (const auto &row : rows)
            fields.push_back(jsonOf(row));
        cases.push_back({{"simulation", sample.name}, {"fields", fields}});
        if (global.json)
            continue;
        printText(textOf(sample.name, rows));
        flushOutput();
    }
    if (global.json)
        printJson({{"benchmark", "coverage"},
                   {"environment", app::environmentJson(table.context)},
                   {"draws", options.draws},
                   {"hold_outs", options.holdOuts},
                   {"places", options.places},
                   {"cases", cases}});
}

} // namespace

void addBenchCoverageCommand(CLI::App &parent, const GlobalOptions &global)
{
    auto options = std::make_shared<BenchCoverageOptions>();
    CLI::App &command = *parent.add_subcommand(
        "coverage", "Whether error bands hold at as many new points as they claim");
    bench::addSimulationOption(command, options->samples);
    command.add_option("--draws", options->draws, "Draws of validation points")
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--holdout", options->holdOuts, "Of each draw, inside of the ranges")
        ->type_name("K")
        ->capture_default_str();
    command.add_option("--places", options->places, "New random points")
        ->type_name("M")
        ->capture_default_str();
    bench::addStudyFolderOption(command, options->samples);
    command.footer(R"(
Makes the samples' studies and runs their simulations at all of these points, 1,150 times each: some
minutes. The bands are those that "compress --holdout" calibrates.

Examples:
  gridhelm-cli bench coverage --simulation plate
  gridhelm-cli bench coverage --draws 10 --json)");
    command.callback([&global, options] { runBenchCoverage(global, *options); });
}

} // namespace gridhelm::cli
