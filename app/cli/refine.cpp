// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/cli/refine_options.h"
#include "app/cli/study_console.h"
#include "app/cli/study_report.h"
#include "app/cli/study_steps.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "data/evaluate/hold_out_places.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace gridhelm::cli {
namespace {

struct RefineOptions
{
    std::string study;
    std::string runs;
    std::string until;
    std::string hours;
    ErrorThatCountsOptions counts;
    std::string jobs = "0";
    std::string holdOuts;
    std::string on;
    bool deterministic = false;
    bool keepGoing = false;
    bool trust = false;
    bool takeOver = false;
};

data::RefineStep stepOf(const GlobalOptions &global, const RefineOptions &options,
                        const data::Study &study)
{
    data::RefineStep step;
    if (!options.runs.empty())
        step.runs = parseIndex(options.runs, "--runs");
    if (!options.until.empty())
        step.until = parseShare(options.until, "--until");
    if (!options.hours.empty())
        step.hours = parseReal(options.hours, "--hours");
    setErrorThatCounts(step, study, options.counts);
    step.jobs = jobsAtATime(global, options.jobs);
    step.isDeterministic = options.deterministic;
    step.keepGoing = options.keepGoing;
    const auto devices = studyDevices(global);
    step.context = devices.context;
    step.backend = devices.backend;
    if (!options.holdOuts.empty())
        step.holdOuts = parseIndex(options.holdOuts, "--holdout");
    else if (step.until)
        step.holdOuts = data::sensibleHoldOuts(study.jobs().size() + study.trainingRuns().size());
    return step;
}

void runRefine(const GlobalOptions &global, const RefineOptions &options)
{
    auto writer = data::StudyWriter::open(options.study);
    const auto step = stepOf(global, options, writer);
    const auto report =
        refineStep(writer, step, {options.trust, !global.json, options.on, options.takeOver});
    closeStudy(writer);
    const auto study = openStudy(options.study);
    if (global.json) {
        nlohmann::json document{
            {"end", nameOf(report.end)},
            {"on", report.on.empty() ? nlohmann::json() : nlohmann::json(report.on)},
            {"runs", report.runs},
            {"failed", report.failed},
            {"blocks", report.blocks},
            {"off_grid", report.offGrid},
            {"estimate", nullptr},
            {"measured", nullptr},
            {"study", infoJson(study)},
            {"execution", executionJson(global, withCpu(report.compress.computedOn))}};
        if (report.estimate)
            document["estimate"] = *report.estimate;
        if (report.measured)
            document["measured"] = *report.measured;
        printJson(document);
    } else {
        printText(data::refineText(report, step) + "\n" + infoText(study));
    }
    if (report.end == data::RefineEnd::failures)
        throw Error((report.failures.stopped
                         ? data::stoppedText(report.failures, "job")
                         : "All of the last runs failed (" + report.failures.firstFailure + ")")
                    + "; correct what is wrong, then repeat the command, or repeat it with "
                      "--keep-going");
    constexpr int notReached = 3;
    if (step.until && report.end != data::RefineEnd::reached)
        throw EarlyEnd{notReached};
}

} // namespace

void addRefineCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "refine", "Add runs where the error is, run and compress them, until it is small enough");
    const auto options = std::make_shared<RefineOptions>();
    command.add_option("study", options->study, "The study")->required()->type_name("STUDY");
    command
        .add_option("--until", options->until,
                    "Go on until the error of all fields is estimated to be this small, and fresh "
                    "validation points confirm it")
        ->type_name("E%");
    command
        .add_option("--runs", options->runs,
                    "Budget: go on for so many runs at most, validation runs included")
        ->type_name("N");
    command
        .add_option(
            "--hours", options->hours,
            "Begin no more runs after so long; validation runs that are asked for still follow")
        ->type_name("H");
    addErrorThatCounts(command, options->counts);
    command
        .add_option("--holdout", options->holdOuts,
                    "Validation points to measure the error at in the end (by default none; with "
                    "--until 12, or 23 where there are 100 runs)")
        ->type_name("K");
    command.add_option("--jobs", options->jobs, "Jobs at a time; 0 means one a core")
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--on", options->on, onHelp)->type_name("PLACE");
    command.add_flag("--deterministic", options->deterministic,
                     "Choose the same runs however many jobs there are at a time");
    command.add_flag("--keep-going", options->keepGoing, keepGoingHelp);
    command.add_flag("--trust", options->trust, trustHelp);
    command.add_flag("--take-over", options->takeOver, takeOverHelp);
    command.footer(R"(
The grid grows by single blocks of points: those that are expected to change the fields the most per
run, judged by what the blocks below them have added, and one run in twenty to the coarsest of the
others. Where the surrogate is chosen by its error (--surrogate auto), space-filling runs are made
off the grid as well: there both kinds of surrogate are compared, and the better one gets three of
four runs. Not in studies with times, nor with --at or --region.

It may begin from any level, and be interrupted and called again. Failed runs are gone around; the
errors say so. Best with plans that have design = "adaptive" (points that come one at a time) in
[grid]. A study with a space-filling design gets more runs of it; with --until its kriging is fitted
again after each eighth, and the error is that of runs that are left out. With several jobs at a
time the next runs are chosen while the last ones go on, so that none waits for a slow one; with
--deterministic each batch is waited for. What was chosen and why, and the error against the number
of runs, is in: gridhelm-cli info STUDY

With --at or --region only the error there counts, relative to the field there; the study's history
of errors, which is of all of it, does not change, and no validation points are run.

The exit code is 3 if --until was not reached.

Examples:
  gridhelm-cli refine cavity.gridhelm --until 0.5%
  gridhelm-cli refine cavity.gridhelm --runs 100 --holdout 23 --jobs 8
  gridhelm-cli refine cavity.gridhelm --until 0.1% --hours 12 --field velocity
  gridhelm-cli refine cavity.gridhelm --until 0.5% --devices gpu:all   # measure errors there
  gridhelm-cli refine cavity.gridhelm --runs 10 --at Re=800,bottom=-0.5
  gridhelm-cli refine cavity.gridhelm --runs 10 --region 0.5:1,0:0.5)");
    command.callback([&global, options] { runRefine(global, *options); });
}

} // namespace gridhelm::cli
