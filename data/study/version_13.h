// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <SQLiteCpp/Database.h>

namespace gridhelm::data::schema {

/// What a field's numbers stand for (Field). Programs of version 12 would take them for values, and
/// count less of each row.
inline constexpr const char *version13Columns = R"(
ALTER TABLE fields ADD COLUMN value_offset REAL NOT NULL DEFAULT 0;
ALTER TABLE fields ADD COLUMN value_scale REAL NOT NULL DEFAULT 1;
)";

/// What SQL alone cannot do on the way to version 13 of a study's tables: their sums count what
/// rows are looked for by, too. Throws gridhelm::Error where they are not what was written: that is
/// not summed anew. The caller opens the transaction.
void moveToVersion13(SQLite::Database &database);

} // namespace gridhelm::data::schema
