// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace gridhelm::data {

/// A study's file on its way: it has the name PATH-new until it is whole, so that there is a whole
/// study under its own name, or none.
class UnfinishedFile
{
public:
    /// Removes what a killed program has left under that name. Throws gridhelm::Error if that is
    /// something else than a study on its way.
    explicit UnfinishedFile(std::filesystem::path wanted);
    /// Removes it, unless it was kept.
    ~UnfinishedFile();
    UnfinishedFile(const UnfinishedFile &) = delete;
    UnfinishedFile &operator=(const UnfinishedFile &) = delete;

    const std::filesystem::path &path() const { return m_path; }
    /// Gives it the wanted name. Throws gridhelm::Error if somebody has put a file there meanwhile.
    void keep() const;

private:
    void remove() const;

    std::filesystem::path m_wanted, m_path;
};

} // namespace gridhelm::data
