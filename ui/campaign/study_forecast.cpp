// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/study_forecast.h"

#include "data/campaign/campaign_text.h"
#include "data/campaign/study_plan.h"

#include <QFileInfo>

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {

data::PlanCost growthOf(const StudyState &state, int level)
{
    const auto &description = state.description;
    const auto plan = description.simulation.empty()
                          ? data::Plan{description, {}, {}}
                          : data::planOf(description, QFileInfo(state.path).path().toStdString());
    const auto more = data::costOf(plan, description.space, level);
    const auto now = data::costOf(plan, description.space, description.level);
    return {more.points - std::min(now.points, more.points),
            more.jobs - std::min(now.jobs, more.jobs), more.bytes - now.bytes};
}

QString timeForecast(const StudyState &state, std::uint64_t jobs, int atATime)
{
    double seconds = 0;
    std::size_t timed = 0;
    for (const auto &job : state.jobs) {
        if (job.state != data::JobState::done || job.started <= 0 || job.finished < job.started)
            continue; // imported, or by a clock that was set
        seconds += job.finished - job.started;
        ++timed;
    }
    if (timed == 0 || jobs == 0)
        return {};
    // Jobs in one batch end together: as many batches as it takes.
    const auto batches = std::ceil(static_cast<double>(jobs) / std::max(atATime, 1));
    const auto expected = seconds / static_cast<double>(timed) * batches;
    if (expected < 1)
        return "less than a second";
    return "about " + QString::fromStdString(data::durationText(expected));
}

QString growthForecast(const StudyState &state, const data::PlanCost &added, int atATime)
{
    auto text = QString::fromStdString(data::costText(added));
    if (const auto time = timeForecast(state, added.jobs, atATime); !time.isEmpty())
        text += ", " + time;
    return text;
}

QString holdOutForecast(const StudyState &state, std::size_t holdOuts, int atATime)
{
    const auto there = state.coverage.there;
    const auto measured =
        there > 0
            ? QString("measures the error at the %1 validation points that are there").arg(there)
            : QString("measures no error at other parameters");
    if (holdOuts <= there)
        return "Runs no simulation; " + measured;
    if (!state.outlook.hasSimulation)
        return "Runs no simulation, because the study has none; to measure the error, "
               + QString::fromStdString(data::howToMeasure(state.outlook));
    const auto more = holdOuts - there;
    auto text = QString("Runs %1 more %2 at other parameters to measure the error")
                    .arg(more)
                    .arg(more == 1 ? "simulation" : "simulations");
    if (const auto time = timeForecast(state, more, atATime); !time.isEmpty())
        text += " (" + time + ")";
    return text;
}

} // namespace gridhelm::ui
