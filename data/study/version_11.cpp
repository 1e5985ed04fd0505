// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/version_11.h"

#include "data/study/row_sums.h"

#include <string_view>

namespace gridhelm::data::schema {

void moveToVersion11(SQLite::Database &database)
{
    for (const auto &table : summedTables(11)) {
        const std::string_view name = table.name;
        if (name == "quantised_rows" || name == "quantised_coefficients")
            storeSum(database, table);
    }
}

} // namespace gridhelm::data::schema
