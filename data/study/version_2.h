// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <SQLiteCpp/Database.h>

namespace gridhelm::data::schema {

/// What SQL alone cannot do on the way from version 1 of a study's tables to version 2: meshes and
/// values of scalar studies are cut into parts, all rows and tables get their checksums, and the
/// plan loses the folder of its author. In a transaction of the caller's. Throws gridhelm::Error
/// where something is damaged.
void moveToVersion2(SQLite::Database &database);

} // namespace gridhelm::data::schema
