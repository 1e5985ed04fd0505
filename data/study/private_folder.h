// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace gridhelm::data {

/// A folder of our own below the system's place for temporary files, that nobody else can read or
/// write; it goes away, with all that is in it, with the object.
class PrivateFolder
{
public:
    /// Throws StorageError if there is no place for it.
    PrivateFolder();
    ~PrivateFolder();
    PrivateFolder(const PrivateFolder &) = delete;
    PrivateFolder &operator=(const PrivateFolder &) = delete;

    const std::filesystem::path &path() const { return m_path; }

    /// A copy of a plain file (never of what a symbolic link points to). Shares its blocks where
    /// the file system can. Throws StorageError if there is not enough room.
    std::filesystem::path copyOf(const std::filesystem::path &file, const std::string &name) const;

private:
    std::filesystem::path m_path;
};

} // namespace gridhelm::data
