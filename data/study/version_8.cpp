// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/version_8.h"

#include "data/study/row_sums.h"

#include <string_view>

namespace gridhelm::data::schema {

void moveToVersion8(SQLite::Database &database)
{
    for (const auto &table : summedTables(8)) {
        if (std::string_view(table.name) == "quantised_modes")
            storeSum(database, table);
    }
}

} // namespace gridhelm::data::schema
