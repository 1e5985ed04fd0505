// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/refine_goal.h"

#include "core/support/error.h"
#include "data/campaign/campaign_steps.h"
#include "data/campaign/study_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace gridhelm::data {

namespace {

/// What does not matter, NaN, at the low end of its range.
std::vector<double> withLowestElsewhere(const ParameterSpace &space, std::vector<double> values)
{
    if (values.size() != space.parameters().size())
        throw Error("the point to refine at needs a value for each parameter");
    for (std::size_t t = 0; t < values.size(); ++t)
        if (std::isnan(values[t]))
            values[t] = space[t].low;
    return values;
}

/// In the unit cube, NaN where any place matters; empty if all do.
std::vector<double> placeOf(const ParameterSpace &space, const std::vector<double> &at)
{
    if (at.empty())
        return {};
    auto place = space.toUnit(withLowestElsewhere(space, at));
    for (std::size_t t = 0; t < place.size(); ++t)
        if (std::isnan(at[t]))
            place[t] = at[t];
    return place;
}

} // namespace

std::string waitText(std::uint64_t runs)
{
    return runs == 1 ? "1 run waits" : fmt::format("{} runs wait", runs);
}

bool goesOn(const StepControl &control)
{
    return !control.stop.stop_requested() && !control.pause.stop_requested();
}

void requireSensible(const StudyWriter &writer, const RefineStep &step)
{
    if (writer.description().design != StudyDesign::scattered)
        requireRefinable(writer);
    else if (!countsEverywhere(step))
        throw Error(writer.path().string()
                    + " is a study of scattered runs, which fill the space wherever the error is: "
                      "a point or a region to refine at is for grids");
    if (!step.runs && !step.until && !step.hours)
        throw Error("refining needs an end: say how many runs, until which error, or for how many "
                    "hours");
    if (step.until && !(*step.until >= leastWishedError && *step.until < 1))
        throw Error(fmt::format("an error of {:.3g} % cannot be reached: snapshots are stored in "
                                "single precision; choose one from 0.0001 % to below 100 %",
                                100 * *step.until));
    if (step.runs && *step.runs < 1)
        throw Error("refining needs at least one run");
    const auto &space = writer.description().space;
    const auto least = step.holdOuts + space.parameters().size() + 1;
    const bool isNew =
        writer.description().design == StudyDesign::scattered && writer.trainingRuns().empty();
    if (isNew && step.runs && *step.runs < least)
        throw Error(
            fmt::format("the first refinement of {} needs at least {} runs: {} for kriging and {} "
                        "validation points; allow more, or ask for fewer validation points",
                        writer.path().string(), least, least - step.holdOuts, step.holdOuts));
    if (const auto waiting = waitingJobs(writer); step.runs && waiting > *step.runs)
        throw Error(waitText(waiting) + " already: allow at least so many runs, or run them first");
    if (step.hours && !(*step.hours > 0))
        throw Error("refining needs more than 0 hours");
    if (!step.at.empty())
        writer.description().space.requireInside(
            withLowestElsewhere(writer.description().space, step.at));
    if (!writer.fields().empty()) // before a run is made in vain
        static_cast<void>(countsOf(writer, fieldsOf(writer, step.field), step));
}

std::vector<FieldIndex> fieldsOf(const Study &study, const std::string &name)
{
    if (!name.empty())
        return {study.fieldIndex(name)};
    std::vector<FieldIndex> all(study.fields().size());
    std::iota(all.begin(), all.end(), FieldIndex{0});
    return all;
}

bool countsEverywhere(const RefineStep &step)
{
    return step.at.empty() && !step.region;
}

std::vector<ErrorThatCounts> countsOf(const Study &study, const std::vector<FieldIndex> &fields,
                                      const RefineStep &step)
{
    std::vector<ErrorThatCounts> counts;
    for (const auto field : fields) {
        auto &of =
            counts.emplace_back(ErrorThatCounts{placeOf(study.description().space, step.at), {}});
        if (!step.region)
            continue;
        const bool isAtPoints = study.fields()[field].association == Association::point;
        of.entities = isAtPoints ? step.region->points : step.region->cells;
        if (of.entities.empty())
            throw Error("the region holds no value of field " + study.fields()[field].name
                        + ", which has them at the mesh's "
                        + (isAtPoints ? "points" : "cells (their middles)")
                        + ": choose a larger one");
    }
    return counts;
}

namespace {

/// Whether the plan is adaptive, and nothing of what it leaves open is settled yet.
bool isToBeChosen(const Study &study, const std::stop_token &stop)
{
    const auto isByHand = [](const FieldMeans &of) { return of.isKriged && !of.isChosen; };
    return !study.description().simulation.empty() && mayRunAtAnyPlace(study)
           && study.refinements().empty() && study.plannedRuns().empty()
           && std::ranges::none_of(meansOf(study), isByHand) && planOf(study, stop).isAdaptive;
}

} // namespace

RefineStep settled(const Study &study, RefineStep step, const std::stop_token &stop)
{
    if (!step.surrogate && isToBeChosen(study, stop))
        step.surrogate = SurrogateKind::chosen;
    return step;
}

std::vector<FieldMeans> meansFor(const Study &study, const RefineStep &step)
{
    CompressStep compression;
    if (step.surrogate)
        compression.surrogate = SurrogateStep{*step.surrogate, {}};
    return wantedMeans(study, compression);
}

bool compressAgain(StudyWriter &writer, const std::vector<FieldMeans> &means,
                   const RefineStep &wanted, const StepControl &control, ComputedOn *where)
{
    rememberMeans(writer, chosenAgain(means));
    CompressStep step;
    step.allowMissing = true;
    step.context = wanted.context;
    step.backend = wanted.backend;
    const auto report = compressStep(writer, step, control);
    if (where != nullptr)
        *where |= report.computedOn;
    return !report.cancelled;
}

std::vector<FieldIndex> fieldsToChooseBy(const std::vector<FieldIndex> &fields,
                                         const std::vector<FieldMeans> &means,
                                         const RefineStep &step)
{
    auto chosen = countsEverywhere(step) ? fields : std::vector<FieldIndex>();
    std::erase_if(chosen, [&](FieldIndex field) { return !means[field].isChosen; });
    return chosen;
}

} // namespace gridhelm::data
