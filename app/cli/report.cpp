// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answer_study.h"
#include "app/cli/execution.h"
#include "app/cli/next_step.h"
#include "app/cli/output.h"
#include "app/cli/report_pictures.h"
#include "app/cli/study_console.h"
#include "core/support/error.h"
#include "core/support/lowered.h"
#include "core/support/parse_numbers.h"
#include "data/answers/study_report.h"
#include "data/mesh/page_of_study.h"
#include "data/mesh/place_samples.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gridhelm::cli {
namespace {

struct ReportOptions
{
    std::string study, output, at;
    std::vector<std::string> fields, states;
    bool force = false;
    bool isInteractive = false;
};

/// "best: Re=400,t=2.5"; what is not said is as in `otherwise`.
data::RunPlace stateOf(const ParameterSpace &space, const std::string &typed,
                       const std::vector<double> &otherwise)
{
    const auto colon = typed.rfind(':', typed.find('=')); // a name may have more of them
    const auto name = trimmed(std::string_view(typed).substr(0, colon));
    if (colon == std::string::npos || name.empty())
        throw Error(fmt::format(
            "--state '{}' says no name and parameters: give both, as in --state \"best: {}\"",
            typed, space.toText(otherwise)));
    return {std::string(name), space.parse(typed.substr(colon + 1), otherwise)};
}

void requirePageName(const std::string &path)
{
    if (lowered(std::filesystem::path(path).extension().string()) == ".pdf")
        throw Error(
            fmt::format("{} is called like a PDF, and this command writes HTML: give a "
                        "name that ends in .html, and print that page by a browser, or write "
                        "the PDF by File > Report of the window",
                        path));
}

void runReport(const GlobalOptions &global, const ReportOptions &options)
{
    requirePageName(options.output);
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
    data::ReportQuestion question{place, {}, howToMeasure(study)};
    for (const auto &typed : options.states)
        question.states.push_back(stateOf(space, typed, place));
    auto pictures = reportPictures(global, options.study, options.fields, place); // quick to fail
    auto report = data::studyReport(
        study, question, [&] { return data::samplesOf(study); }, answersContext(global));
    report.pictures = std::move(pictures);
    if (options.isInteractive) {
        data::PageQuestion page{
            .place = place, .fields = options.fields, .remedy = question.remedy};
        page.options.context = answersContext(global);
        report.interactive = data::pageOfStudy(options.study, page).html;
        report.scriptSource = data::pageScriptSource();
    }
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
                            {"states", nlohmann::json::array()},
                            {"pictures", report.pictures.size()},
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
    for (const auto &[state, values] : report.states) {
        auto there = nlohmann::json::object();
        for (std::size_t k = 0; k < values.size(); ++k)
            there[report.responses[k].response.definition.name] = values[k];
        document["states"].push_back({{"name", state.name},
                                      {"at", placeJson(space, state.parameters)},
                                      {"responses", there}});
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
    command
        .add_option("--field", options->fields,
                    "Show this field there, as render draws it (may be repeated)")
        ->type_name("NAME")
        ->expected(1)
        ->take_all();
    command
        .add_option("--state", options->states,
                    "What was found or decided, by a name: it and its responses go into a table "
                    "(may be repeated)")
        ->type_name("\"NAME: Re=400,t=2.5\"")
        ->expected(1)
        ->take_all();
    command.add_flag(
        "--interactive", options->isInteractive,
        "Begin with the fields and sliders of export --html; such a page runs a script");
    command.add_flag("--force", options->force, "Replace a file that is no report, too");
    command.footer(R"(
The page needs nothing else, loads nothing and, without --interactive, runs nothing: it can be sent,
kept and printed. An older
report is replaced; another file is not, unless --force says so.

Example, after "gridhelm-cli sample plate" and "gridhelm-cli responses plate.gridhelm --add peak
--of temperature --reduce maximum --unit K":
  gridhelm-cli report plate.gridhelm --out plate.html --at strength=120 \
      --field temperature --state "hottest: strength=150")");
    command.callback([&global, options] { runReport(global, *options); });
}

} // namespace gridhelm::cli
