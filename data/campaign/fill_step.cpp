// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/fill_step.h"

#include "core/parameters/round_values.h"
#include "core/support/error.h"
#include "core/surrogate/filling_places.h"
#include "data/campaign/planned_runs.h"
#include "data/campaign/run_on.h"
#include "data/campaign/step_runner.h"
#include "data/campaign/study_plan.h"

#include <algorithm>
#include <set>
#include <string>

namespace gridhelm::data {

namespace {

/// Values that a person can read and type, many more than there are runs.
class RoundPlace
{
public:
    explicit RoundPlace(const ParameterSpace &space)
        : m_space(space)
    {
        constexpr double least = 10'000;
        for (const auto &parameter : space.parameters())
            m_round.emplace_back(parameter, least);
    }

    std::vector<double> valuesAt(std::span<const double> x) const
    {
        auto values = m_space.fromUnit(x);
        for (std::size_t t = 0; t < values.size(); ++t)
            values[t] = std::clamp(m_round[t].nearest(values[t]), m_space[t].low, m_space[t].high);
        return values;
    }

private:
    ParameterSpace m_space;
    std::vector<RoundValues> m_round;
};

void takeUnit(FillingPlaces &places, const ParameterSpace &space, std::span<const double> values)
{
    auto x = space.toUnit(values);
    for (auto &coordinate : x)
        coordinate = std::clamp(coordinate, 0.0, 1.0);
    places.add(x);
}

std::vector<std::vector<double>> choose(FillingPlaces &places, const ParameterSpace &space,
                                        std::size_t count)
{
    const RoundPlace round(space);
    std::vector<std::vector<double>> chosen;
    while (chosen.size() < count) {
        chosen.push_back(round.valuesAt(places.next()));
        takeUnit(places, space, chosen.back());
    }
    return chosen;
}

/// `count` runs that wait: those that were chosen before, then others, which are chosen now.
std::vector<PlannedRun> nextRound(StudyWriter &writer, std::size_t count)
{
    auto waiting = plannedIn(writer, PlannedRunState::waiting);
    if (waiting.size() < count) {
        planPlaces(writer, count - waiting.size());
        waiting = plannedIn(writer, PlannedRunState::waiting);
    }
    waiting.resize(std::min(waiting.size(), count));
    return waiting;
}

void requireRoom(const Study &study, std::size_t runs)
{
    if (study.description().design != StudyDesign::scattered)
        throw Error(study.path().string()
                    + " has its runs at the points of a grid, and no others: add a level with "
                      "\"grow\", or plan a new study with design = \"space-filling\"");
    const auto there = study.trainingRuns().size();
    if (runs > FieldKriging::mostRuns - std::min(there, FieldKriging::mostRuns))
        throw Error(study.path().string() + " has " + std::to_string(there)
                    + " runs, and kriging takes " + std::to_string(FieldKriging::mostRuns)
                    + " at most: ask for fewer than " + std::to_string(runs) + " more");
}

bool goesOn(const Study &study)
{
    const auto failed = plannedIn(study, PlannedRunState::failed).size();
    return 2 * failed <= study.plannedRuns().size();
}

} // namespace

std::vector<std::vector<double>> nextPlaces(const Study &study, std::size_t count)
{
    requireRunsAtAnyPlace(study);
    const auto &space = study.description().space;
    FillingPlaces places(space.dimension(), fillingSeed);
    std::set<std::int64_t> chosen;
    const auto planned = study.plannedRuns();
    for (const auto &run : planned)
        chosen.insert(run.trainingRun);
    // Others first: they may have been there before, and their order is that of their import.
    for (const auto &run : study.trainingRuns()) {
        if (!chosen.contains(run.id))
            takeUnit(places, space, run.parameters);
    }
    for (const auto &run : planned)
        takeUnit(places, space, run.parameters);
    if (study.description().design == StudyDesign::grid) {
        std::vector<double> x(space.parameters().size());
        for (std::uint64_t point = 0; point < study.grid()->points(); ++point) {
            study.grid()->coordinates(point, x);
            places.add(x);
        }
    }
    return choose(places, space, count);
}

std::vector<std::vector<double>> firstPlaces(const ParameterSpace &space, std::size_t count)
{
    FillingPlaces places(space.dimension(), fillingSeed);
    return choose(places, space, count);
}

void planPlaces(StudyWriter &writer, std::size_t count)
{
    if (count == 0)
        return;
    const auto places = nextPlaces(writer, count);
    auto transaction = writer.transaction();
    for (const auto &place : places)
        writer.planRun(place);
    transaction.commit();
}

std::size_t FillState::lacking() const
{
    return std::max(waiting, wanted - std::min(wanted, made));
}

FillState fillStateOf(const Study &study, const std::stop_token &stop)
{
    FillState state;
    state.made = study.trainingRuns().size();
    if (!study.description().simulation.empty())
        state.wanted = planOf(study, stop).runs;
    for (const auto &run : study.plannedRuns()) {
        state.failed += run.state == PlannedRunState::failed;
        state.waiting += run.state == PlannedRunState::waiting;
    }
    return state;
}

CampaignReport fillStep(StudyWriter &writer, const FillStep &step, const StepControl &control)
{
    requireRoom(writer, step.runs);
    const auto again =
        step.retryFailed ? plannedIn(writer, PlannedRunState::failed) : std::vector<PlannedRun>();
    CampaignReport report;
    report.waiting = plannedIn(writer, PlannedRunState::waiting).size();
    if (step.runs == 0 && again.empty())
        return report; // nothing is executed: nothing to agree to
    tidyAfterKills(writer);
    const auto plan = planOf(writer, control.stop);
    const auto runner = runnerOf(writer, plan, step.keepFolders, control);
    report.on = placeOf(*runner);
    auto options = campaignOptions(plan, control, StepProgress::Phase::jobs, step.jobs);
    options.keepGoing = step.keepGoing;
    waitAgain(writer, again);
    PlannedRuns runs(writer, *runner, options, report);
    auto round = std::max(step.runs, again.empty() ? 0 : report.waiting + again.size());
    while (true) {
        const auto ended = report.done + report.failed;
        runs.workOn(nextRound(writer, round));
        const bool isOver = report.cancelled || report.paused || report.stopped;
        if (isOver || report.done >= step.runs || report.done + report.failed == ended
            || !goesOn(writer))
            break;
        round = step.runs - report.done;
    }
    report.waiting = plannedIn(writer, PlannedRunState::waiting).size();
    return report;
}

} // namespace gridhelm::data
