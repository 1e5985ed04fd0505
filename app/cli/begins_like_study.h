// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace gridhelm::cli {

/// Whether it is a file with the first bytes of a study; not that it is one.
inline bool beginsLikeStudy(const std::string &path)
{
    constexpr std::string_view beginning = "SQLite format 3";
    std::error_code failed;
    std::string found(beginning.size(), ' ');
    if (std::filesystem::is_regular_file(path, failed))
        std::ifstream(path, std::ios::binary)
            .read(found.data(), static_cast<std::streamsize>(found.size()));
    return found == beginning;
}

} // namespace gridhelm::cli
