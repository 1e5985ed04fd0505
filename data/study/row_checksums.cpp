// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/row_checksums.h"

#include "data/study/row_sums.h"
#include "data/study/study_file.h"

#include <SQLiteCpp/Statement.h>

#include <array>
#include <string>
#include <vector>

namespace gridhelm::data {

namespace {

/// One for each SealedTable.
constexpr std::size_t tables = 17;

struct Sealed
{
    const char *name;    ///< part of the checksum
    const char *columns; ///< all that is covered, then rowid and the checksum
    const char *update;
    int covered;
};

const Sealed &sealed(SealedTable table)
{
    static constexpr std::array<Sealed, tables> all{{
        {"jobs",
         "SELECT id, generation, levels, position, state, attempts, started, finished, rowid, "
         "checksum FROM jobs",
         "UPDATE jobs SET checksum = ? WHERE rowid = ?", 8},
        {"job logs", "SELECT id, log, rowid, log_checksum FROM jobs",
         "UPDATE jobs SET log_checksum = ? WHERE rowid = ?", 2},
        {"hold_outs", "SELECT id, parameters, rowid, checksum FROM hold_outs",
         "UPDATE hold_outs SET checksum = ? WHERE rowid = ?", 2},
        {"error_figures",
         "SELECT id, kind, field, parameters, relative_l2, maximum, relative_maximum, "
         "grid_points, missing_points, rowid, checksum FROM error_figures",
         "UPDATE error_figures SET checksum = ? WHERE rowid = ?", 9},
        {"submissions",
         "SELECT job, runner, external_id, submitted, rowid, checksum FROM submissions",
         "UPDATE submissions SET checksum = ? WHERE rowid = ?", 4},
        {"mesh", "SELECT kind, points, cells, size, rowid, checksum FROM mesh",
         "UPDATE mesh SET checksum = ? WHERE rowid = ?", 4},
        {"mode_sets",
         "SELECT field, modes, points, snapshots, weights, cut, cut_energy, norm, mean_error, "
         "largest_error, largest_difference, singular_values, rowid, checksum FROM mode_sets",
         "UPDATE mode_sets SET checksum = ? WHERE rowid = ?", 12},
        {"kriging_models", "SELECT field, runs, size, content, rowid, checksum FROM kriging_models",
         "UPDATE kriging_models SET checksum = ? WHERE rowid = ?", 4},
        {"error_bands",
         "SELECT field, factor, offset, coverage, hold_outs, typical, edges, worst_edge, "
         "grid_points, missing_points, rowid, checksum FROM error_bands",
         "UPDATE error_bands SET checksum = ? WHERE rowid = ?", 10},
        {"node_bands",
         "SELECT field, factor, offset, share, hold_outs, rowid, checksum FROM node_bands",
         "UPDATE node_bands SET checksum = ? WHERE rowid = ?", 5},
        {"refinements",
         "SELECT id, generation, levels, runs, predicted_gain, explored, rowid, checksum "
         "FROM refinements",
         "UPDATE refinements SET checksum = ? WHERE rowid = ?", 6},
        {"error_history", "SELECT id, field, kind, runs, error, rowid, checksum FROM error_history",
         "UPDATE error_history SET checksum = ? WHERE rowid = ?", 5},
        {"planned_runs",
         "SELECT id, state, attempts, run, log, parameters, rowid, checksum FROM planned_runs",
         "UPDATE planned_runs SET checksum = ? WHERE rowid = ?", 6},
        {"quantised_modes",
         "SELECT field, allowed, at_snapshots, at_hold_outs, snapshots, hold_outs, frame_bytes, "
         "rowid, checksum FROM quantised_modes",
         "UPDATE quantised_modes SET checksum = ? WHERE rowid = ?", 7},
        {"responses",
         "SELECT id, name, unit, expression, reduction, place, rowid, checksum FROM responses",
         "UPDATE responses SET checksum = ? WHERE rowid = ?", 6},
        {"wanted_means",
         "SELECT field, kriged, chosen, modes, cut, allowed, half, asked, rowid, checksum "
         "FROM wanted_means",
         "UPDATE wanted_means SET checksum = ? WHERE rowid = ?", 8},
        {"quantised_rows",
         "SELECT field, points, weights, norm, allowed, at_snapshots, at_hold_outs, snapshots, "
         "hold_outs, row_bytes, frame_bytes, residuals, rowid, checksum FROM quantised_rows",
         "UPDATE quantised_rows SET checksum = ? WHERE rowid = ?", 12},
    }};
    return all.at(static_cast<std::size_t>(table));
}

} // namespace

namespace {

std::array<std::string, tables> selects(const char *end)
{
    std::array<std::string, tables> texts;
    for (std::size_t i = 0; i < texts.size(); ++i)
        texts[i] = std::string(sealed(static_cast<SealedTable>(i)).columns) + end;
    return texts;
}

} // namespace

const char *selectAll(SealedTable table)
{
    static const auto all = selects(" ORDER BY rowid");
    return all.at(static_cast<std::size_t>(table)).c_str();
}

const char *selectOne(SealedTable table)
{
    static const auto all = selects(" WHERE rowid = ?");
    return all.at(static_cast<std::size_t>(table)).c_str();
}

std::int64_t checksumOf(SealedTable table, const Query &row)
{
    const auto &of = sealed(table);
    RowHash hash(of.name);
    for (int column = 0; column < of.covered; ++column)
        row.addTo(hash, column);
    return hash.value();
}

bool isSealed(SealedTable table, const Query &row)
{
    return row.integer(sealed(table).covered + 1) == checksumOf(table, row);
}

void sealRow(const StudyFile &file, SealedTable table, std::int64_t rowId)
{
    std::int64_t checksum = 0;
    {
        auto row = file.query(selectOne(table));
        if (!row.bind(rowId).step())
            return;
        checksum = checksumOf(table, row);
    }
    file.query(sealed(table).update).bind(checksum).bind(rowId).run();
}

void sealRows(const SQLite::Database &database, SealedTable table)
{
    const auto &of = sealed(table);
    std::vector<std::array<std::int64_t, 2>> checksums; // not to change what is being read
    {
        SQLite::Statement rows(database, of.columns);
        for (Query row(rows); row.step();)
            checksums.push_back({checksumOf(table, row), row.integer(of.covered)});
    }
    SQLite::Statement update(database, of.update);
    for (const auto &[value, id] : checksums)
        Query(update).bind(value).bind(id).run();
}

} // namespace gridhelm::data
