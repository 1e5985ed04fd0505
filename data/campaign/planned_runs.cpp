// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/planned_runs.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace gridhelm::data {

std::vector<PlannedRun> plannedIn(const Study &study, PlannedRunState state)
{
    auto runs = study.plannedRuns();
    std::erase_if(runs, [&](const auto &run) { return run.state != state; });
    return runs;
}

void waitAgain(StudyWriter &writer, const std::vector<PlannedRun> &runs)
{
    if (runs.empty())
        return; // nothing is written in vain
    auto transaction = writer.transaction();
    for (const auto &run : runs)
        writer.resetPlannedRun(run.id);
    transaction.commit();
}

void PlannedRuns::workOn(std::vector<PlannedRun> round)
{
    m_round = std::move(round);
    work(m_round.size(), findElsewhere(m_round.size()));
}

std::size_t PlannedRuns::takeNewRuns()
{
    const auto before = m_round.size();
    std::set<std::int64_t> known;
    for (const auto &run : m_round)
        known.insert(run.id);
    for (auto &run : plannedIn(m_study.writer, PlannedRunState::waiting))
        if (!known.contains(run.id))
            m_round.push_back(std::move(run));
    return m_round.size() - before;
}

std::string PlannedRuns::nameOf(std::size_t index) const
{
    return runNameOf(m_round[index]);
}

const std::vector<double> &PlannedRuns::parametersOf(std::size_t index) const
{
    return m_round[index].parameters;
}

void PlannedRuns::store(std::size_t index, RunSnapshot snapshot)
{
    auto transaction = m_study.writer.transaction();
    const auto id = m_study.store.putTrainingRun(m_round[index].parameters, {std::move(snapshot)});
    m_study.writer.finishPlannedRun(m_round[index].id, id);
    transaction.commit();
}

JobId PlannedRuns::fail(std::size_t index, const std::string &log)
{
    m_study.writer.failPlannedRun(m_round[index].id, log);
    return m_round[index].id;
}

} // namespace gridhelm::data
