// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tables of a study, and their versions.
#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string>

namespace gridhelm::data::schema {

/// "GrHm", in the file's header: how `file` and others tell a study from other SQLite files.
inline constexpr std::int64_t applicationId = 0x4772486D;

/// Version of the tables that this program writes (PRAGMA user_version).
inline constexpr std::int64_t version = 1;
/// Programs that know at least this version can read and write them (study.compatible_version).
inline constexpr std::int64_t compatibleVersion = 1;
/// Oldest version that this program can read as it is.
inline constexpr std::int64_t oldestReadableVersion = 1;

/// Everything is read at least a page at a time, and a snapshot's part takes several.
inline constexpr int pageBytes = 16384;

/// Brings the tables from version `from` (0: an empty file) to `version`, one transaction for each
/// version in between.
void migrate(SQLite::Database &database, std::int64_t from);

/// Empty if the file has exactly the tables that migrate() makes, otherwise what differs.
std::string difference(const SQLite::Database &database);

} // namespace gridhelm::data::schema
