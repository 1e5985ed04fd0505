// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/error_curve_report.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "app/cli/study_report.h"
#include "core/support/clean_text.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "data/study/study_errors.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>

namespace gridhelm::cli {
namespace {

struct InfoOptions
{
    std::string study;
    std::string log;
    bool jobs = false;
    bool plan = false;
    std::string error; ///< that runs are asked for
};

/// Runs at places that were chosen, added to the list and the text.
void addRuns(const data::Study &study, nlohmann::json &list, std::string &text)
{
    const bool isOnGrid = study.description().design == data::StudyDesign::grid;
    const auto runs = study.plannedRuns();
    if (isOnGrid && runs.empty())
        return;
    text += isOnGrid ? "\noff the grid (their logs: --log off:ID)\n" : "";
    text += "id     state    attempts  parameters\n";
    for (const auto &run : runs) {
        list.push_back({{"id", run.id},
                        {"state", data::toString(run.state)},
                        {"attempts", run.attempts},
                        {"parameters", run.parameters}});
        if (isOnGrid)
            list.back()["off_grid"] = true;
        text += fmt::format("{:<6} {:<8} {:>8}  {}\n", run.id, data::toString(run.state),
                            run.attempts, study.description().space.toText(run.parameters));
    }
}

void addJobs(const data::Study &study, nlohmann::json &list, std::string &text)
{
    const auto &space = study.description().space;
    text += "id     state    attempts  seconds  points  parameters of the first\n";
    std::map<data::JobId, data::Submission> elsewhere;
    for (auto &submission : study.submissions())
        elsewhere.emplace(submission.job, std::move(submission));
    for (const auto &job : study.jobs()) {
        const auto values = space.valuesAt(*study.grid(), job.points.front());
        // The clock may have been set back meanwhile.
        const double seconds = job.finished > 0 ? std::max(0.0, job.finished - job.started) : 0;
        list.push_back({{"id", job.id},
                        {"state", data::toString(job.state)},
                        {"attempts", job.attempts},
                        {"seconds", seconds},
                        {"points", job.points.size()},
                        {"parameters", values}});
        std::string where; // behind the rest
        std::string_view state = data::toString(job.state);
        if (const auto found = elsewhere.find(job.id); found != elsewhere.end()) {
            const bool isQueued = data::isQueued(job, found->second);
            list.back()["on"] = found->second.runner;
            list.back()["queued"] = isQueued;
            state = isQueued ? "queued" : "running";
            where = cleanLine(" on " + found->second.runner);
        }
        text += fmt::format("{:<6} {:<8} {:>8}  {:>7.1f}  {:>6}  {}{}\n", job.id, state,
                            job.attempts, seconds, job.points.size(), space.toText(values), where);
    }
}

void printJobs(const GlobalOptions &global, const data::Study &study)
{
    auto list = nlohmann::json::array();
    std::string text;
    if (study.description().design == data::StudyDesign::grid)
        addJobs(study, list, text);
    addRuns(study, list, text);
    if (global.json)
        printJson(list);
    else
        printText(text);
}

/// "7" of a job, or "off:7" of a run off the grid.
void printLog(const GlobalOptions &global, const data::Study &study, const std::string &which)
{
    const std::string prefix = "off:";
    const bool isOff = which.starts_with(prefix);
    const auto id = parseInteger(isOff ? which.substr(prefix.size()) : which, "--log");
    const bool isRun = isOff || study.description().design == data::StudyDesign::scattered;
    const auto log = isRun ? study.plannedRun(id).log : study.jobLog(id);
    if (global.json)
        printJson({{"id", id}, {"log", log}});
    else
        printText(log.empty() ? fmt::format("{} {} has no log\n", isRun ? "run" : "job", id)
                              : log + "\n");
}

/// As it is stored.
void printPlan(const GlobalOptions &global, const data::Study &study)
{
    const auto &plan = study.description().simulation;
    if (global.json)
        printJson({{"plan", plan}});
    else if (plan.empty())
        printText("the study has no plan\n");
    else
        printText(plan + (plan.back() == '\n' ? "" : "\n"));
}

void printInfo(const GlobalOptions &global, const data::Study &study, const InfoOptions &options)
{
    if (!options.log.empty()) {
        printLog(global, study, options.log);
    } else if (!options.error.empty()) {
        const double error = parseShare(options.error, "--for-error");
        if (!(error > 0 && error < 1))
            throw Error("--for-error cannot be " + options.error
                        + ": choose a fraction of the field, " + "0.5% or 0.005, say");
        if (global.json)
            printJson(runsForErrorJson(study, error));
        else
            printText(runsForErrorText(study, error));
    } else if (options.plan) {
        printPlan(global, study);
    } else if (options.jobs) {
        printJobs(global, study);
    } else if (global.json) {
        printJson(infoJson(study));
    } else {
        printText(infoText(study));
    }
}

} // namespace

void addInfoCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "info", "What a study holds: parameters, grid, jobs, fields, errors, compression");
    const auto options = std::make_shared<InfoOptions>();
    command.add_option("study", options->study, "The study")->required()->type_name("STUDY");
    command.add_flag("--jobs", options->jobs, "List the jobs instead, or the space-filling runs");
    command.add_option("--log", options->log, "Print the log of a job or failed run instead")
        ->type_name("ID");
    command.add_flag("--plan", options->plan, "Print the plan instead, as the study keeps it");
    command
        .add_option("--for-error", options->error,
                    "Say instead how many runs this error would take, if it went on falling as it "
                    "has")
        ->type_name("E%");
    command.footer(R"(
Examples:
  gridhelm-cli info cavity.gridhelm
  gridhelm-cli info cavity.gridhelm --jobs
  gridhelm-cli info cavity.gridhelm --log 17
  gridhelm-cli info cavity.gridhelm --for-error 0.5%
  gridhelm-cli info received.gridhelm --plan)");
    command.callback([&global, options] {
        data::againIfChanged([&] { // it is looked at while others work on it
            const auto study = openStudy(options->study);
            printInfo(global, study, *options);
        });
    });
}

} // namespace gridhelm::cli
