// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/version_13.h"

#include "core/support/error.h"
#include "data/study/row_sums.h"
#include "data/study/table_rows.h"

#include <SQLiteCpp/Statement.h>

namespace gridhelm::data::schema {

void moveToVersion13(SQLite::Database &database)
{
    for (const auto &table : summedTables(12)) {
        SQLite::Statement stored(database, "SELECT rows, checksum FROM sums WHERE name = ?");
        stored.bind(1, table.name);
        TableSum sum;
        if (stored.executeStep())
            sum = {stored.getColumn(0).getInt64(),
                   static_cast<std::uint64_t>(stored.getColumn(1).getInt64())};
        if (const auto problem = problemOfRows(database, table, sum, 0); !problem.empty())
            throw Error(problem);
    }
    for (const auto &table : summedTables(13))
        storeSum(database, table);
}

} // namespace gridhelm::data::schema
