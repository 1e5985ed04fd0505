// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gridhelm::data {

/// Throws gridhelm::Error unless the folder is empty, or not there and one that could be made.
void requireNewFolder(const std::filesystem::path &folder);

/// Writes files, contents by name, into a folder that is new or empty. Throws gridhelm::Error if it
/// is not, or cannot be written to; what has been written then goes away again.
void writeNewFolder(const std::filesystem::path &folder,
                    const std::map<std::string, std::string> &files);

} // namespace gridhelm::data
