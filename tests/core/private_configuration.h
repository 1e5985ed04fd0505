// SPDX-License-Identifier: GPL-3.0-or-later
//
// Included by whatever may touch the user's configuration: this program, and those that it starts,
// have one of their own instead, empty at the beginning.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace gridhelm::test {

class PrivateConfiguration
{
public:
    PrivateConfiguration()
    {
        std::error_code code;
        auto pattern =
            (std::filesystem::temp_directory_path(code) / "gridhelm-test-XXXXXX").string();
        if (code || !::mkdtemp(pattern.data()))
            std::abort(); // better than the developer's own
        m_folder = pattern;
        ::setenv("XDG_CONFIG_HOME", pattern.c_str(), 1);
    }
    ~PrivateConfiguration()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }
    PrivateConfiguration(const PrivateConfiguration &) = delete;
    PrivateConfiguration &operator=(const PrivateConfiguration &) = delete;

    const std::filesystem::path &folder() const { return m_folder; }

private:
    std::filesystem::path m_folder;
};

inline const PrivateConfiguration privateConfiguration;

} // namespace gridhelm::test
