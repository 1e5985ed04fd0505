// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answer_study.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "data/answers/study_report.h"
#include "data/mesh/place_samples.h"

#include <fmt/format.h>

#include <memory>

namespace gridhelm::cli {
namespace {

struct ReportOptions
{
    std::string study, output, at;
    bool force = false;
};

void runReport(const GlobalOptions &global, const ReportOptions &options)
{
    requireOtherFile(options.output, {options.study});
    if (options.force)
        requireWritable(options.output);
    else
        data::requireReportFile(options.output);
    const auto study = openStudy(options.study);
    const auto space = data::answerSpace(study);
    const auto middle =
        space.fromUnit(std::vector<double>(space.parameters().size(), 0.5)); // of what is not said
    const auto place = options.at.empty() ? middle : space.parse(options.at, middle);
    const auto report = data::studyReport(
        study, place, [&] { return data::samplesOf(study); }, answersContext(global));
    const auto page = data::reportPage(report);
    writeText(options.output, page);
    if (!global.json) {
        printText(fmt::format("wrote {} ({} bytes, {} responses)\n", options.output, page.size(),
                              report.responses.size()));
        return;
    }
    nlohmann::json document{{"file", options.output},
                            {"bytes", page.size()},
                            {"at", placeJson(space, place)},
                            {"responses", nlohmann::json::array()},
                            {"execution", executionJson(global, ComputedOn::cpu())}};
    for (const auto &answer : report.responses) {
        auto entry = responseJson(answer.response);
        entry["value"] = answer.value;
        entry["first"] = placeJson(space, answer.influence.first);
        entry["total"] = placeJson(space, answer.influence.total);
        entry["mean"] = answer.spread.mean;
        entry["deviation"] = answer.spread.deviation;
        document["responses"].push_back(entry);
    }
    printJson(document);
}

} // namespace

void addReportCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "report",
        "One page for colleagues: the study, its errors, its responses and what drives them");
    const auto options = std::make_shared<ReportOptions>();
    command.add_option("study", options->study, "The study")->required()->type_name("STUDY");
    command.add_option("--out", options->output, "The page (HTML, one file)")
        ->required()
        ->type_name("FILE.html");
    command
        .add_option("--at", options->at,
                    "Where values and curves are; the middle of the ranges for what is not said")
        ->type_name("Re=400,t=2.5");
    command.add_flag("--force", options->force, "Replace a file that is no report, too");
    command.footer(R"(
The page needs nothing else, loads nothing and runs nothing: it can be sent, kept and printed. An older
report is replaced; another file is not, unless --force says so.

Example, after "gridhelm-cli sample plate" and "gridhelm-cli responses plate.gridhelm --add peak
--of temperature --reduce maximum --unit K":
  gridhelm-cli report plate.gridhelm --out plate.html --at strength=120)");
    command.callback([&global, options] { runReport(global, *options); });
}

} // namespace gridhelm::cli
