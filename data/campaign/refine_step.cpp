// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/refine_step.h"

#include "core/support/error.h"
#include "data/campaign/fill_step.h"
#include "data/campaign/planned_runs.h"
#include "data/campaign/refine_goal.h"
#include "data/campaign/refinement.h"
#include "data/campaign/refining.h"
#include "data/campaign/run_mixture.h"
#include "data/campaign/surrogate_step.h"
#include "data/evaluate/hold_out.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace gridhelm::data {

namespace {

/// More places that fill the space; kriging of all.
RefineReport fillMore(StudyWriter &writer, const RefineStep &step, const StepControl &control)
{
    if (!step.runs || *step.runs < 1 || step.until || step.hours || !countsEverywhere(step))
        throw Error(
            writer.path().string()
            + " is a study of scattered runs, at places that fill the space: say how many "
              "more there shall be, and nothing else; an error, a time, a place or a region to "
              "refine at are for grids");
    RefineReport report;
    const auto heldOut = std::min<std::uint64_t>(step.holdOuts, *step.runs - 1);
    FillStep fill;
    fill.runs = static_cast<std::size_t>(*step.runs - heldOut);
    fill.jobs = step.jobs;
    fill.keepGoing = step.keepGoing;
    const auto filled = fillStep(writer, fill, control);
    report.runs = filled.done;
    report.failed = filled.failed;
    report.failures = filled;
    report.end = filled.cancelled || filled.paused ? RefineEnd::cancelled
                 : filled.stopped                  ? RefineEnd::failures
                                                   : RefineEnd::runs;
    if (report.end == RefineEnd::cancelled)
        return report;
    CompressStep compression;
    compression.holdOuts = static_cast<std::size_t>(heldOut);
    compression.context = step.context;
    report.compress = compressStep(writer, compression, control);
    report.runs += report.compress.holdOuts.done;
    report.failed += report.compress.holdOuts.failed;
    if (report.compress.cancelled)
        report.end = RefineEnd::cancelled;
    for (const auto &summary : summarize(writer.errorFigures())) {
        if (summary.kind == ErrorKind::leaveOneOut)
            report.estimate = std::max(report.estimate, summary.meanRelativeL2);
        if (summary.kind == ErrorKind::heldOut)
            report.measured = std::max(report.measured.value_or(0), summary.meanRelativeL2);
    }
    return report;
}

/// The next `step.runs`, on the grid and off it.
void addRuns(StudyWriter &writer, const RefineStep &step, const std::vector<FieldMeans> &means,
             const StepControl &control, SuggestReport &report)
{
    const auto fields = fieldsOf(writer, step.field);
    RefinementState state(writer, fields, countsOf(writer, fields, step));
    state.update();
    const RunMixture mixture(writer, fieldsToChooseBy(fields, means, step));
    for (std::size_t f = 0; f < fields.size(); ++f)
        report.estimate =
            std::max(report.estimate, mixture.errorOffGrid(fields[f]).value_or(state.estimate(f)));
    const auto onGrid = *step.runs - mixture.offGridOf(*step.runs);
    const auto blocks = onGrid > 0 ? state.choose(onGrid, onGrid) : std::vector<Refinement>();
    for (const auto &block : blocks)
        report.runs += block.runs;
    // Fewer blocks may be known to follow than there are to be runs.
    const auto offGrid = mixture.mayLeaveGrid() ? *step.runs - report.runs : 0;
    if (blocks.empty() && offGrid == 0)
        throw Error("no block of points is left that takes so few runs, or that the level caps "
                    "allow: ask for more runs, or raise the caps");
    auto transaction = writer.transaction();
    if (!blocks.empty())
        writer.growBlocks(blocks, control.stop);
    planPlaces(writer, static_cast<std::size_t>(offGrid));
    transaction.commit();
    for (const auto &job : writer.jobs())
        if (job.state == JobState::waiting)
            report.points.insert(report.points.end(), job.points.begin(), job.points.end());
    for (auto &run : plannedIn(writer, PlannedRunState::waiting))
        report.places.push_back(std::move(run.parameters));
    report.runs += offGrid;
}

} // namespace

RefineReport refineStep(StudyWriter &writer, const RefineStep &step, const StepControl &control)
{
    if (writer.description().design == StudyDesign::scattered)
        return fillMore(writer, step, control);
    requireSensible(writer, step);
    return Refining(writer, step, control).run();
}

SuggestReport suggestStep(StudyWriter &writer, const RefineStep &step, const StepControl &control)
{
    requireSensible(writer, step);
    if (!step.runs)
        throw Error("say how many runs are to be suggested");
    if (writer.fields().empty())
        throw Error("the study has no results yet that more runs could be suggested by: import "
                    "those of its first points");
    if (const auto waiting = waitingJobs(writer); waiting > 0)
        throw Error(waitText(waiting) + " for results already: import them first");
    SuggestReport report;
    const auto means = meansFor(writer, step, control.stop);
    for (auto again : stepsThatMake(writer, means)) {
        again.allowMissing = true;
        again.context = step.context;
        report.cancelled = report.cancelled || compressStep(writer, again, control).cancelled;
    }
    if (!report.cancelled)
        addRuns(writer, step, means, control, report);
    return report;
}

} // namespace gridhelm::data
