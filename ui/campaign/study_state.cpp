// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/study_state.h"

#include "core/parameters/clean_units.h"
#include "core/support/clean_text.h"
#include "data/campaign/campaign_text.h"
#include "data/campaign/fill_step.h"
#include "data/campaign/run_on.h"
#include "data/campaign/study_plan.h"
#include "data/study/study_writer.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <utility>
#include <variant>

namespace gridhelm::ui {
namespace {

/// The least of all fields'.
std::vector<PointState> pointStates(const data::Study &study, StudyState &state)
{
    const auto there = study.pointsWithSnapshots();
    std::vector<PointState> states(there.size(), PointState::missing);
    for (std::size_t i = 0; i < there.size(); ++i) {
        if (there[i])
            states[i] = PointState::snapshot;
    }
    std::vector<data::CoefficientState> least(there.size(), study.fields().empty()
                                                                ? data::CoefficientState::none
                                                                : data::CoefficientState::final);
    for (std::size_t field = 0; field < study.fields().size(); ++field) {
        const auto coefficients = study.coefficientStates(field);
        for (std::size_t i = 0; i < least.size() && i < coefficients.size(); ++i)
            least[i] = std::min(least[i], coefficients[i]);
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (least[i] != data::CoefficientState::none)
            states[i] = PointState::coefficient;
        state.coefficients += least[i] == data::CoefficientState::final;
        state.provisional += least[i] == data::CoefficientState::provisional;
        state.snapshots += there[i];
    }
    return states;
}

/// As many as a table can follow while they change.
std::vector<data::Job> listed(std::vector<data::Job> jobs)
{
    constexpr std::size_t most = 50'000;
    if (jobs.size() <= most)
        return jobs;
    std::ranges::stable_partition(jobs, [](const data::Job &job) {
        return job.state == data::JobState::failed || job.state == data::JobState::running;
    });
    jobs.resize(most);
    std::ranges::sort(jobs, {}, &data::Job::id);
    return jobs;
}

std::vector<std::string> surrogatesOf(const data::Study &study, const StudyState &state)
{
    std::vector<std::string> sentences;
    for (std::size_t field = 0; field < state.fields.size(); ++field) {
        if (state.coefficients + state.provisional == 0 && !study.hasKriging(field))
            continue;
        auto sentence = state.fields[field] + ": " + data::surrogateText(study, field);
        if (const auto why = data::choiceText(study, field); !why.empty())
            sentence += ", " + why;
        sentences.push_back(std::move(sentence));
    }
    return sentences;
}

void takeJobs(const data::Study &study, StudyState &state)
{
    const auto grid = study.grid();
    const auto &space = state.description.space;
    auto jobs = study.jobs();
    std::map<data::JobId, data::Submission> elsewhere;
    for (auto &submission : study.submissions())
        elsewhere.emplace(submission.job, std::move(submission));
    for (const auto &job : jobs)
        ++state.jobCounts.at(static_cast<std::size_t>(job.state));
    for (const auto &job : listed(std::move(jobs))) {
        JobRow row{job.id, job.state, job.attempts, job.started, job.finished, job.points.size(),
                   {}};
        if (const auto found = elsewhere.find(job.id); found != elsewhere.end()) {
            row.on = QString::fromStdString(cleanLine(found->second.runner));
            row.isQueued = data::isQueued(job, found->second);
        }
        if (!job.points.empty()) {
            const auto values = space.valuesAt(*grid, job.points.front());
            for (const auto t : state.jobParameters)
                row.parameters.push_back(values[t]);
        }
        state.jobs.push_back(std::move(row));
    }
}

/// Runs at places that were chosen.
void takePlannedRuns(const data::Study &study, bool isOnGrid, StudyState &state)
{
    constexpr std::array states{data::JobState::waiting, data::JobState::done,
                                data::JobState::failed};
    for (const auto &run : study.plannedRuns()) {
        const auto as = states.at(static_cast<std::size_t>(run.state));
        ++state.jobCounts.at(static_cast<std::size_t>(as));
        state.jobs.push_back(
            {isOnGrid ? -run.id : run.id, as, run.attempts, 0, 0, 1, run.parameters});
    }
}

/// They are what jobs are elsewhere. Those that are lacking, but have no place yet, wait, too.
void takeRuns(const data::Study &study, StudyState &state)
{
    takePlannedRuns(study, false, state);
    const auto filling = data::fillStateOf(study);
    state.jobCounts.at(static_cast<std::size_t>(data::JobState::waiting)) +=
        filling.lacking() - filling.waiting;
}

GridProjection projectionOfRuns(const data::Study &study, std::size_t across, std::size_t up)
{
    const auto &space = study.description().space;
    std::vector<std::vector<double>> places;
    std::vector<PointState> states;
    for (const auto &run : study.trainingRuns()) {
        places.push_back(space.toUnit(run.parameters));
        states.push_back(PointState::snapshot);
    }
    for (const auto &run : study.plannedRuns()) {
        if (run.trainingRun != 0)
            continue;
        places.push_back(space.toUnit(run.parameters));
        states.push_back(PointState::missing);
    }
    return projectRuns(places, states, across, up);
}

} // namespace

StudyState::StudyState(QString file, data::StudyDescription what)
    : path(std::move(file))
    , description(std::move(what))
{
}

std::uint64_t StudyState::allJobs() const
{
    return std::accumulate(jobCounts.begin(), jobCounts.end(), std::uint64_t{0});
}

StudyState::Contents StudyState::contents() const
{
    return {points,   snapshots,     coefficients, provisional,
            holdOuts, errors.size(), trainingRuns, surrogates.size()};
}

StudyState stateOf(const data::Study &study, std::size_t across, std::size_t up)
{
    StudyState state(QString::fromStdString(study.path().string()), study.description());
    state.description.title = cleanLine(state.description.title);
    state.description.space = withCleanUnits(state.description.space);
    const auto &space = state.description.space;
    const auto grid = study.grid();
    bool hasSimulation = false;
    if (!state.description.simulation.empty()) {
        const auto plan = data::planOf(study);
        hasSimulation = !std::holds_alternative<std::monostate>(plan.simulation);
        state.isBuiltIn = std::holds_alternative<data::BuiltInPlan>(plan.simulation);
        state.canGoElsewhere = std::holds_alternative<data::CommandPlan>(plan.simulation);
        state.cluster = QString::fromStdString(cleanLine(data::clusterOf(plan.run)));
    }
    for (const auto &field : study.fields())
        state.fields.push_back(cleanLine(field.name));
    for (std::size_t t = 0; t < space.parameters().size(); ++t) {
        if (space[t].kind == ParameterKind::ordinary)
            state.jobParameters.push_back(t);
    }
    state.outlook = data::outlookOf(study, hasSimulation);
    state.trainingRuns = study.trainingRuns().size();
    state.points = grid->points();
    std::vector<PointState> states;
    if (state.isScattered()) {
        takeRuns(study, state);
    } else {
        takeJobs(study, state);
        takePlannedRuns(study, true, state);
        states = pointStates(study, state);
    }
    state.growth = data::lastGrowth(study);
    state.holdOuts = study.holdOuts().size();
    state.errors = data::summarize(study.errorFigures());
    state.errorHistory = study.errorHistory();
    state.coverage = data::holdOutCoverage(study);
    state.surrogates = surrogatesOf(study, state);
    for (std::size_t field = 0; field < state.fields.size(); ++field)
        state.doubts.push_back(data::leaveOneOutDoubt(study, field));
    std::error_code ignored;
    const auto bytes = std::filesystem::file_size(study.path(), ignored);
    state.fileBytes = ignored ? 0 : static_cast<double>(bytes);
    const auto last = space.parameters().size() - 1;
    state.across = std::min(across, last);
    state.up = std::min(up, last);
    state.projection = projectionOfRuns(study, state.across, state.up);
    if (!state.isScattered()) { // the grid's points beneath the others
        const auto others = std::move(state.projection.places);
        state.projection = projectStudy(*grid, states, state.across, state.up);
        auto &places = state.projection.places;
        places.insert(places.end(), others.begin(), others.end());
    }
    return state;
}

} // namespace gridhelm::ui
