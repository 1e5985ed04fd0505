// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <SQLiteCpp/Database.h>

namespace gridhelm::data::schema {

/// leaves_last: 1 if the leaf blocks of this grid are its last group (sparse::Grouping). Programs
/// of version 5 would take its points in another order, and not know which places have been chosen
/// for runs.
inline constexpr const char *version6Tables = R"(
ALTER TABLE grids ADD COLUMN leaves_last INTEGER NOT NULL DEFAULT 0 CHECK (leaves_last IN (0, 1));

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

CREATE TABLE error_history ( -- of a field's errors with so many runs
    id INTEGER PRIMARY KEY,
    field INTEGER NOT NULL REFERENCES fields(id),
    kind TEXT NOT NULL,  -- 'estimate' (from coefficients), 'held-out', 'leave-one-out' (rms)
    runs INTEGER NOT NULL,
    error REAL NOT NULL, -- relative to the field
    checksum INTEGER NOT NULL,
    UNIQUE (field, kind, runs)
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
)";

/// What SQL alone cannot do on the way from version 5 of a study's tables to version 6: the new
/// tables get their sums. In a transaction of the caller's.
void moveToVersion6(SQLite::Database &database);

} // namespace gridhelm::data::schema
