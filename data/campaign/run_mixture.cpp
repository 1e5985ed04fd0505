// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/run_mixture.h"

#include "data/campaign/planned_runs.h"
#include "data/evaluate/surrogate_choice.h"
#include "data/study/field_kriging.h"
#include "data/study/study_writer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gridhelm::data {

namespace {

// Kriging hardly misses a quarter of the runs that are on the grid in place of filling the space,
// and the grid is within a few factors of itself with a quarter of the runs less.
constexpr double shareOfTheBetter = 0.75;
constexpr double shareOfEither = 0.5;
/// Before there are so many runs, kriging is ahead nearly everywhere, and the grid is to have
/// enough points to show how fast its error falls.
constexpr std::uint64_t runsToTell = 110;
/// Points for each parameter, and once more, from which on a grid shows how fast it is.
constexpr std::uint64_t pointsToTell = 5;
constexpr double leastError = 1e-6; ///< that can be told, of values in single precision
/// Of the runs that a choice knows of, so many more make another one worth its time.
constexpr double growthToChoose = 0.125;

/// Whether the grid will be ahead once there are twice as many runs, if it gets most of them: by
/// the power of its number of points with which its error has fallen since it had half of them,
/// and a power that is usual for kriging. Where the one wins, it is by 3 to 8, and 1 to 2
/// elsewhere.
bool willGridWin(const SurrogateChoice &choice, std::uint64_t runs)
{
    constexpr double krigingFalls = 1.5, least = 0.5, most = 5;
    const auto points = static_cast<double>(choice.gridPoints);
    const double grid = std::max(choice.sparseGrid, leastError);
    double falls = krigingFalls;
    if (choice.olderHalf && choice.olderPoints < choice.gridPoints)
        falls = std::log(std::max(*choice.olderHalf, leastError) / grid)
                / std::log(points / static_cast<double>(choice.olderPoints));
    const double then = points + shareOfTheBetter * static_cast<double>(runs);
    return grid * std::pow(points / then, std::clamp(falls, least, most))
           < std::max(choice.kriging.value_or(1), leastError) * std::pow(0.5, krigingFalls);
}

/// Of the surrogate that was chosen; none if it was not by runs off the grid.
std::optional<double> errorOffGridOf(const SurrogateChoice &choice)
{
    if (!choice.isOffGrid)
        return std::nullopt;
    return choice.isKriging ? choice.kriging : choice.sparseGrid;
}

} // namespace

RunsByPlace runsByPlace(const Study &study)
{
    RunsByPlace runs;
    for (const auto &job : study.jobs())
        runs.onGrid += job.state != JobState::failed;
    runs.offGrid = study.trainingRuns().size() + plannedIn(study, PlannedRunState::waiting).size();
    return runs;
}

RunMixture::RunMixture(const Study &study, std::vector<FieldIndex> fields)
    : m_study(study)
    , m_fields(mayRunAtAnyPlace(study) ? std::move(fields) : std::vector<FieldIndex>())
{
}

bool RunMixture::mayLeaveGrid() const
{
    return !m_fields.empty() && runsByPlace(m_study).all() < FieldKriging::mostRuns;
}

bool RunMixture::isToBeChosen(FieldIndex field) const
{
    const auto choice = choiceOf(m_study, field);
    const auto kriging = m_study.kriging(field);
    if (!choice || choice->isKriging != (kriging != nullptr))
        return true;
    const auto known = kriging ? kriging->model.runs
                               : choice->gridPoints + (choice->isOffGrid ? choice->places : 0);
    return static_cast<double>(runsByPlace(m_study).all())
           >= (1 + growthToChoose) * static_cast<double>(known);
}

std::vector<FieldIndex> RunMixture::fieldsToChoose() const
{
    auto fields = mayLeaveGrid() ? m_fields : std::vector<FieldIndex>();
    std::erase_if(fields, [&](FieldIndex field) { return !isToBeChosen(field); });
    return fields;
}

std::optional<double> RunMixture::errorOffGrid(FieldIndex field) const
{
    if (std::ranges::find(m_fields, field) == m_fields.end())
        return std::nullopt;
    const auto choice = choiceOf(m_study, field);
    return choice ? errorOffGridOf(*choice) : std::nullopt;
}

/// What suits the field with the largest error, as far as that is known.
double RunMixture::share(std::uint64_t runs) const
{
    const auto jobs = m_study.jobs();
    const bool hasFailed = std::ranges::count(jobs, JobState::failed, &Job::state) > 0;
    double worst = -1, share = shareOfEither;
    for (const auto field : m_fields) {
        const auto choice = choiceOf(m_study, field);
        // Points whose runs go on lack for now, those whose runs have failed for good.
        const bool lacks = choice && choice->missingPoints > 0 && hasFailed;
        if (!choice || (!choice->isOffGrid && !lacks))
            continue;
        // A grid that lacks points is not compared, and not better than kriging.
        const double error = errorOffGridOf(*choice).value_or(std::numeric_limits<double>::max());
        if (error <= worst)
            continue;
        worst = error;
        const auto parameters = m_study.description().space.parameters().size();
        if (choice->isTakenBack) // these errors are no guide
            share = shareOfEither;
        else if (choice->isOffGrid && choice->gridPoints >= pointsToTell * (parameters + 1)
                 && willGridWin(*choice, runs))
            share = 1 - shareOfTheBetter;
        else
            share = choice->isOffGrid && runs < runsToTell ? shareOfEither : shareOfTheBetter;
    }
    return share;
}

std::uint64_t RunMixture::offGridOf(std::uint64_t next) const
{
    if (!mayLeaveGrid())
        return 0;
    const auto runs = runsByPlace(m_study);
    const double wanted = share(runs.all()) * static_cast<double>(runs.all() + next);
    const double lacking = std::round(wanted) - static_cast<double>(runs.offGrid);
    return static_cast<std::uint64_t>(std::clamp(lacking, 0.0, static_cast<double>(next)));
}

} // namespace gridhelm::data
