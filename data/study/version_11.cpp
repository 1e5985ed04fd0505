// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/version_11.h"

#include "data/study/row_sums.h"

namespace gridhelm::data::schema {

void moveToVersion11(SQLite::Database &database)
{
    storeSums(database, 11, {"quantised_rows", "quantised_coefficients"});
}

} // namespace gridhelm::data::schema
