// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/version_6.h"

#include "data/study/row_sums.h"

#include <string_view>

namespace gridhelm::data::schema {

void moveToVersion6(SQLite::Database &database)
{
    for (const auto &table : summedTables(6)) {
        const std::string_view name = table.name;
        if (name == "refinements" || name == "error_history" || name == "planned_runs")
            storeSum(database, table);
    }
}

} // namespace gridhelm::data::schema
