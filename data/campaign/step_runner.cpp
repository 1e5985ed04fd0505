// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/step_runner.h"

#include "data/campaign/run_on.h"
#include "data/campaign/runner_registry.h"
#include "data/campaign/submitted_jobs.h"
#include "data/campaign/trust_store.h"
#include "data/campaign/work_folder.h"

#include <set>
#include <string>
#include <utility>
#include <variant>

namespace gridhelm::data {

void tidyAfterKills(const StudyWriter &study)
{
    std::set<std::string> elsewhere;
    for (const auto &submission : study.submissions())
        elsewhere.insert(runNameOf(submission.job));
    WorkFolder(workFolderOf(study.path())).tidy(elsewhere);
}

namespace {

/// The user's own command may run where its user says by name, here and now, if it may run where
/// the plan says.
bool isOwnElsewhere(const CommandPlan &command, Execution execution, const Plan &plan,
                    const StepControl &control)
{
    if (control.on.empty() || command.isForeign)
        return false;
    execution.run = plan.run;
    return TrustStore().isTrusted(execution.digest());
}

} // namespace

std::unique_ptr<JobRunner> runnerOf(const Study &study, const Plan &planned, bool keepFolders,
                                    const StepControl &control)
{
    if (control.runner)
        return control.runner();
    auto plan = planned;
    plan.run = runOn(planned, control.on);
    RunnerOptions options{workFolderOf(study.path()), keepFolders, control.files.read,
                          control.patience};
    if (const auto *command = std::get_if<CommandPlan>(&plan.simulation)) {
        WorkFolder(options.workFolder).requireFolder();
        auto execution = std::make_shared<const Execution>(
            executionOf(*command, plan.run, study.path(), control.stop));
        const auto digest = execution->digest();
        if (digest != control.trusted && !TrustStore().isTrusted(digest)
            && !isOwnElsewhere(*command, *execution, planned, control))
            throw UntrustedExecution(std::move(execution));
        options.execution = std::move(execution);
    }
    return makeJobRunner(plan, options);
}

CampaignOptions campaignOptions(const Plan &plan, const StepControl &control,
                                StepProgress::Phase phase, int jobs)
{
    CampaignOptions options;
    options.jobs = jobs;
    options.fit = control.files.fitter(plan.mesh, "(kind = \"resampled\" in the plan's [mesh])");
    options.stop = control.stop;
    options.pausing = [&control] { return control.pause.stop_requested(); };
    options.say = control.say;
    if (control.progress)
        options.progress = [&control, phase](const CampaignProgress &progress) {
            control.progress({phase, progress});
        };
    return options;
}

} // namespace gridhelm::data
