// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/next_step.h"

#include "app/cli/study_console.h"
#include "core/sparse/sparse_grid.h"
#include "data/campaign/fill_step.h"
#include "data/campaign/study_outlook.h"
#include "data/evaluate/hold_out_places.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::cli {
namespace {

/// Whether there is no point below it that would have to be there.
bool isRoot(const sparse::SparseGrid &grid, std::uint64_t point)
{
    return point < grid.blockSize(0); // the block of the lowest levels, which all others need
}

} // namespace

bool canCompress(const data::Study &study)
{
    if (study.fields().empty())
        return false;
    const auto jobs = study.jobs();
    if (study.description().kind == data::StudyKind::scalar)
        return std::ranges::all_of(
            jobs, [](const auto &job) { return job.state == data::JobState::done; });
    const auto there = study.pointsWithSnapshots();
    const auto grid = study.grid();
    for (std::uint64_t point = 0; point < there.size(); ++point)
        if (there[point] && isRoot(*grid, point))
            return true;
    return false;
}

std::string nextStep(const data::Study &study)
{
    const auto name = shellText(study.path());
    if (study.description().design == data::StudyDesign::scattered) {
        const bool isLacking = data::hasSimulation(study) && data::fillStateOf(study).lacking() > 0;
        return (isLacking ? "gridhelm-cli run " : "gridhelm-cli compress ") + name;
    }
    bool isWaiting = false, hasFailed = false;
    for (const auto &job : study.jobs()) {
        isWaiting = isWaiting || job.state != data::JobState::done;
        hasFailed = hasFailed || job.state == data::JobState::failed;
    }
    for (const auto &run : study.plannedRuns()) {
        isWaiting = isWaiting || run.state == data::PlannedRunState::waiting;
        hasFailed = hasFailed || run.state == data::PlannedRunState::failed;
    }
    if (!isWaiting)
        return "gridhelm-cli compress " + name;
    if (!data::hasSimulation(study))
        return "gridhelm-cli import " + name + " --table params.csv";
    return "gridhelm-cli run " + name + (hasFailed ? " --retry-failed" : "");
}

std::string howToMeasure(const data::Study &study)
{
    const auto name = shellText(study.path());
    const auto compress = "gridhelm-cli compress " + name;
    const auto next = nextStep(study);
    if (next != compress)
        return next;
    if (data::hasSimulation(study))
        return fmt::format(
            "{} --holdout {}", compress,
            data::sensibleHoldOuts(study.jobs().size() + study.trainingRuns().size()));
    return fmt::format("gridhelm-cli import {} --table more.csv, with files of runs with other "
                       "parameters, then {}",
                       name, compress);
}

} // namespace gridhelm::cli
