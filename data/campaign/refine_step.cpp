// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/refine_step.h"

#include "core/support/error.h"
#include "data/campaign/fill_step.h"
#include "data/campaign/filling_chooser.h"
#include "data/campaign/planned_runs.h"
#include "data/campaign/refine_goal.h"
#include "data/campaign/refinement.h"
#include "data/campaign/refining.h"
#include "data/campaign/run_mixture.h"
#include "data/campaign/surrogate_step.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace gridhelm::data {

namespace {

void takeWaitingPlaces(const Study &study, SuggestReport &report)
{
    for (auto &run : plannedIn(study, PlannedRunState::waiting))
        report.places.push_back(std::move(run.parameters));
}

/// The next `step.runs` that fill the space.
void addPlaces(StudyWriter &writer, const RefineStep &step, const StepControl &control,
               SuggestReport &report)
{
    FillingChooser chooser(writer, step, control);
    for (const auto &error : chooser.estimates())
        report.estimate = std::max(report.estimate, error.value_or(0));
    report.runs = chooser.add(*step.runs, *step.runs).offGrid;
    if (report.runs == 0)
        throw Error("no run can be added: " + chooser.exhaustion());
    takeWaitingPlaces(writer, report);
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
    takeWaitingPlaces(writer, report);
    report.runs += offGrid;
}

} // namespace

RefineReport refineStep(StudyWriter &writer, const RefineStep &step, const StepControl &control)
{
    requireSensible(writer, step);
    if (writer.description().simulation.empty()
        && writer.description().design == StudyDesign::scattered)
        throw Error(writer.path().string()
                    + " is a study of scattered runs, which were made elsewhere: ask for the next "
                      "runs with \"suggest\", and import what comes of them");
    const auto wanted = settled(writer, step, control.stop);
    return Refining(writer, wanted, control).run();
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
    const auto wanted = settled(writer, step, control.stop);
    const auto means = meansFor(writer, wanted);
    report.cancelled = !compressAgain(writer, means, wanted, control, &report.computedOn);
    if (report.cancelled)
        return report;
    if (writer.description().design == StudyDesign::scattered)
        addPlaces(writer, wanted, control, report);
    else
        addRuns(writer, wanted, means, control, report);
    return report;
}

} // namespace gridhelm::data
