// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/cluster/dry_run.h"

#include "core/support/clean_text.h"
#include "core/support/error.h"
#include "data/campaign/cluster/slurm_scripts.h"
#include "data/campaign/command_job.h"
#include "data/campaign/trial_run.h"

#include <variant>

namespace gridhelm::data {

namespace {

std::string shown(const std::string &title, const std::string &text)
{
    return title + ":\n" + markedLines(text);
}

} // namespace

std::string dryRunText(const Plan &plan, const RunnerOptions &options)
{
    if (!std::holds_alternative<CommandPlan>(plan.simulation))
        throw Error("The plan has no command: its simulation is built in, and runs in this "
                    "program; there is nothing to show");
    const CommandOfPlan of(plan, options);
    auto request = trialRequest(plan);
    request.name = "job-1";
    const CommandJob job(of, request);
    const auto command = [&](const std::filesystem::path &folder) {
        const auto values = job.placeholders(folder);
        return commandScript(job.arguments(values), job.environment(folder, values));
    };
    if (plan.run.on != "slurm")
        return shown("on this machine, in a folder of each job",
                     command(of.folders.path() / request.name));
    const auto settings = slurmSettings(plan.run);
    const std::string token = "TOKEN", batch = "BATCH";
    const auto folder =
        settings.folder.front() == '/' ? settings.folder : "$HOME/" + settings.folder;
    const auto place = settings.host == "local" ? "on this machine" : "on " + settings.host;
    return shown(place + ", to begin an array of runs, whose files arrive as an archive",
                 submitScript(settings, folder, batch, 1))
           + shown("batches/BATCH/script, of each element", elementScript(settings, folder, batch))
           + shown("TOKEN/command, of each run",
                   command(std::filesystem::path(folder) / token / "run"))
           + shown("every " + std::to_string(settings.pollEvery.count() / 1000)
                       + " s, to ask after all runs at once",
                   pollScript(folder, {}));
}

} // namespace gridhelm::data
