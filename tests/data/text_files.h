// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/data/study_cases.h"

#include <filesystem>
#include <string>

namespace gridhelm::test {

inline void writeText(const std::filesystem::path &path, const std::string &text)
{
    std::filesystem::create_directories(path.parent_path());
    writeBytes(path, {text.begin(), text.end()});
}

inline std::string textIn(const std::filesystem::path &path)
{
    const auto bytes = bytesOf(path);
    return {bytes.begin(), bytes.end()};
}

} // namespace gridhelm::test
