// SPDX-License-Identifier: GPL-3.0-or-later
//
// A new study's tables, and a grid that grows: points and jobs.
#include "core/support/version.h"
#include "data/study/grid_store.h"
#include "data/study/row_checksums.h"
#include "data/study/study_file.h"
#include "data/study/study_limits.h"

#include <array>
#include <chrono>
#include <ctime>

namespace gridhelm::data {

namespace {

std::string capsText(const std::vector<int> &caps)
{
    std::string text;
    for (int cap : caps)
        text += (text.empty() ? "" : ",") + std::to_string(cap);
    return text;
}

std::string utcNow()
{
    const auto now = std::chrono::system_clock::now();
    const auto seconds = std::chrono::system_clock::to_time_t(now);
    const auto micro =
        std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count()
        % 1'000'000;
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    std::array<char, 32> text{};
    const auto length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    const auto fraction = std::to_string(1'000'000 + micro).substr(1);
    return std::string(text.data(), length) + "." + fraction + "Z";
}

void bindParameter(Query &query, const Parameter &parameter, std::size_t dimension)
{
    query.bind(static_cast<std::int64_t>(dimension))
        .bind(std::string_view(parameter.name))
        .bind(std::string_view(parameter.unit))
        .bind(parameter.low)
        .bind(parameter.high)
        .bind(toString(parameter.scale))
        .bind(toString(parameter.kind));
    if (parameter.treatment)
        query.bind(sparse::toString(*parameter.treatment));
    else
        query.bindNull();
    if (parameter.levelCap)
        query.bind(*parameter.levelCap);
    else
        query.bindNull();
    query.bind(parameter.isDense ? 1 : 0).bind(parameter.degree);
}

} // namespace

void StudyFile::writeDescription(const StudyDescription &description)
{
    const auto program = std::string(versionString()) + " " + std::string(commitString());
    const auto created = utcNow();
    query("INSERT INTO study (id, compatible_version, kind, title, simulation, program, created, "
          "checksum, design) VALUES (1, ?, ?, ?, ?, ?, ?, 0, ?)")
        .bind(m_history.compatibleVersion())
        .bind(toString(description.kind))
        .bind(std::string_view(description.title))
        .bind(std::string_view(description.simulation))
        .bind(std::string_view(program))
        .bind(std::string_view(created))
        .bind(toString(description.design))
        .run();
    for (std::size_t t = 0; t < description.space.parameters().size(); ++t) {
        auto insert =
            query("INSERT INTO parameters (dimension, name, unit, low, high, scale, kind, "
                  "treatment, level_cap, dense, degree) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        bindParameter(insert, description.space[t], t);
        insert.run();
    }
}

void StudyFile::addGrid(const StudyDescription &description, const std::stop_token &stop)
{
    const auto shape = description.space.shape(description.level);
    requireSensible(description);
    requireSensible(sparse::countGrid(shape), description.kind);
    addGrid(description, shape, sparse::SparseGrid(shape), stop);
}

namespace {

/// Points of the blocks that `old`, which may be none, does not have.
std::vector<std::uint64_t> pointsBeyond(const sparse::SparseGrid *old,
                                        const sparse::SparseGrid &grid)
{
    std::vector<std::uint64_t> points;
    std::size_t kept = 0;
    for (std::size_t block = 0; block < grid.blocks(); ++block) {
        if (old && old->findBlock(grid.levelVector(block))) {
            ++kept;
            continue;
        }
        for (std::uint64_t i = 0; i < grid.blockSize(block); ++i)
            points.push_back(grid.blockOffset(block) + i);
    }
    if (old && kept != old->blocks())
        throw Error("the study's grid has points that the new one lacks: a grid can only grow; do "
                    "not lower the level or a cap");
    return points;
}

} // namespace

void StudyFile::addGrid(const StudyDescription &description, const sparse::GridShape &shape,
                        const sparse::SparseGrid &grid, const std::stop_token &stop)
{
    const auto goOn = [&] {
        if (stop.stop_requested())
            throw Error("it was stopped before all points were written: nothing has changed");
    };
    const auto newPoints = pointsBeyond(m_grid.get(), grid);
    const auto generation = static_cast<std::int64_t>(m_generations.size());
    const auto caps = capsText(shape.caps());
    query("INSERT INTO grids (generation, level, caps, points, blocks, leaves_last) "
          "VALUES (?, ?, ?, ?, ?, ?)")
        .bind(generation)
        .bind(shape.level())
        .bind(std::string_view(caps))
        .bind(grid.points())
        .bind(static_cast<std::uint64_t>(grid.blocks()))
        .bind(grid.grouping() == sparse::Grouping::leavesLast ? 1 : 0)
        .run();
    writeBlocks(*m_database, generation, grid, m_encoder);
    if (description.design == StudyDesign::scattered)
        return; // nothing is run at its points
    if (description.kind == StudyKind::vector) {
        for (auto point : newPoints) {
            goOn();
            const auto key = keyOf(grid, point);
            query("INSERT INTO points (levels, position) VALUES (?, ?)")
                .bind(std::as_bytes(std::span(key.levels)))
                .bind(key.position)
                .run();
        }
    }
    for (const auto &run : groupIntoRuns(description.space, grid, newPoints)) {
        goOn();
        const auto key = keyOf(grid, run.points.front());
        query("INSERT INTO jobs (generation, levels, position, state, attempts, started, finished, "
              "checksum, log_checksum, log) VALUES (?, ?, ?, 'waiting', 0, 0, 0, 0, 0, '')")
            .bind(generation)
            .bind(std::as_bytes(std::span(key.levels)))
            .bind(key.position)
            .run();
    }
    sealRows(*m_database, SealedTable::jobs);
    sealRows(*m_database, SealedTable::jobLogs);
}

} // namespace gridhelm::data
