// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/version_9.h"

#include "data/study/row_sums.h"

namespace gridhelm::data::schema {

void moveToVersion9(SQLite::Database &database)
{
    storeSums(database, 9, {"responses"});
}

} // namespace gridhelm::data::schema
