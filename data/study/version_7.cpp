// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/version_7.h"

#include "data/study/row_sums.h"

#include <string_view>

namespace gridhelm::data::schema {

void moveToVersion7(SQLite::Database &database)
{
    for (const auto &table : summedTables(7)) {
        if (std::string_view(table.name) == "node_bands")
            storeSum(database, table);
    }
}

} // namespace gridhelm::data::schema
