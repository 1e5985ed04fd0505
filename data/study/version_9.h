// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <SQLiteCpp/Database.h>

namespace gridhelm::data::schema {

/// Programs of version 8 would not count what is taken out of the new table.
inline constexpr const char *version9Tables = R"(
CREATE TABLE responses ( -- numbers that every state has (data/study/response_definition.h)
    id INTEGER PRIMARY KEY, -- in the order in which they were defined
    name TEXT NOT NULL UNIQUE,
    unit TEXT NOT NULL,
    expression TEXT NOT NULL,
    reduction TEXT NOT NULL,
    place TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
)";

/// What SQL alone cannot do on the way to version 9 of a study's tables: the new table gets its
/// sum. In a transaction of the caller's.
void moveToVersion9(SQLite::Database &database);

} // namespace gridhelm::data::schema
