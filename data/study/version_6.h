// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <SQLiteCpp/Database.h>

namespace gridhelm::data::schema {

/// What SQL alone cannot do on the way from version 5 of a study's tables to version 6: the new
/// tables get their sums. In a transaction of the caller's.
void moveToVersion6(SQLite::Database &database);

} // namespace gridhelm::data::schema
