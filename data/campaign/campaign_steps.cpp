// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/campaign_steps.h"

#include "core/support/error.h"
#include "data/campaign/campaign_text.h"
#include "data/campaign/fill_step.h"
#include "data/campaign/make_means.h"
#include "data/campaign/planned_runs.h"
#include "data/campaign/runner_registry.h"
#include "data/campaign/step_runner.h"
#include "data/campaign/study_plan.h"
#include "data/campaign/submitted_jobs.h"
#include "data/campaign/surrogate_step.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/hold_out_places.h"
#include "data/study/storage_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace gridhelm::data {

namespace {

using Phase = StepProgress::Phase;

/// Parts of coefficients, or files, as far as they tell how long the others will take.
class Counting
{
public:
    Counting(Phase phase, const StepControl &control)
        : m_phase(phase)
        , m_control(control)
    {
    }

    void say(std::uint64_t done, std::uint64_t total) const
    {
        if (!m_control.progress)
            return;
        StepProgress progress{m_phase, {}};
        auto &counts = progress.counts;
        counts.done = done;
        counts.total = total;
        counts.part =
            static_cast<double>(done) / static_cast<double>(std::max<std::uint64_t>(total, 1));
        counts.seconds = std::chrono::duration<double>(Clock::now() - m_started).count();
        counts.secondsRemaining =
            done > 0 ? counts.seconds * static_cast<double>(total - std::min(done, total))
                           / static_cast<double>(done)
                     : -1;
        m_control.progress(progress);
    }

private:
    using Clock = std::chrono::steady_clock;

    Phase m_phase;
    const StepControl &m_control;
    Clock::time_point m_started = Clock::now();
};

} // namespace

std::string progressText(const StepProgress &progress)
{
    switch (progress.phase) {
    case Phase::jobs:
        return progressText("jobs", progress.counts);
    case Phase::holdOuts:
        return progressText("validation runs", progress.counts);
    case Phase::coefficients:
        return fmt::format("coefficients {:.0f} %", 100 * progress.counts.part);
    case Phase::modes:
        return fmt::format("POD modes {:.0f} %", 100 * progress.counts.part);
    case Phase::errors:
        return "measuring errors";
    case Phase::files:
        return progressText("files", progress.counts);
    case Phase::compacting:
        return fmt::format("compacting {:.0f} %", 100 * progress.counts.part);
    }
    return {};
}

namespace {

/// What the plan's number of runs still lacks.
CampaignReport runScattered(StudyWriter &writer, const RunStep &step, const StepControl &control)
{
    if (writer.description().simulation.empty())
        throw Error(writer.path().string()
                    + " is a study of scattered runs, which were made elsewhere: it has no jobs");
    if (step.only)
        throw Error(writer.path().string()
                    + " has no jobs, but runs whose parameters are chosen one after the other: run "
                      "all that are lacking, or those that have failed once more (--retry-failed)");
    FillStep fill;
    fill.runs = fillStateOf(writer, control.stop).lacking();
    fill.jobs = step.jobs;
    fill.retryFailed = step.retryFailed;
    fill.keepFolders = step.keepFolders;
    fill.keepGoing = step.keepGoing;
    return fillStep(writer, fill, control);
}

} // namespace

CampaignReport runStep(StudyWriter &writer, const RunStep &step, const StepControl &control)
{
    if (writer.description().design == StudyDesign::scattered && !step.waitingAlone)
        return runScattered(writer, step, control);
    tidyAfterKills(writer);
    const auto plan = planOf(writer, control.stop);
    const auto runner = runnerOf(writer, plan, step.keepFolders, control);
    requireOwnSubmissions(writer, *runner, control.takeOver);
    auto options = campaignOptions(plan, control, Phase::jobs, step.jobs);
    options.retryFailed = step.retryFailed;
    options.only = step.only;
    options.keepGoing = step.keepGoing;
    options.beginUntil = step.beginUntil;
    options.more = step.more;
    return runCampaign(writer, *runner, options);
}

std::vector<int> levelCapsOf(const ParameterSpace &space)
{
    std::vector<int> caps;
    for (const auto &parameter : space.parameters())
        caps.push_back(
            parameter.levelCap.value_or(sparse::highestLevelOf(parameter.usedTreatment()) + 1));
    return caps;
}

std::uint64_t waitingJobs(const Study &study)
{
    const auto jobs = study.jobs();
    return static_cast<std::uint64_t>(std::ranges::count(jobs, JobState::waiting, &Job::state))
           + plannedIn(study, PlannedRunState::waiting).size();
}

CampaignReport holdOutStep(StudyWriter &writer, const std::vector<std::vector<double>> &parameters,
                           int jobs, const StepControl &control, bool keepGoing)
{
    tidyAfterKills(writer);
    const auto there = writer.holdOuts();
    const bool areAllThere = std::ranges::all_of(parameters, [&](const auto &place) {
        return std::ranges::find(there, place, &HoldOut::parameters) != there.end();
    });
    if (areAllThere)
        return {}; // nothing is executed: nothing to agree to
    const auto plan = planOf(writer, control.stop);
    const auto runner = runnerOf(writer, plan, false, control);
    auto options = campaignOptions(plan, control, Phase::holdOuts, jobs);
    options.keepGoing = keepGoing;
    return runHoldOuts(writer, *runner, parameters, options);
}

