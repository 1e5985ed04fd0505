// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

/// What the user of this machine has agreed to, in a file of the user's configuration that nobody
/// else can write: digests of executions (Execution::digest), and which studies were made here of
/// the user's own plans. Any number of programs may use it at a time.
class TrustStore
{
public:
    /// $XDG_CONFIG_HOME/gridhelm, or ~/.config/gridhelm; empty if there is no home.
    static std::filesystem::path userFolder();

    explicit TrustStore(std::filesystem::path folder = userFolder());

    // Each reads the file, if there is one, and throws gridhelm::Error if it is a link, somebody
    // else's, or no such file.
    bool isTrusted(std::string_view digest) const;
    /// Where the user's own plan is, if the study at this path was made of it with this text.
    std::optional<std::filesystem::path> ownPlanFolder(const std::filesystem::path &study,
                                                       std::string_view planText) const;

    // Each throws gridhelm::Error if it cannot be kept.
    void trust(const std::string &digest) const;
    void rememberOwnPlan(const std::filesystem::path &study, std::string_view planText,
                         const std::filesystem::path &folder) const;

private:
    struct Entries;
    Entries read() const;
    void change(const std::function<void(Entries &)> &edit) const;

    std::filesystem::path m_folder;
};

} // namespace gridhelm::data
