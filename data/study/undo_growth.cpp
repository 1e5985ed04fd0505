// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/undo_growth.h"

#include "data/study/description_rows.h"
#include "data/study/study_file.h"
#include "data/study/table_access.h"

#include <algorithm>
#include <string>
#include <vector>

namespace gridhelm::data {
namespace {

/// The ids of the points of a vector study that no grid but the last one has.
std::vector<std::int64_t> newestPoints(const Study &study, std::int64_t generation)
{
    std::vector<std::int64_t> points;
    auto jobs = study.file().query("SELECT id FROM jobs WHERE generation = ? ORDER BY id");
    for (jobs.bind(generation); jobs.step();) {
        for (const auto point : study.job(jobs.integer(0)).points)
            points.push_back(study.file().pointId(point));
    }
    return points;
}

bool hasRow(const StudyFile &file, const char *sql, std::int64_t id)
{
    return file.query(sql).bind(id).step();
}

std::size_t countJobs(const StudyFile &file, std::int64_t generation, const char *sql)
{
    auto count = file.query(sql);
    count.bind(generation).step();
    return static_cast<std::size_t>(count.integer(0));
}

std::string obstacleOf(const Study &study, std::int64_t generation)
{
    const auto &file = study.file();
    if (const auto running = countJobs(file, generation,
                                       "SELECT count(*) FROM jobs WHERE generation = ? "
                                       "AND state = 'running'");
        running > 0)
        return std::to_string(running)
               + " of its jobs are running: stop them first, or wait until they have ended";
    const std::string results = "its first results are there, and results are not thrown away: "
                                "keep the points; jobs that are waiting need not be run";
    if (countJobs(file, generation,
                  "SELECT count(*) FROM jobs WHERE generation = ? AND state = 'done'")
        > 0)
        return results;
    if (study.description().kind == StudyKind::scalar)
        return {};
    for (const auto point : newestPoints(study, generation)) { // of files, which need no job
        if (hasRow(file, "SELECT 1 FROM snapshots WHERE point = ? LIMIT 1", point)
            || hasRow(file, "SELECT 1 FROM coefficients WHERE point = ? LIMIT 1", point))
            return results;
    }
    return {};
}

/// What growGrid() has made of the caps is undone: none, where the grid's level was the limit.
void restoreCaps(StudyFile &file, const ParameterSpace &space, const GridRow &before)
{
    for (std::size_t t = 0; t < before.caps.size(); ++t) {
        const int cap = before.caps[t];
        auto update = file.query("UPDATE parameters SET level_cap = ? WHERE dimension = ?");
        if (!space[t].isDense && cap == std::max(before.level, 1) && space[t].levelCap != cap)
            update.bindNull();
        else
            update.bind(cap);
        update.bind(static_cast<std::int64_t>(t)).run();
    }
}

} // namespace

std::optional<Growth> lastGrowth(const Study &study)
{
    return study.file().guarded([&]() -> std::optional<Growth> {
        const ReadTransaction together(study.file());
        const auto rows = readGridRows(study.file().database());
        if (rows.size() < 2)
            return std::nullopt;
        const auto &before = rows[rows.size() - 2];
        const auto generation = static_cast<std::int64_t>(rows.size()) - 1;
        return Growth{
            before.level, rows.back().points - before.points,
            countJobs(study.file(), generation, "SELECT count(*) FROM jobs WHERE generation = ?"),
            obstacleOf(study, generation)};
    });
}

namespace {

void removeNewest(StudyWriter &writer, const std::vector<GridRow> &rows)
{
    auto &file = writer.file();
    const auto generation = static_cast<std::int64_t>(rows.size()) - 1;
    if (writer.description().kind == StudyKind::vector) {
        for (const auto id : newestPoints(writer, generation))
            file.query("DELETE FROM points WHERE id = ?").bind(id).run();
    }
    for (const char *sql :
         {"DELETE FROM jobs WHERE generation = ?", "DELETE FROM refinements WHERE generation = ?",
          "DELETE FROM grid_blocks WHERE generation = ?", "DELETE FROM grids WHERE generation = ?"})
        file.query(sql).bind(generation).run();
    if (!rows.back().leavesLast) { // refining leaves the caps alone
        auto before = rows.rbegin() + 1;
        while (before + 1 != rows.rend() && before->leavesLast)
            ++before; // whose caps are those of what was chosen, not the user's
        restoreCaps(file, writer.description().space, *before);
    }
    file.updateChecksum();
    file.load();
}

} // namespace

Growth undoGrowth(StudyWriter &writer)
{
    return inTransaction(writer.file(), [&] {
        const auto growth = lastGrowth(writer);
        const auto name = writer.path().string();
        if (!growth)
            throw Error(name + " has the grid that it began with: there is no growth to undo");
        if (!growth->obstacle.empty())
            throw Error("the growth of " + name + " cannot be undone: " + growth->obstacle);
        removeNewest(writer, readGridRows(writer.file().database()));
        return *growth;
    });
}

} // namespace gridhelm::data
