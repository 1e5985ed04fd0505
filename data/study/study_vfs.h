// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one door between SQLite and the disk: SQLite's own file system, with two bolts. Private to
// data.
#pragma once

#include <filesystem>
#include <string>

namespace gridhelm::data {

/// Registers the file system (once) and returns its name, for SQLite's openers. What differs from
/// SQLite's own:
///  - nothing is ever deleted but PATH-journal, PATH-wal and PATH-shm of a database that was opened
///    by it. (SQLite deletes whatever a crafted journal calls its super-journal.)
///  - a name that a ReadOnlyAlias stands for opens that file, for reading alone.
std::string studyVfs();

/// While it lives, `name` (of an empty file in a folder of our own) opens `file`, for
/// reading alone: every write to it fails. SQLite looks for its write-ahead log beside `name`, so
/// that a log can be read, and kept in a private folder, without any change beside the file. It is
/// read without locks, and the log's index is kept in memory (PRAGMA locking_mode = EXCLUSIVE is
/// needed for that): whoever uses it must notice by himself when somebody writes the file.
class ReadOnlyAlias
{
public:
    ReadOnlyAlias(const std::filesystem::path &name, const std::filesystem::path &file);
    ~ReadOnlyAlias();
    ReadOnlyAlias(const ReadOnlyAlias &) = delete;
    ReadOnlyAlias &operator=(const ReadOnlyAlias &) = delete;

private:
    std::string m_name;
};

} // namespace gridhelm::data
