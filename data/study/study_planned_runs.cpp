// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table of runs at places that the program has chosen.
#include "data/study/row_checksums.h"
#include "data/study/study_writer.h"
#include "data/study/table_access.h"

#include <algorithm>
#include <array>

namespace gridhelm::data {

namespace {

constexpr std::array states{PlannedRunState::waiting, PlannedRunState::done,
                            PlannedRunState::failed};

PlannedRunState stateOf(const StudyFile &file, const std::string &text)
{
    const auto *found = std::ranges::find(states, text, [](auto state) { return toString(state); });
    if (found == states.end())
        file.throwDamaged("a planned run is in no state that there is");
    return *found;
}

PlannedRun plannedRunOf(const StudyFile &file, const Query &row)
{
    if (!isSealed(SealedTable::plannedRuns, row))
        file.throwDamaged("the checksum of a planned run does not match");
    PlannedRun run{row.integer(0),
                   stateOf(file, row.text(1)),
                   static_cast<int>(row.integer(2)),
                   row.integer(3),
                   row.text(4),
                   readParameters(file, row.blob(5))};
    if ((run.state == PlannedRunState::done) != (run.trainingRun != 0))
        file.throwDamaged("a planned run is done without results, or the other way round");
    return run;
}

/// What has come of a run that was not done.
void endPlannedRun(StudyFile &file, const PlannedRun &run, PlannedRunState state,
                   std::int64_t trainingRun, std::string_view log)
{
    if (run.state == PlannedRunState::done)
        throw Error("the run " + std::to_string(run.id)
                    + " is done already: what has succeeded is not run again");
    auto update = file.query(
        "UPDATE planned_runs SET state = ?, attempts = ?, run = ?, log = ? WHERE id = ?");
    update.bind(toString(state))
        .bind(state == PlannedRunState::waiting ? run.attempts : run.attempts + 1);
    if (trainingRun == 0)
        update.bindNull();
    else
        update.bind(trainingRun);
    update.bind(log).bind(run.id).run();
    sealRow(file, SealedTable::plannedRuns, run.id);
}

} // namespace

std::vector<PlannedRun> Study::plannedRuns() const
{
    return m_file->guarded([&] {
        std::vector<PlannedRun> runs;
        const ReadTransaction together(*m_file);
        TableSum sum;
        for (auto row = m_file->query(selectAll(SealedTable::plannedRuns)); row.step();) {
            runs.push_back(plannedRunOf(*m_file, row));
            sum.add(countOf("planned_runs", std::array{row.integer(0), row.integer(7)}));
        }
        m_file->requireSum("planned_runs", sum);
        return runs;
    });
}

PlannedRun Study::plannedRun(std::int64_t id) const
{
    return m_file->guarded([&] {
        auto row = m_file->query(selectOne(SealedTable::plannedRuns));
        if (row.bind(id).step())
            return plannedRunOf(*m_file, row);
        throw Error("the study has no run number " + std::to_string(id));
    });
}

void requireRunsAtAnyPlace(const Study &study)
{
    if (mayRunAtAnyPlace(study))
        return;
    const auto &description = study.description();
    const auto name = study.path().string();
    if (description.kind == StudyKind::scalar)
        throw Error(name
                    + " is a scalar study, whose grid has directions of space as well, and no runs "
                      "off it: add a level with \"grow\"");
    throw Error(name
                + " has runs at the points of its grid alone, since each delivers all values of "
                + description.space[*description.space.timeLike()].name
                + ", and runs off it are stored at one: add a level with \"grow\"");
}

bool mayRunAtAnyPlace(const Study &study)
{
    const auto &description = study.description();
    return description.design == StudyDesign::scattered
           || (description.kind == StudyKind::vector && !description.space.timeLike());
}

std::int64_t StudyWriter::planRun(std::span<const double> parameters)
{
    return inTransaction(*m_file, [&] {
        requireRunsAtAnyPlace(*this);
        description().space.requireInside(parameters);
        m_file
            ->query("INSERT INTO planned_runs (state, attempts, run, log, parameters, checksum) "
                    "VALUES ('waiting', 0, NULL, '', ?, 0)")
            .bind(std::as_bytes(parameters))
            .run();
        const auto id = static_cast<std::int64_t>(m_file->database().getLastInsertRowid());
        sealRow(*m_file, SealedTable::plannedRuns, id);
        return id;
    });
}

void StudyWriter::finishPlannedRun(std::int64_t id, std::int64_t trainingRun)
{
    inTransaction(*m_file, [&] {
        endPlannedRun(*m_file, plannedRun(id), PlannedRunState::done, trainingRun, {});
    });
}

void StudyWriter::failPlannedRun(std::int64_t id, std::string_view log)
{
    inTransaction(*m_file,
                  [&] { endPlannedRun(*m_file, plannedRun(id), PlannedRunState::failed, 0, log); });
}

void StudyWriter::resetPlannedRun(std::int64_t id)
{
    inTransaction(*m_file,
                  [&] { endPlannedRun(*m_file, plannedRun(id), PlannedRunState::waiting, 0, {}); });
}

} // namespace gridhelm::data
