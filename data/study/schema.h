// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tables of a study, and their versions.
#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <span>
#include <string>

namespace gridhelm::data::schema {

/// "Ghlm", in the file's header: how `file` and others tell a study from other SQLite files.
inline constexpr std::int64_t applicationId = 0x47686C6D;
/// Of studies from before the first release, in thirteen formats that are no longer read.
inline constexpr std::int64_t unreleasedApplicationId = 0x4772486D;

/// Everything is read at least a page at a time, and a snapshot's part takes several.
inline constexpr int pageBytes = 16384;

/// One step: what makes the tables of version v + 1 of those of version v.
struct Migration
{
    const char *sql;
    /// Programs that know at least this version can read and write what the step makes
    /// (study.compatible_version).
    std::int64_t compatibleVersion;
};

/// The versions that a program knows. Tests hand in others than known().
struct History
{
    std::span<const Migration> migrations; ///< [v]: from version v (0: an empty file) to v + 1
    /// Older files must be migrated, by a writer, before they can be read.
    std::int64_t oldestReadable;

    /// What this program writes (PRAGMA user_version).
    std::int64_t version() const { return static_cast<std::int64_t>(migrations.size()); }
    std::int64_t compatibleVersion() const { return migrations.back().compatibleVersion; }
};

/// This program's. A version that has been released never changes again: add a migration.
const History &known();

/// Makes version + 1 of version. To be called in a transaction, with foreign keys off (so that
/// tables can be made anew); throws gridhelm::Error if references are broken afterwards. What the
/// checksum of the description covers may be another thing then.
void migrateOneStep(SQLite::Database &database, std::int64_t version, const History &history);

/// Empty if the file has exactly the tables of this version, otherwise what differs.
std::string difference(const SQLite::Database &database, std::int64_t version,
                       const History &history);

} // namespace gridhelm::data::schema
