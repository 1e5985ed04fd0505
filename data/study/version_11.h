// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <SQLiteCpp/Database.h>

namespace gridhelm::data::schema {

/// Programs of version 10 would add coefficients that the new rows do not know of.
inline constexpr const char *version11Tables = R"(
CREATE TABLE quantised_rows ( -- of a field whose coefficients are in few bits, too: what is
                              -- evaluated (core/sparse/quantised_row.h)
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
)";

/// What SQL alone cannot do on the way to version 11 of a study's tables: the new tables get their
/// sums. In a transaction of the caller's.
void moveToVersion11(SQLite::Database &database);

} // namespace gridhelm::data::schema
