// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <SQLiteCpp/Database.h>

namespace gridhelm::data::schema {

/// Programs of version 6 would not count what is taken out of the new table.
inline constexpr const char *version7Tables = R"(
CREATE TABLE node_bands ( -- of an error band's field: at single nodes (core/surrogate/node_scores.h)
    field INTEGER PRIMARY KEY REFERENCES error_bands(field) ON DELETE CASCADE,
    factor REAL NOT NULL,
    offset REAL NOT NULL,
    share REAL NOT NULL, -- of the nodes of all hold-outs, that are inside
    hold_outs INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
)";

/// What SQL alone cannot do on the way from version 6 of a study's tables to version 7: the new
/// table gets its sum. In a transaction of the caller's.
void moveToVersion7(SQLite::Database &database);

} // namespace gridhelm::data::schema
