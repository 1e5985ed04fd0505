// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/version_10.h"

#include "data/study/row_sums.h"

#include <string_view>

namespace gridhelm::data::schema {

void moveToVersion10(SQLite::Database &database)
{
    for (const auto &table : summedTables(10)) {
        if (std::string_view(table.name) == "wanted_means")
            storeSum(database, table);
    }
}

} // namespace gridhelm::data::schema
