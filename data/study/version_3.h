// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <SQLiteCpp/Database.h>

namespace gridhelm::data::schema {

/// What SQL alone cannot do on the way from version 2 of a study's tables to version 3: the blocks
/// of its grids are written down, as level and caps give them, and the new tables get their sums.
/// In a transaction of the caller's. Throws gridhelm::Error where something is damaged.
void moveToVersion3(SQLite::Database &database);

} // namespace gridhelm::data::schema
