// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/version_10.h"

#include "data/study/row_sums.h"

namespace gridhelm::data::schema {

void moveToVersion10(SQLite::Database &database)
{
    storeSums(database, 10, {"wanted_means"});
}

} // namespace gridhelm::data::schema
