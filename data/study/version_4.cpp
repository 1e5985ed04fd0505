// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/version_4.h"

#include "data/study/row_sums.h"

#include <string_view>

namespace gridhelm::data::schema {

void moveToVersion4(SQLite::Database &database)
{
    for (const auto &table : summedTables(4)) {
        const std::string_view name = table.name;
        if (name == "mode_sets" || name == "modes" || name == "modal_coefficients")
            storeSum(database, table);
    }
}

} // namespace gridhelm::data::schema
