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
// and the grid is within a few factors of itself with a quarter of the runs less; but both are to
// be known well enough to see which one falls faster.
constexpr double shareOfTheBetter = 0.75;
constexpr double shareOfEither = 0.5;
/// Of the runs that a choice knows of, so many more make another one worth its time.
constexpr double growthToChoose = 0.125;

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

std::optional<double> RunMixture::errorOffGrid(FieldIndex field) const
{
    if (std::ranges::find(m_fields, field) == m_fields.end())
        return std::nullopt;
    const auto choice = choiceOf(m_study, field);
    if (!choice || !choice->isOffGrid)
        return std::nullopt;
    return choice->isKriging ? choice->kriging : choice->sparseGrid;
}

/// What suits the field with the largest error, as far as that is known.
double RunMixture::share() const
{
    double worst = -1, share = shareOfEither;
    for (const auto field : m_fields) {
        const auto choice = choiceOf(m_study, field);
        if (!choice || (!choice->isOffGrid && choice->missingPoints == 0))
            continue;
        // A grid that lacks points is not compared, and not better than kriging.
        const double error = errorOffGrid(field).value_or(std::numeric_limits<double>::max());
        if (error <= worst)
            continue;
        worst = error;
        share = choice->isKriging ? shareOfTheBetter : 1 - shareOfTheBetter;
    }
    return share;
}

std::uint64_t RunMixture::offGridOf(std::uint64_t next) const
{
    if (!mayLeaveGrid())
        return 0;
    const auto runs = runsByPlace(m_study);
    const double wanted = share() * static_cast<double>(runs.all() + next);
    const double lacking = std::round(wanted) - static_cast<double>(runs.offGrid);
    return static_cast<std::uint64_t>(std::clamp(lacking, 0.0, static_cast<double>(next)));
}

} // namespace gridhelm::data
