// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/study_steps.h"

#include "app/cli/interrupted.h"
#include "app/cli/interruption.h"
#include "app/cli/progress_line.h"
#include "app/cli/study_console.h"
#include "data/evaluate/hold_out.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::cli {

namespace {

data::RunnerOptions runnerOptions(const data::Study &study, bool keepFolders)
{
    return {data::workFolderOf(study.path()), keepFolders, snapshotReader()};
}

data::CampaignOptions campaignOptions(const data::Plan &plan, const Interruption &interruption,
                                      ProgressLine &line, const char *what, int jobs)
{
    data::CampaignOptions options;
    options.jobs = jobs;
    const auto *command = std::get_if<data::CommandPlan>(&plan.simulation);
    options.fit = meshFitter(command && command->resample, "(resample = true in the plan)");
    options.cancelled = [&interruption] { return interruption.happened(); };
    options.progress = [&line, what](const data::CampaignProgress &progress) {
        line.show(progressText(what, progress));
    };
    return options;
}

[[noreturn]] void endCompressing(data::StudyWriter &writer)
{
    const auto path = writer.path();
    writer.close();
    throw Interrupted("Interrupted: the study is in order; go on with: gridhelm-cli compress "
                      + shellText(path));
}

} // namespace

data::CampaignReport runStep(data::StudyWriter &writer, const RunStep &step)
{
    const auto plan = data::planOf(writer.description());
    const auto runner = data::makeJobRunner(plan, runnerOptions(writer, step.keepFolders));
    const Interruption interruption;
    ProgressLine line;
    auto options = campaignOptions(plan, interruption, line, "jobs", step.jobs);
    options.retryFailed = step.retryFailed;
    options.only = step.only;
    const auto report = data::runCampaign(writer, *runner, options);
    line.clear();
    if (report.cancelled) {
        const auto path = writer.path();
        writer.close();
        throw Interrupted(
            fmt::format("Interrupted: {} went well before, the study is in order; go on with: "
                        "gridhelm-cli run {}",
                        countText(report.done, "job"), shellText(path)));
    }
    return report;
}

std::vector<int> levelCapsOf(const ParameterSpace &space)
{
    std::vector<int> caps;
    for (const auto &parameter : space.parameters())
        caps.push_back(parameter.levelCap.value_or(sparse::maximumLevel));
    return caps;
}

data::CampaignReport holdOutStep(data::StudyWriter &writer,
                                 const std::vector<std::vector<double>> &parameters, int threads)
{
    const auto plan = data::planOf(writer.description());
    const auto runner = data::makeJobRunner(plan, runnerOptions(writer, false));
    const Interruption interruption;
    ProgressLine line;
    auto report =
        data::runHoldOuts(writer, *runner, parameters,
                          campaignOptions(plan, interruption, line, "hold-outs", threads));
    line.clear();
    if (report.cancelled)
        endCompressing(writer);
    return report;
}

CompressStepReport compressStep(data::StudyWriter &writer, const CompressStep &step)
{
    CompressStepReport report;
    if (writer.fields().empty())
        throw Error("There is nothing to compress: the study has no snapshots yet; run its jobs "
                    "with: gridhelm-cli run "
                    + shellText(writer.path()));
    if (step.holdOuts > 0) {
        const auto plan = data::planOf(writer.description());
        const auto there = writer.holdOuts().size();
        if (std::holds_alternative<std::monostate>(plan.simulation)) {
            if (there < step.holdOuts)
                report.note = fmt::format("hold-outs: {} imported; the study has no simulation to "
                                          "make more, import files off the grid\n",
                                          there);
        } else {
            report.holdOuts = holdOutStep(
                writer, data::holdOutParameters(writer, step.holdOuts, holdOutSeed), step.threads);
        }
    }
    const Interruption interruption;
    ProgressLine line;
    data::CompressOptions options;
    options.allowMissing = step.allowMissing;
    options.encoding = step.raw ? data::BlobEncoding::raw : data::BlobEncoding::automatic;
    options.threads = step.threads;
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
        line.show(fmt::format("coefficients {:.0f} %",
                              100.0 * static_cast<double>(done)
                                  / static_cast<double>(std::max<std::uint64_t>(total, 1))));
        return !interruption.happened();
    };
    report.compress = data::compress(writer, options);
    if (report.compress.cancelled) {
        line.clear();
        endCompressing(writer);
    }
    line.show("measuring errors");
    if (report.compress.waiting == 0 || step.allowMissing)
        data::storeErrors(writer, step.threads);
    line.clear();
    return report;
}

} // namespace gridhelm::cli
