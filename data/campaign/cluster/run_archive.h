// SPDX-License-Identifier: GPL-3.0-or-later
//
// What goes to a cluster and comes from it, as tar archives. What comes is hostile until shown
// otherwise: regular files and folders below one folder are taken, bounded in number and size;
// links, devices and names that lead elsewhere are left out.
#pragma once

#include "data/campaign/work_folder.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace gridhelm::data {

class RunArchiveWriter
{
public:
    /// Into this file, from where it stands. Throws gridhelm::Error, or StorageError if its disk is
    /// full, as all of this class do.
    explicit RunArchiveWriter(int file);
    ~RunArchiveWriter();

    void addText(const std::string &name, std::string_view text);
    /// All that is in the folder, under this name. Links are an error.
    void addFolder(const std::string &name, const std::filesystem::path &folder);
    void finish();

private:
    struct Archive;
    std::unique_ptr<Archive> m_archive;
};

struct ArchiveLimits
{
    std::uint64_t files = 100'000;
    std::uint64_t bytes = std::uint64_t{1} << 38; ///< 256 GiB
    std::size_t logBytes = 1 << 20;
};

/// What is below "run/" goes into the folder; returns the text of "log", its beginning if that is
/// too long. Throws gridhelm::Error for what is no archive, ends early or is above the limits,
/// ReadingStopped, and as JobFolder does.
std::string readRunArchive(int file, const JobFolder &folder, const ArchiveLimits &limits,
                           const std::stop_token &stop);

} // namespace gridhelm::data
