// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/version_7.h"

#include "data/study/row_sums.h"

namespace gridhelm::data::schema {

void moveToVersion7(SQLite::Database &database)
{
    storeSums(database, 7, {"node_bands"});
}

} // namespace gridhelm::data::schema
