// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/schema.h"

#include "core/support/error.h"
#include "data/study/version_10.h"
#include "data/study/version_11.h"
#include "data/study/version_13.h"
#include "data/study/version_2.h"
#include "data/study/version_3.h"
#include "data/study/version_4.h"
#include "data/study/version_5.h"
#include "data/study/version_6.h"
#include "data/study/version_7.h"
#include "data/study/version_8.h"
#include "data/study/version_9.h"

#include <SQLiteCpp/Statement.h>

#include <array>
#include <map>
#include <mutex>

namespace gridhelm::data::schema {

namespace {

// Blobs stand last in their rows: what comes before them is read without following their pages.
// Level vectors are blobs of one signed byte a dimension. Points are keyed by level vector and
// position in the block, so that nothing is renumbered when the grid grows; `id` is short for that.
constexpr const char *version1 = R"(
CREATE TABLE study (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    compatible_version INTEGER NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    simulation TEXT NOT NULL,
    program TEXT NOT NULL,
    created TEXT NOT NULL,
    checksum INTEGER NOT NULL -- of this row, parameters, grids and fields
) STRICT;

CREATE TABLE parameters (
    dimension INTEGER PRIMARY KEY, -- from 0
    name TEXT NOT NULL UNIQUE,
    unit TEXT NOT NULL,
    low REAL NOT NULL,
    high REAL NOT NULL,
    scale TEXT NOT NULL,
    kind TEXT NOT NULL,
    treatment TEXT,   -- NULL: as the kind has it
    level_cap INTEGER -- NULL: none
) STRICT;

CREATE TABLE grids ( -- each contains the one before; the last one is the study's
    generation INTEGER PRIMARY KEY, -- from 0
    level INTEGER NOT NULL,
    caps TEXT NOT NULL, -- comma-separated, one a dimension
    points INTEGER NOT NULL,
    blocks INTEGER NOT NULL
) STRICT;

CREATE TABLE fields (
    id INTEGER PRIMARY KEY, -- from 0
    name TEXT NOT NULL UNIQUE,
    unit TEXT NOT NULL,
    components INTEGER NOT NULL,
    association TEXT NOT NULL,
    entities INTEGER NOT NULL
) STRICT;

CREATE TABLE mesh (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    kind TEXT NOT NULL,
    points INTEGER NOT NULL,
    cells INTEGER NOT NULL,
    size INTEGER NOT NULL, -- bytes before compression
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
    log TEXT NOT NULL,
    UNIQUE (levels, position)
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
CREATE INDEX provisional_coefficients ON coefficients(field, part, point) WHERE provisional = 1;

CREATE TABLE scalar_values ( -- of a scalar study: of the job's points, in storage order
    id INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES jobs(id),
    field INTEGER NOT NULL REFERENCES fields(id),
    encoding INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (job, field)
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

CREATE TABLE error_figures (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    field INTEGER NOT NULL REFERENCES fields(id),
    parameters BLOB NOT NULL, -- float64, values
    relative_l2 REAL NOT NULL,
    maximum REAL NOT NULL,
    relative_maximum REAL NOT NULL,
    grid_points INTEGER NOT NULL,
    missing_points INTEGER NOT NULL
) STRICT;

CREATE TABLE views (
    name TEXT PRIMARY KEY,
    json TEXT NOT NULL
) STRICT;
)";

/// Every row of every table is under a checksum, and every blob is at most 256 KiB of values, so
/// that a part of what is large can be read and verified alone. The tables study, parameters, grids
/// and fields are covered by study.checksum, what `sums` covers is in row_sums.h.
constexpr const char *version2 = R"(
CREATE TABLE sums (
    name TEXT PRIMARY KEY,     -- of a table
    rows INTEGER NOT NULL,
    checksum INTEGER NOT NULL  -- of all of its rows together
) STRICT;

CREATE TABLE new_mesh (
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

CREATE TABLE new_jobs ( -- points of the generation that agree with the first one in all but time or
                        -- space
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
INSERT INTO new_jobs (id, generation, levels, position, state, attempts, started, finished,
                      checksum, log_checksum, log)
    SELECT id, generation, levels, position, state, attempts, started, finished, 0, 0, log
    FROM jobs;
DROP TABLE jobs;
ALTER TABLE new_jobs RENAME TO jobs;

CREATE TABLE new_scalar_values ( -- of a scalar study: of the job's points, in storage order
    id INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES jobs(id),
    field INTEGER NOT NULL REFERENCES fields(id),
    part INTEGER NOT NULL,
    encoding INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (job, field, part)
) STRICT;

CREATE TABLE new_hold_outs (
    id INTEGER PRIMARY KEY,
    checksum INTEGER NOT NULL,
    parameters BLOB NOT NULL -- float64, values
) STRICT;
INSERT INTO new_hold_outs (id, checksum, parameters) SELECT id, 0, parameters FROM hold_outs;
DROP TABLE hold_outs;
ALTER TABLE new_hold_outs RENAME TO hold_outs;

CREATE TABLE new_error_figures (
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
INSERT INTO new_error_figures (id, kind, field, parameters, relative_l2, maximum, relative_maximum,
                               grid_points, missing_points, checksum)
    SELECT id, kind, field, parameters, relative_l2, maximum, relative_maximum, grid_points,
           missing_points, 0
    FROM error_figures;
DROP TABLE error_figures;
ALTER TABLE new_error_figures RENAME TO error_figures;

CREATE TABLE new_views (
    name TEXT PRIMARY KEY,
    checksum INTEGER NOT NULL,
    json TEXT NOT NULL
) STRICT;
INSERT INTO new_views (name, checksum, json) SELECT name, 0, json FROM views;
DROP TABLE views;
ALTER TABLE new_views RENAME TO views;
)";

/// Programs of version 2 would run again what runs elsewhere, and grow a grid without its blocks.
constexpr const char *version3 = R"(
DROP TABLE views;
DELETE FROM sums WHERE name = 'views';

CREATE TABLE submissions ( -- jobs that run elsewhere; from before they are handed over
    job INTEGER PRIMARY KEY REFERENCES jobs(id),
    runner TEXT NOT NULL,
    external_id TEXT NOT NULL, -- our token, until the runner has given its own name for the run
    submitted REAL NOT NULL,   -- seconds since 1970
    checksum INTEGER NOT NULL
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
)";

/// dense: 1 if levels of this dimension count nothing in the level sum. degree: of its functions.
/// Programs of version 3 would take the points of such grids in another order, and add
/// coefficients that the modes do not know of.
constexpr const char *version4 = R"(
ALTER TABLE parameters ADD COLUMN dense INTEGER NOT NULL DEFAULT 0 CHECK (dense IN (0, 1));
ALTER TABLE parameters ADD COLUMN degree INTEGER NOT NULL DEFAULT 1 CHECK (degree IN (1, 2, 3));

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
)";

/// Programs of version 4 would take runs that surrogates are fitted to for hold-outs, and modes
/// without modal coefficients for damage.
constexpr const char *version5 = R"(
ALTER TABLE study ADD COLUMN design TEXT NOT NULL DEFAULT 'grid' -- where runs are: at its points
    CHECK (design IN ('grid', 'scattered'));                     -- or anywhere (training_runs)

CREATE TABLE training_runs ( -- stored as hold-outs are, but surrogates are fitted to them, and
                             -- nothing is measured there
    hold_out INTEGER PRIMARY KEY REFERENCES hold_outs(id)
) STRICT;

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
)";

/// Programs of version 11 would take errors that a choice was taken back for (ErrorKind), and rows
/// that are stored as differences, packed, or as multiples (StoredEncoding), for damage.
constexpr const char *version12 = "";

constexpr std::array migrations{Migration{version1, 1, nullptr},
                                Migration{version2, 2, moveToVersion2},
                                Migration{version3, 3, moveToVersion3},
                                Migration{version4, 4, moveToVersion4},
                                Migration{version5, 5, moveToVersion5},
                                Migration{version6Tables, 6, moveToVersion6},
                                Migration{version7Tables, 7, moveToVersion7},
                                Migration{version8Tables, 8, moveToVersion8},
                                Migration{version9Tables, 9, moveToVersion9},
                                Migration{version10Tables, 10, moveToVersion10},
                                Migration{version11Tables, 11, moveToVersion11},
                                Migration{version12, 12, nullptr},
                                Migration{version13Columns, 13, moveToVersion13}};

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
    static const History history{migrations, 2};
    return history;
}

void migrateOneStep(SQLite::Database &database, std::int64_t version, const History &history)
{
    const auto &step = history.migrations[static_cast<std::size_t>(version)];
    database.exec(step.sql);
    if (step.rework)
        step.rework(database);
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
