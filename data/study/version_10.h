// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <SQLiteCpp/Database.h>

namespace gridhelm::data::schema {

/// Programs of version 9 would not count what is taken out of the new table.
inline constexpr const char *version10Tables = R"(
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

/// What SQL alone cannot do on the way to version 10 of a study's tables: the new table gets its
/// sum. In a transaction of the caller's.
void moveToVersion10(SQLite::Database &database);

} // namespace gridhelm::data::schema
