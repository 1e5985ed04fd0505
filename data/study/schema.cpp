// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/schema.h"

#include "core/support/error.h"

#include <SQLiteCpp/Statement.h>

#include <array>
#include <map>
#include <mutex>

namespace gridhelm::data::schema {

namespace {

// Blobs stand last in their rows: what comes before them is read without following their pages.
// Every row is under a checksum: rows of study, parameters, grids and fields under study.checksum,
// of other tables under `sums` (row_sums.h). Every blob is at most 256 KiB of values, so that a
// part of what is large can be read and verified alone. An index "_rows" has all that a table's sum
// counts: it is read in place of the table, whose pages are full of values (table_rows.h). Level
// vectors are blobs of one signed byte a dimension. Points are keyed by level vector and position
// in the block, so that nothing is renumbered when the grid grows; `id` is short for that.
constexpr const char *version1 = R"(
CREATE TABLE study (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    compatible_version INTEGER NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    simulation TEXT NOT NULL,
    program TEXT NOT NULL,
    created TEXT NOT NULL,
    design TEXT NOT NULL -- where runs are: at the grid's points, or anywhere (training_runs)
        CHECK (design IN ('grid', 'scattered')),
    checksum INTEGER NOT NULL -- of this row, parameters, grids and fields
) STRICT;

CREATE TABLE sums (
    name TEXT PRIMARY KEY,     -- of a table
    rows INTEGER NOT NULL,
    checksum INTEGER NOT NULL  -- of all of its rows together
) STRICT;

CREATE TABLE parameters (
    dimension INTEGER PRIMARY KEY, -- from 0
    name TEXT NOT NULL UNIQUE,
    unit TEXT NOT NULL,
    low REAL NOT NULL,
    high REAL NOT NULL,
    scale TEXT NOT NULL,
    kind TEXT NOT NULL,
    treatment TEXT,    -- of the boundary; NULL: as the kind has it
    level_cap INTEGER, -- NULL: none
    dense INTEGER NOT NULL CHECK (dense IN (0, 1)), -- 1: its levels count nothing in the level sum
    degree INTEGER NOT NULL CHECK (degree IN (1, 2, 3)) -- of its functions
) STRICT;

CREATE TABLE grids ( -- each contains the one before; the last one is the study's
    generation INTEGER PRIMARY KEY, -- from 0
    level INTEGER NOT NULL,
    caps TEXT NOT NULL, -- comma-separated, one a dimension
    points INTEGER NOT NULL,
    blocks INTEGER NOT NULL,
    leaves_last INTEGER NOT NULL -- 1: leaf blocks are its last group (sparse::Grouping)
        CHECK (leaves_last IN (0, 1))
) STRICT;

CREATE TABLE grid_blocks ( -- of every generation, all of it: level vectors in storage order, cut
                           -- into parts of 256 KiB before compression
    id INTEGER PRIMARY KEY,
    generation INTEGER NOT NULL REFERENCES grids(generation),
    part INTEGER NOT NULL, -- from 0
    encoding INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (generation, part)
) STRICT;

CREATE TABLE refinements ( -- blocks that a grid got because of what was expected of them
    id INTEGER PRIMARY KEY, -- in the order in which they were chosen
    generation INTEGER NOT NULL REFERENCES grids(generation), -- that has them first
    levels BLOB NOT NULL, -- dense dimensions at their lowest
    runs INTEGER NOT NULL,
    predicted_gain REAL NOT NULL, -- relative to the field
    explored INTEGER NOT NULL CHECK (explored IN (0, 1)), -- chosen whatever is expected of it
    checksum INTEGER NOT NULL,
    UNIQUE (levels)
) STRICT;

CREATE TABLE fields (
    id INTEGER PRIMARY KEY, -- from 0
    name TEXT NOT NULL UNIQUE,
    unit TEXT NOT NULL,
    components INTEGER NOT NULL,
    association TEXT NOT NULL,
    entities INTEGER NOT NULL,
    value_offset REAL NOT NULL, -- a stored number stands for offset + scale * number
    value_scale REAL NOT NULL
) STRICT;

CREATE TABLE mesh (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    kind TEXT NOT NULL,
    points INTEGER NOT NULL,
    cells INTEGER NOT NULL,
    size INTEGER NOT NULL, -- bytes before compression
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE mesh_parts ( -- of 256 KiB before compression, the last one shorter
    id INTEGER PRIMARY KEY, -- from 0
    encoding INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    bytes BLOB NOT NULL
) STRICT;

CREATE TABLE jobs ( -- points of the generation that agree with the first one in all but time or space
    id INTEGER PRIMARY KEY,
    generation INTEGER NOT NULL REFERENCES grids(generation),
    levels BLOB NOT NULL,
    position INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed')),
    attempts INTEGER NOT NULL,
    started REAL NOT NULL,  -- seconds since 1970
    finished REAL NOT NULL,
    checksum INTEGER NOT NULL,     -- of all but the log
    log_checksum INTEGER NOT NULL,
    log TEXT NOT NULL,
    UNIQUE (levels, position)
) STRICT;

CREATE TABLE submissions ( -- jobs that run elsewhere; from before they are handed over
    job INTEGER PRIMARY KEY REFERENCES jobs(id),
    runner TEXT NOT NULL,
    external_id TEXT NOT NULL, -- our token, until the runner has given its own name for the run
    submitted REAL NOT NULL,   -- seconds since 1970
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE points ( -- of a vector study
    id INTEGER PRIMARY KEY,
    levels BLOB NOT NULL,
    position INTEGER NOT NULL,
    UNIQUE (levels, position)
) STRICT;

CREATE TABLE snapshots (
    id INTEGER PRIMARY KEY,
    field INTEGER NOT NULL REFERENCES fields(id),
    part INTEGER NOT NULL,
    point INTEGER NOT NULL REFERENCES points(id),
    encoding INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (field, part, point)
) STRICT;
CREATE INDEX snapshots_rows ON snapshots(id, checksum, field, part, point);

CREATE TABLE coefficients (
    id INTEGER PRIMARY KEY,
    field INTEGER NOT NULL REFERENCES fields(id),
    part INTEGER NOT NULL,
    point INTEGER NOT NULL REFERENCES points(id),
    provisional INTEGER NOT NULL CHECK (provisional IN (0, 1)),
    encoding INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (field, part, point)
) STRICT;
CREATE INDEX coefficients_rows ON coefficients(id, checksum, field, part, point, provisional);
CREATE INDEX provisional_coefficients ON coefficients(field, part, point) WHERE provisional = 1;

CREATE TABLE scalar_values ( -- of a scalar study: of the job's points, in storage order
    id INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES jobs(id),
    field INTEGER NOT NULL REFERENCES fields(id),
    part INTEGER NOT NULL,
    encoding INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (job, field, part)
) STRICT;

CREATE TABLE scalar_coefficients ( -- chunks: whole blocks of one group, or a piece of a large block
    id INTEGER PRIMARY KEY,
    field INTEGER NOT NULL REFERENCES fields(id),
    level_sum INTEGER NOT NULL,
    first INTEGER NOT NULL, -- position in the first block
    count INTEGER NOT NULL, -- of values
    provisional INTEGER NOT NULL CHECK (provisional IN (0, 1)),
    levels BLOB NOT NULL,   -- one level vector after the other
    encoding INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    bytes BLOB NOT NULL
) STRICT;
CREATE INDEX scalar_coefficients_by_group ON scalar_coefficients(field, level_sum);

CREATE TABLE hold_outs (
    id INTEGER PRIMARY KEY,
    checksum INTEGER NOT NULL,
    parameters BLOB NOT NULL -- float64, values
) STRICT;

CREATE TABLE hold_out_values (
    id INTEGER PRIMARY KEY,
    hold_out INTEGER NOT NULL REFERENCES hold_outs(id),
    field INTEGER NOT NULL REFERENCES fields(id),
    part INTEGER NOT NULL,
    encoding INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (hold_out, field, part)
) STRICT;
CREATE INDEX hold_out_values_rows ON hold_out_values(id, checksum, hold_out, field, part);

CREATE TABLE training_runs ( -- stored as hold-outs are, but surrogates are fitted to them, and
                             -- nothing is measured there
    hold_out INTEGER PRIMARY KEY REFERENCES hold_outs(id)
) STRICT;

CREATE TABLE planned_runs ( -- of a study of scattered runs, at places that the program has chosen
    id INTEGER PRIMARY KEY, -- in the order of the choice
    state TEXT NOT NULL CHECK (state IN ('waiting', 'done', 'failed')),
    attempts INTEGER NOT NULL, -- that have ended
    run INTEGER UNIQUE REFERENCES training_runs(hold_out), -- once it is done
    log TEXT NOT NULL, -- of one that has failed
    parameters BLOB NOT NULL, -- float64, values
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE mode_sets ( -- of a field of a vector study: rows in place of its coefficients
    field INTEGER PRIMARY KEY REFERENCES fields(id),
    modes INTEGER NOT NULL,
    points INTEGER NOT NULL,    -- with modal coefficients: those of the smallest ids
    snapshots INTEGER NOT NULL, -- that they are modes of
    weights TEXT NOT NULL,      -- 'volumes', 'equal'
    cut REAL NOT NULL,          -- share of the energy that was allowed to be cut
    cut_energy REAL NOT NULL,   -- that was
    norm REAL NOT NULL,         -- of the snapshots, root mean square
    mean_error REAL NOT NULL,   -- of the snapshots, relative to the norm
    largest_error REAL NOT NULL,
    largest_difference REAL NOT NULL, -- of single values, relative to their root mean square
    checksum INTEGER NOT NULL,
    singular_values BLOB NOT NULL -- float64
) STRICT;

CREATE TABLE modes (
    id INTEGER PRIMARY KEY,
    field INTEGER NOT NULL REFERENCES fields(id),
    part INTEGER NOT NULL,
    mode INTEGER NOT NULL, -- from 0
    encoding INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (field, part, mode)
) STRICT;
CREATE INDEX modes_rows ON modes(id, checksum, field, part, mode);

CREATE TABLE modal_coefficients ( -- of each point, by ascending id: of all modes, then the norm of
                                  -- what they lack of its coefficients, relative to the set's norm
    id INTEGER PRIMARY KEY,
    field INTEGER NOT NULL REFERENCES fields(id),
    part INTEGER NOT NULL,
    encoding INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (field, part)
) STRICT;

CREATE TABLE quantised_modes ( -- of a set whose modes are in few bits (core/codec/quantised_row.h)
    field INTEGER PRIMARY KEY REFERENCES mode_sets(field) ON DELETE CASCADE,
    allowed REAL NOT NULL, -- error to be added at most to any field, relative to the set's norm
    at_snapshots REAL NOT NULL, -- the largest that was measured
    at_hold_outs REAL NOT NULL,
    snapshots INTEGER NOT NULL, -- at which it was
    hold_outs INTEGER NOT NULL,
    frame_bytes INTEGER NOT NULL, -- of all modes: what a picture reads
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE quantised_rows ( -- of a field whose coefficients are in few bits, too: what is
                              -- evaluated (core/codec/quantised_row.h)
    field INTEGER PRIMARY KEY REFERENCES fields(id),
    points INTEGER NOT NULL, -- that have such rows
    weights TEXT NOT NULL,   -- 'volumes', 'equal'
    norm REAL NOT NULL,      -- of the snapshots, root mean square
    allowed REAL NOT NULL,   -- error to be added at most to any field, relative to the norm
    at_snapshots REAL NOT NULL, -- the largest that was measured
    at_hold_outs REAL NOT NULL,
    snapshots INTEGER NOT NULL, -- at which it was
    hold_outs INTEGER NOT NULL,
    row_bytes INTEGER NOT NULL,   -- of all rows
    frame_bytes INTEGER NOT NULL, -- of those that a picture reads
    checksum INTEGER NOT NULL,
    residuals BLOB NOT NULL -- float32, by ascending points: what each row is off, relative to the
                            -- norm
) STRICT;

CREATE TABLE quantised_coefficients (
    id INTEGER PRIMARY KEY,
    field INTEGER NOT NULL REFERENCES fields(id),
    point INTEGER NOT NULL REFERENCES points(id),
    part INTEGER NOT NULL,
    encoding INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (field, point, part)
) STRICT;
CREATE INDEX quantised_coefficients_rows
    ON quantised_coefficients(id, checksum, field, point, part);

CREATE TABLE kriging_models ( -- of a field: from parameters to coefficients of its modes, in place
                              -- of modal coefficients
    field INTEGER PRIMARY KEY REFERENCES mode_sets(field),
    runs INTEGER NOT NULL, -- that it was fitted to
    size INTEGER NOT NULL, -- of its numbers, in bytes
    content INTEGER NOT NULL, -- checksum of all of them
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE kriging_parts ( -- its numbers, as data/study/kriging_codec.h writes them, in parts of
                             -- 256 KiB before compression
    id INTEGER PRIMARY KEY,
    field INTEGER NOT NULL REFERENCES kriging_models(field),
    part INTEGER NOT NULL, -- from 0
    encoding INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (field, part)
) STRICT;

CREATE TABLE error_figures (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    field INTEGER NOT NULL REFERENCES fields(id),
    parameters BLOB NOT NULL, -- float64, values
    relative_l2 REAL NOT NULL,
    maximum REAL NOT NULL,
    relative_maximum REAL NOT NULL,
    grid_points INTEGER NOT NULL,
    missing_points INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE error_history ( -- of a field's errors with so many runs
    id INTEGER PRIMARY KEY,
    field INTEGER NOT NULL REFERENCES fields(id),
    kind TEXT NOT NULL,  -- 'estimate' (from coefficients), 'held-out', 'leave-one-out' (rms)
    runs INTEGER NOT NULL,
    error REAL NOT NULL, -- relative to the field
    checksum INTEGER NOT NULL,
    UNIQUE (field, kind, runs)
) STRICT;

CREATE TABLE error_bands ( -- of a field: calibrated at hold-outs (core/surrogate/error_band.h); norms
                           -- are root mean squares over its values
    field INTEGER PRIMARY KEY REFERENCES fields(id),
    factor REAL NOT NULL,
    offset REAL NOT NULL,
    coverage REAL NOT NULL,
    hold_outs INTEGER NOT NULL, -- that it was made of
    typical REAL NOT NULL,      -- its median over the parameter space, relative to the field
    edges INTEGER NOT NULL,     -- hold-outs in corners and faces of the ranges, which it leaves out
    worst_edge REAL NOT NULL,   -- the largest relative error there
    grid_points INTEGER NOT NULL,
    missing_points INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE node_bands ( -- of an error band's field: at single nodes (core/surrogate/node_scores.h)
    field INTEGER PRIMARY KEY REFERENCES error_bands(field) ON DELETE CASCADE,
    factor REAL NOT NULL,
    offset REAL NOT NULL,
    share REAL NOT NULL, -- of the nodes of all hold-outs, that are inside
    hold_outs INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE responses ( -- numbers that every state has (data/study/response_definition.h)
    id INTEGER PRIMARY KEY, -- in the order in which they were defined
    name TEXT NOT NULL UNIQUE,
    unit TEXT NOT NULL,
    expression TEXT NOT NULL,
    reduction TEXT NOT NULL,
    place TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE wanted_means ( -- of fields for which compress still has to make something
                            -- (data/study/field_means.h)
    field INTEGER PRIMARY KEY REFERENCES fields(id),
    kriged INTEGER NOT NULL CHECK (kriged IN (0, 1)),
    chosen INTEGER NOT NULL CHECK (chosen IN (0, 1)),
    modes INTEGER NOT NULL CHECK (modes IN (0, 1)),
    cut REAL NOT NULL, -- share of the energy; 0: as the error asks for
    allowed REAL NOT NULL, -- error to be added at most; 0: none
    half INTEGER NOT NULL CHECK (half IN (0, 1)), -- of the measured error instead
    asked INTEGER NOT NULL, -- 1 (modes) + 2 (error) + 4 (surrogate) + 8 (degree)
    checksum INTEGER NOT NULL
) STRICT;
)";

constexpr std::array migrations{Migration{version1, 1}};

using Objects = std::map<std::string, std::string>;

Objects objectsOf(const SQLite::Database &database)
{
    Objects objects;
    SQLite::Statement query(database, "SELECT type || ' ' || name, coalesce(sql, '') "
                                      "FROM sqlite_master ORDER BY type, name");
    while (query.executeStep()) {
        const auto name = query.getColumn(0).getString();
        const auto sql = query.getColumn(1).getString();
        if (name == "table sqlite_stat1" && sql == "CREATE TABLE sqlite_stat1(tbl,idx,stat)")
            continue; // of somebody's ANALYZE
        if (!objects.emplace(name, sql).second)
            objects.emplace(name + " again", sql);
    }
    return objects;
}

} // namespace

const History &known()
{
    static const History history{migrations, 1};
    return history;
}

void migrateOneStep(SQLite::Database &database, std::int64_t version, const History &history)
{
    const auto &step = history.migrations[static_cast<std::size_t>(version)];
    database.exec(step.sql);
    if (version > 0) { // an empty file has no description yet
        SQLite::Statement update(database, "UPDATE study SET compatible_version = ?");
        update.bind(1, step.compatibleVersion);
        update.exec();
    }
    if (SQLite::Statement(database, "PRAGMA foreign_key_check").executeStep())
        throw Error("some of its rows name others that are not there");
    database.exec("PRAGMA application_id = " + std::to_string(applicationId));
    database.exec("PRAGMA user_version = " + std::to_string(version + 1));
}

namespace {

const Objects &expectedObjects(std::int64_t version, const History &history)
{
    static std::mutex mutex;
    static std::map<std::string, Objects> all; // by the SQL that makes them
    std::string sql;
    for (const auto &step : history.migrations.first(static_cast<std::size_t>(version)))
        sql += step.sql;
    const std::scoped_lock lock(mutex);
    const auto [place, isNew] = all.try_emplace(sql);
    if (isNew) {
        SQLite::Database empty(":memory:", SQLite::OPEN_READWRITE);
        for (std::int64_t v = 0; v < version; ++v)
            migrateOneStep(empty, v, history);
        place->second = objectsOf(empty);
    }
    return place->second;
}

} // namespace

std::string difference(const SQLite::Database &database, std::int64_t version,
                       const History &history)
{
    const auto &expected = expectedObjects(version, history);
    const auto objects = objectsOf(database);
    for (const auto &[name, sql] : expected) {
        const auto found = objects.find(name);
        if (found == objects.end())
            return "it lacks the " + name;
        if (found->second != sql)
            return "its " + name + " is another one";
    }
    for (const auto &[name, sql] : objects) {
        if (!expected.contains(name))
            return "it has something more in it";
    }
    return {};
}

} // namespace gridhelm::data::schema
