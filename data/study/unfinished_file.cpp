// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/unfinished_file.h"

#include "core/support/error.h"

#include <array>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

namespace gridhelm::data {

namespace {

/// Anything else of that name is somebody's, and is not removed.
void requireUnfinishedStudy(const std::filesystem::path &path)
{
    std::error_code error;
    const auto status = std::filesystem::symlink_status(path, error);
    if (!std::filesystem::exists(status))
        return;
    std::array<char, 16> header{};
    bool isOurs = std::filesystem::is_regular_file(status);
    if (isOurs && std::filesystem::file_size(path, error) > 0) {
        std::ifstream(path, std::ios::binary).read(header.data(), header.size());
        isOurs = std::memcmp(header.data(), "SQLite format 3", header.size()) == 0;
    }
    if (!isOurs)
        throw Error("In place of the study a file " + path.string()
                    + " is made at first, and there is one already that is not a Gridhelm study: "
                      "remove it, "
                      "or choose another name");
}

} // namespace

UnfinishedFile::UnfinishedFile(std::filesystem::path wanted)
    : m_wanted(std::move(wanted))
    , m_path(m_wanted.string() + "-new")
{
    requireUnfinishedStudy(m_path);
    remove();
}

UnfinishedFile::~UnfinishedFile()
{
    remove();
}

void UnfinishedFile::remove() const
{
    std::error_code ignored;
    std::filesystem::remove(m_path, ignored); // a link itself, not what it leads to
    std::filesystem::remove(m_path.string() + "-journal", ignored);
}

void UnfinishedFile::keep() const
{
    // A link fails where a rename would replace what somebody has put there meanwhile.
    std::error_code error;
    std::filesystem::create_hard_link(m_path, m_wanted, error);
    if (error && !std::filesystem::exists(m_wanted)) // a file system without links
        std::filesystem::rename(m_path, m_wanted, error);
    if (error)
        throw Error(m_wanted.string() + " cannot be made (" + error.message()
                    + "): choose another name");
}

} // namespace gridhelm::data
