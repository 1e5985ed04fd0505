// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace gridhelm::gpu {

/// Compiled code of kernels, in the folder "kernels" of the user's cache folder, which it makes. If
/// anybody else can write there (openCodeFolder()), or it cannot be made, nothing is read and
/// nothing kept.
class KeptCode
{
public:
    static constexpr std::size_t mostFiles = 500; ///< beyond that, what was used longest ago goes

    explicit KeptCode(const std::filesystem::path &cache);

    /// What was kept under this key, whole and as it was.
    std::optional<std::string> read(std::string_view key) const;
    void keep(std::string_view key, std::string_view bytes) const;

private:
    std::filesystem::path fileOf(std::string_view key) const;
    void removeOldest() const;

    std::filesystem::path m_folder; ///< empty: none
};

} // namespace gridhelm::gpu
