// SPDX-License-Identifier: GPL-3.0-or-later
//
// What stands beside a study's file, and what that means for who wants to read it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace gridhelm::data {

/// The study's file itself: links are resolved, as SQLite does it, so that PATH-wal and its like
/// are looked for where SQLite looks for them.
std::filesystem::path resolvedPath(const std::filesystem::path &study);

/// PATH-journal, PATH-wal and PATH-writer as they are now.
struct BesideStudy
{
    bool hasWriter = false;  ///< a process that is alive writes the study at this moment
    bool hasJournal = false; ///< a killed writer's, with what it had replaced
    bool hasLog = false;     ///< a write-ahead log that is not empty
    bool isLogged = false;   ///< the file's header says that it has a write-ahead log

    /// Bytes of the log: what has been finished, but is not in the one file yet.
    std::uintmax_t logBytes = 0;
};

/// Throws gridhelm::Error if one of them is no plain file (a symbolic link, say): whatever it leads
/// to is not ours.
BesideStudy lookBeside(const std::filesystem::path &resolved);

/// Changes whenever the study, its journal or its log is changed, or a writer comes or goes. Cheap.
std::string stampOf(const std::filesystem::path &resolved);

/// Throws gridhelm::Error unless a journal that is there is one that Gridhelm can have left: it
/// names no other file (SQLite would delete that), has the study's page size, and its owner.
void requireOwnJournal(const std::filesystem::path &resolved);

} // namespace gridhelm::data
