// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/cli/refine_options.h"
#include "app/cli/study_console.h"
#include "app/cli/study_steps.h"
#include "core/support/parse_numbers.h"
#include "data/campaign/point_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace gridhelm::cli {
namespace {

struct SuggestOptions
{
    std::string study;
    std::string runs;
    std::string csv;
    ErrorThatCountsOptions counts;
};

void runSuggest(const GlobalOptions &global, const SuggestOptions &options)
{
    requireWritable(options.csv);
    auto writer = data::StudyWriter::open(options.study);
    data::RefineStep step;
    step.runs = parseIndex(options.runs, "--runs");
    setErrorThatCounts(step, writer, options.counts);
    const auto devices = studyDevices(global);
    step.context = devices.context;
    step.backend = devices.backend;
    const auto report = suggestStep(writer, step);
    auto table = data::pointCsv(writer.description().space, *writer.grid(), report.points);
    for (const auto &place : report.places)
        table += data::pointCsvRow(place);
    writeText(options.csv, table);
    closeStudy(writer);
    if (global.json)
        printJson({{"runs", report.runs},
                   {"points", report.points.size()},
                   {"off_grid", report.places.size()},
                   {"estimate", report.estimate},
                   {"csv", options.csv},
                   {"execution", executionJson(global, withCpu(report.computedOn))}});
    else
        printText(fmt::format("the error is {:.2g} % by estimate; {} suggested, {} and {} off the "
                              "grid written to {}\n"
                              "next, with a column \"file\" added: gridhelm-cli import {} --table "
                              "{}\n",
                              100 * report.estimate, countText(report.runs, "run"),
                              countText(report.points.size(), "point"), report.places.size(),
                              options.csv, shellText(options.study), shellText(options.csv)));
}

} // namespace

void addSuggestCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "suggest", "Say which runs to make next, elsewhere; their results are imported");
    const auto options = std::make_shared<SuggestOptions>();
    command.add_option("study", options->study, "The study")->required()->type_name("STUDY");
    command.add_option("--runs", options->runs, "So many at most")->required()->type_name("N");
    command.add_option("--csv", options->csv, "Where to write their parameters, one point a line")
        ->required()
        ->type_name("FILE.csv");
    addErrorThatCounts(command, options->counts);
    command.footer(R"(
The study's grid grows by these points, chosen as "refine" chooses: where they are expected to
change the fields the most; and with --surrogate auto runs are planned off it. A study of scattered
runs gets runs that fill the space between those that there are. The next ones can be suggested when
their results have been imported.

Example:
  gridhelm-cli suggest mine.gridhelm --runs 8 --csv next.csv
  gridhelm-cli suggest mine.gridhelm --runs 8 --csv next.csv --devices gpu:all
  gridhelm-cli import mine.gridhelm --table next.csv     # with a column "file"
  gridhelm-cli compress mine.gridhelm)");
    command.callback([&global, options] { runSuggest(global, *options); });
}

} // namespace gridhelm::cli
