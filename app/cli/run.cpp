// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "app/cli/study_steps.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "data/campaign/cluster/dry_run.h"
#include "data/campaign/fill_step.h"
#include "data/campaign/run_on.h"
#include "data/campaign/study_plan.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace gridhelm::cli {
namespace {

struct RunJobsOptions
{
    std::string study;
    std::string jobs = "0";
    std::string only;
    std::string on;
    bool retryFailed = false;
    bool keepFolders = false;
    bool keepGoing = false;
    bool trust = false;
    bool takeOver = false;
    bool dryRun = false;
};

void requireGoneWell(const data::CampaignReport &report, std::string_view noun,
                     const std::string &study)
{
    if (report.stopped)
        throw Error(fmt::format("{}; read the log with: gridhelm-cli info {} --log {}, correct "
                                "what is wrong, then run again with: gridhelm-cli run {} "
                                "--retry-failed, or begin the others all the same with: "
                                "gridhelm-cli run {} --keep-going",
                                data::stoppedText(report, noun), study, report.firstFailed, study,
                                study));
    if (report.failed > 0)
        throw Error(fmt::format("{} failed, the first is {} ({}); read its log with: gridhelm-cli "
                                "info {} --log {}, and run it again with: gridhelm-cli run {} "
                                "--retry-failed",
                                countText(report.failed, noun), report.firstFailed,
                                report.firstFailure, study, report.firstFailed, study));
}

/// Of a study whose runs are at places that were chosen.
void reportRuns(const GlobalOptions &global, const data::CampaignReport &report,
                const data::FillState &state, const std::string &study)
{
    if (global.json) {
        printJson({{"on", report.on},
                   {"done", report.done},
                   {"failed", report.failed},
                   {"failed_in_all", state.failed},
                   {"waiting", state.waiting},
                   {"made", state.made},
                   {"wanted", state.wanted},
                   {"stopped", report.stopped},
                   {"not_begun", report.notBegun},
                   {"execution", executionJson(global, ComputedOn::cpu())}});
    } else {
        auto text =
            fmt::format("{} done, {} failed; {} made, {} lacking\n", countText(report.done, "run"),
                        report.failed, state.made, state.lacking());
        if (state.lacking() == 0)
            text += fmt::format("next: gridhelm-cli compress {} --holdout {}\n", study,
                                data::sensibleHoldOuts(state.made));
        printText(text);
    }
    // What has failed is made up for by other places, unless there are too many.
    if (report.stopped || state.lacking() > 0)
        requireGoneWell(report, "run", study);
}

void showRun(const GlobalOptions &global, const RunJobsOptions &options)
{
    const auto study = data::Study::open(options.study);
    data::RunnerOptions runner;
    runner.workFolder = data::workFolderOf(options.study);
    auto plan = planOf(study);
    plan.run = data::runOn(plan, options.on);
    const auto text = dryRunText(plan, runner);
    if (global.json)
        printJson({{"on", data::nameOf(plan.run)}, {"dry_run", text}});
    else
        printText(text);
}

void runJobs(const GlobalOptions &global, const RunJobsOptions &options)
{
    if (options.dryRun) {
        showRun(global, options);
        return;
    }
    RunStep step;
    step.jobs = jobsAtATime(global, options.jobs);
    step.retryFailed = options.retryFailed;
    step.keepFolders = options.keepFolders;
    step.keepGoing = options.keepGoing;
    if (!options.only.empty())
        step.only = parseInteger(options.only, "--only");
    auto writer = data::StudyWriter::open(options.study);
    const auto report =
        runStep(writer, step, {options.trust, !global.json, options.on, options.takeOver});
    const auto study = shellText(options.study);
    if (writer.description().design == data::StudyDesign::scattered) {
        const auto state = data::fillStateOf(writer);
        closeStudy(writer);
        reportRuns(global, report, state, study);
        return;
    }
    std::uint64_t failed = 0;
    const auto jobs = writer.jobs();
    for (const auto &job : jobs)
        failed += job.state == data::JobState::failed ? 1 : 0;
    closeStudy(writer);

    if (global.json) {
        printJson({{"on", report.on},
                   {"done", report.done},
                   {"failed", report.failed},
                   {"failed_in_all", failed},
                   {"waiting", report.waiting},
                   {"stopped", report.stopped},
                   {"not_begun", report.notBegun},
                   {"retried", report.retried},
                   {"recovered", report.recovered},
                   {"adopted", report.adopted},
                   {"elsewhere", report.elsewhere},
                   {"execution", executionJson(global, ComputedOn::cpu())}});
    } else {
        std::string text;
        if (report.recovered > 0)
            text += fmt::format("{} had been interrupted\n", countText(report.recovered, "job"));
        if (report.adopted > 0)
            text += fmt::format("{} ran elsewhere already\n", countText(report.adopted, "job"));
        if (report.retried > 0)
            text += fmt::format("{} repeated with more time or memory\n",
                                countText(report.retried, "run"));
        if (report.elsewhere > 0)
            text += fmt::format("{} left alone, for {} on {}; take up what is there with: "
                                "gridhelm-cli run {} --on {}\n",
                                countText(report.elsewhere, "job"),
                                report.elsewhere == 1 ? "it runs" : "they run", report.elsewhereOn,
                                shellText(study), shellText(report.elsewhereOn));
        text += fmt::format("{} done, {} failed, {} still waiting\n", countText(report.done, "job"),
                            report.failed, report.waiting);
        if (failed == 0 && report.waiting == 0 && report.elsewhere == 0)
            text += fmt::format("next: gridhelm-cli compress {} --holdout {}\n", study,
                                data::sensibleHoldOuts(jobs.size()));
        printText(text);
    }
    requireGoneWell(report, "job", study);
    // Who runs jobs elsewhere may have given some up.
    if (report.waiting > 0 && options.only.empty())
        throw Error(fmt::format("{} could not be run and {} again; go on with: gridhelm-cli run {}",
                                countText(report.waiting, "job"),
                                report.waiting == 1 ? "waits" : "wait", study));
    if (failed > 0)
        throw Error(fmt::format("{} failed before; run again with: gridhelm-cli run {} "
                                "--retry-failed",
                                countText(failed, "job"), study));
}

} // namespace

void addRunCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand("run", "Run the simulations that a study waits for");
    const auto options = std::make_shared<RunJobsOptions>();
    command.add_option("study", options->study, "The study")->required()->type_name("STUDY");
    command.add_option("--jobs", options->jobs, "Jobs at a time; 0 means one a core")
        ->type_name("N")
        ->capture_default_str();
    command.add_flag("--retry-failed", options->retryFailed, "Run failed jobs again, too");
    command.add_option("--on", options->on, onHelp)->type_name("PLACE");
    command.add_option("--only", options->only, "This job alone")->type_name("ID");
    command.add_flag("--keep-folders", options->keepFolders,
                     "Keep the working folders of commands (those of failed jobs always stay)");
    command.add_flag("--keep-going", options->keepGoing, keepGoingHelp);
    command.add_flag("--dry-run", options->dryRun,
                     "Show what would be executed, and said to a cluster, and run nothing");
    command.add_flag("--trust", options->trust, trustHelp);
    command.add_flag("--take-over", options->takeOver, takeOverHelp);
    command.footer(R"(
May be interrupted at any time (Ctrl-C, or worse) and called again: jobs that are done are never
run again. Commands work in folders below STUDY.jobs.

A job that fails does not stop the others. But if none has gone well yet and five in a row fail
alike, no more are begun: correct what is wrong, then --retry-failed; or --keep-going. The exit code
is 0 only if no job has failed.

A study with a space-filling design has no jobs, but as many runs as its plan asks for, whose
parameters are chosen one after the other. Another run replaces one that fails; --retry-failed runs
those once more.

The command of a study that was not made on this machine, or whose templates have changed, is shown
before it is run, and you are asked; without a terminal it is refused. What you have agreed to is
remembered. See also: gridhelm-cli info STUDY --plan

A plan whose [run] is on = "slurm" runs its commands on a cluster, --jobs does not count there, and Ctrl-C
leaves what the cluster has: the next call takes it up again. Try a cluster with gridhelm-cli cluster check.

--on chooses the place for this call alone; the plan stays as it is. slurm is the plan's cluster, slurm:HOST
any other one: with all else as the plan's [run] says, or as it is by default if the plan has none. Jobs
that another place has already stay there, and are not run twice. Your own command may be sent wherever you
say; one of somebody else's is shown again before it is.

Examples:
  gridhelm-cli run cavity.gridhelm
  gridhelm-cli run cavity.gridhelm --jobs 8 --retry-failed
  gridhelm-cli run cavity.gridhelm --keep-going
  gridhelm-cli run cavity.gridhelm --only 17 --keep-folders
  gridhelm-cli run mine.gridhelm --on slurm:me@login.cluster
  gridhelm-cli run mine.gridhelm --on local --only 1     # first one here
  gridhelm-cli run received.gridhelm --trust)");
    command.callback([&global, options] { runJobs(global, *options); });
}

} // namespace gridhelm::cli
