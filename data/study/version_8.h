// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <SQLiteCpp/Database.h>

namespace gridhelm::data::schema {

/// Programs of version 7 cannot read modes in few bits.
inline constexpr const char *version8Tables = R"(
CREATE TABLE quantised_modes ( -- of a set whose modes are in few bits (core/sparse/quantised_row.h)
    field INTEGER PRIMARY KEY REFERENCES mode_sets(field) ON DELETE CASCADE,
    allowed REAL NOT NULL, -- error to be added at most to any field, relative to the set's norm
    at_snapshots REAL NOT NULL, -- the largest that was measured
    at_hold_outs REAL NOT NULL,
    snapshots INTEGER NOT NULL, -- at which it was
    hold_outs INTEGER NOT NULL,
    frame_bytes INTEGER NOT NULL, -- of all modes: what a picture reads
    checksum INTEGER NOT NULL
) STRICT;
)";

/// What SQL alone cannot do on the way from version 7 of a study's tables to version 8: the new
/// table gets its sum. In a transaction of the caller's.
void moveToVersion8(SQLite::Database &database);

} // namespace gridhelm::data::schema
