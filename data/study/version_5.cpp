// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/version_5.h"

#include "data/study/row_sums.h"

#include <string_view>

namespace gridhelm::data::schema {

void moveToVersion5(SQLite::Database &database)
{
    for (const auto &table : summedTables(5)) {
        const std::string_view name = table.name;
        if (name == "training_runs" || name == "kriging_models" || name == "kriging_parts"
            || name == "error_bands")
            storeSum(database, table);
    }
}

} // namespace gridhelm::data::schema
