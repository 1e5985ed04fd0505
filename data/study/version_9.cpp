// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/version_9.h"

#include "data/study/row_sums.h"

#include <string_view>

namespace gridhelm::data::schema {

void moveToVersion9(SQLite::Database &database)
{
    for (const auto &table : summedTables(9)) {
        if (std::string_view(table.name) == "responses")
            storeSum(database, table);
    }
}

} // namespace gridhelm::data::schema
