// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/version_8.h"

#include "data/study/row_sums.h"

namespace gridhelm::data::schema {

void moveToVersion8(SQLite::Database &database)
{
    storeSums(database, 8, {"quantised_modes"});
}

} // namespace gridhelm::data::schema
