// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a study's commands work: STUDY.jobs, a folder for each run. Whatever lies there, symbolic
// links above all, nothing is written or removed outside of it.
#pragma once

#include "core/support/descriptor.h"

#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <sys/types.h>

namespace gridhelm::data {

/// "The job's folder cannot be made (...)", with the reason that errno says. Throws StorageError if
/// the disk is full, else gridhelm::Error.
[[noreturn]] void throwFolderError(const std::filesystem::path &path, const std::string &what);

/// One run's folder, open. Paths are relative to it; on their way there is no link. Throws as
/// throwFolderError().
class JobFolder
{
public:
    JobFolder(Descriptor folder, std::filesystem::path path);

    const std::filesystem::path &path() const { return m_path; }

    /// It may be there already.
    void makeFolder(const std::filesystem::path &relative) const;
    /// A new file, open for writing; what was there under this name, unless it is a folder, goes.
    Descriptor makeFile(const std::filesystem::path &relative) const;
    void makeLink(const std::filesystem::path &relative, const std::filesystem::path &target) const;

    /// A file or link. What cannot be removed stays.
    void removeFile(const std::filesystem::path &relative) const;
    /// If it is empty.
    void removeFolder(const std::filesystem::path &relative) const;

private:
    Descriptor parentOf(const std::filesystem::path &relative) const;

    Descriptor m_folder;
    std::filesystem::path m_path;
};

/// Thread-safe.
class WorkFolder
{
public:
    /// Makes nothing yet.
    explicit WorkFolder(std::filesystem::path path);

    const std::filesystem::path &path() const { return m_path; }

    /// Throws gridhelm::Error if there is something of that name which is no folder, or a link.
    void requireFolder() const;

    /// Makes the folder of a run ("job-12", "holdout-3"), empty. It bears a mark (a file beside it)
    /// until keep() or remove(): then nobody killed the run.
    JobFolder begin(const std::string &run) const;
    void keep(const std::string &run) const;
    /// What cannot be removed stays.
    void remove(const std::string &run) const;
    /// Removes the folders of runs that were killed, and this folder if nothing is left in it. Only
    /// while nobody else works there, but for these runs, which go on elsewhere.
    void tidy(const std::set<std::string> &elsewhere = {}) const;

    /// Whether less is free on its disk than a command needs to say why it has failed.
    bool isDiskFull() const;

private:
    Descriptor open() const; ///< none if it is not there

    std::filesystem::path m_path;
    mutable std::mutex m_mutex; ///< one run must not remove what another one is about to use
};

} // namespace gridhelm::data