namespace {

/// Runs of hold-outs; the study remembers which of them are missing.
void makeHoldOuts(StudyWriter &writer, const CompressStep &step, const StepControl &control,
                  CompressStepReport &report)
{
    // Fresh ones where earlier ones have become training runs.
    const auto seed = holdOutSeed + writer.trainingRuns().size();
    const auto toMake = [&] { return holdOutsToMake(writer, step.holdOuts, seed); };
    report.holdOuts =
        holdOutStep(writer, toMake(), step.context.cpu().threads, control, step.keepGoing);
    report.cancelled = report.holdOuts.cancelled || report.holdOuts.paused;
    if (!report.cancelled)
        writer.setMissingHoldOuts(toMake());
}

/// The note of kriging that could not take all runs.
std::string thinnedNote(const KrigingReport &kriging)
{
    if (kriging.runs >= kriging.runsThere)
        return {};
    return fmt::format("kriging is made of {} of {} runs, spread over the ranges, since more would "
                       "take too much memory",
                       kriging.runs, kriging.runsThere);
}

} // namespace

namespace {

/// With these, which are remembered.
CompressStepReport compressWith(StudyWriter &writer, std::vector<FieldMeans> wanted,
                                const CompressStep &step, const StepControl &control)
{
    CompressStepReport report;
    if (!step.degrees.empty())
        writer.setDegrees(step.degrees);
    chooseDegree(writer, wanted, step, control.stop);
    if (step.holdOuts > 0) {
        const auto there = holdOutCoverage(writer).there;
        const bool isImported = writer.description().design == StudyDesign::scattered
                                && writer.description().simulation.empty();
        if (isImported || (!control.runner && !runnerTypeOf(planOf(writer, control.stop)))) {
            if (there < step.holdOuts)
                report.note = fmt::format("validation points: {} imported; the study has no "
                                          "simulation to make more, import files off the grid",
                                          there);
        } else {
            makeHoldOuts(writer, step, control, report);
            if (report.cancelled)
                return report;
        }
    }
    CompressOptions options;
    options.allowMissing = step.allowMissing;
    options.encoding = step.raw ? BlobEncoding::raw : BlobEncoding::automatic;
    options.cpu = step.context.cpu();
    options.backend = step.backend;
    const Counting coefficients(Phase::coefficients, control);
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
        coefficients.say(done, total);
        return !control.stop.stop_requested() && !control.pause.stop_requested();
    };
    reconsiderForms(writer, wanted, report.holdOuts.done > 0);
    report.compress = compress(writer, options);
    report.computedOn |= report.compress.computedOn;
    if (report.compress.cancelled) {
        report.cancelled = true;
        return report;
    }
    const bool areWaiting = report.compress.waiting > 0 && !step.allowMissing;
    const auto isForAll = [](const auto &of) { return of.asked.modes || of.asked.error; };
    if (areWaiting && std::ranges::any_of(wanted, isForAll))
        addNote(report, "POD modes are made when no snapshot waits for others any more");
    const bool hasLeft = leaveKriging(writer, wanted);
    report.withoutModes = leaveModes(writer, wanted);
    if (areWaiting && !isAnyKriged(wanted) && !hasLeft && report.withoutModes == 0)
        return report;
    const auto measure = [&] {
        if (control.progress)
            control.progress({Phase::errors, {}});
        const auto where = storeErrors(writer, step.context, control.stop, step.backend);
        report.computedOn |= where.value_or(ComputedOn());
        return where.has_value();
    };
    const Counting modes(Phase::modes, control);
    const auto progress = [&](double share) {
        constexpr double steps = 1000;
        modes.say(static_cast<std::uint64_t>(steps * share), static_cast<std::uint64_t>(steps));
        return !control.stop.stop_requested() && !control.pause.stop_requested();
    };
    // Modes are as good as the errors without them ask for; then the errors with them count.
    const bool isWhole =
        measure() && makeMeans(writer, wanted, step, areWaiting, control, progress, report);
    report.cancelled = !isWhole;
    if (isWhole
        && report.modes.fields + report.kriging.fields + report.chosen + report.quantised
                   + report.exactRows + report.forms.size()
               > 0) {
        addNote(report, costNote(writer));
        addNote(report, thinnedNote(report.kriging));
        report.cancelled = !measure();
    }
    return report;
}

} // namespace

CompressStepReport compressStep(StudyWriter &writer, const CompressStep &step,
                                const StepControl &control)
{
    if (writer.fields().empty())
        throw Error("There is nothing to compress: the study has no snapshots yet; run its jobs "
                    "first, or import files");
    const auto before = meansOf(writer);
    const auto wanted = wantedMeans(writer, step);
    rememberMeans(writer, wanted); // before other degrees and coefficients take modes away
    try {
        return compressWith(writer, wanted, step, control);
    } catch (const StorageError &) {
        throw; // what was asked for is possible
    } catch (const Error &) {
        rememberLostMeans(writer, before); // or the next one would fail in the same way
        throw;
    }
}

ImportReport importStep(StudyWriter &writer, const ImportStep &step, const StepControl &control)
{
    const auto rows = importRows(readTextTable(step.table.string()), step.table.parent_path(),
                                 writer.description().space, step.files);
    ImportOptions how;
    how.fields = step.fields;
    MeshHandling mesh;
    if (!writer.description().simulation.empty()) {
        const auto plan = planOf(writer, control.stop);
        mesh = plan.mesh;
        if (how.fields.empty())
            how.fields = plan.fields;
    }
    if (step.resample && mesh.kind == MeshKind::shared)
        mesh.kind = MeshKind::resampled;
    how.fit = control.files.fitter(mesh, step.howToResample);
    how.allTimes = step.allTimes;
    how.areTrainingRuns = step.areTrainingRuns;
    how.cancelled = [&] { return control.stop.stop_requested() || control.pause.stop_requested(); };
    how.stop = control.stop;
    const Counting files(Phase::files, control);
    how.progress = [&](std::size_t done, std::size_t total) { files.say(done, total); };
    return importFiles(writer, rows, how, control.files.read);
}

} // namespace gridhelm::data
