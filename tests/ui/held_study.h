// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>

namespace gridhelm::test {

/// A study that has changed, and that another program holds as long as this lives, so that nobody
/// can read it.
class HeldStudy
{
public:
    explicit HeldStudy(const std::filesystem::path &path)
        : m_database(path.string(), SQLite::OPEN_READWRITE, patience)
    {
        // SQLite does not write what is as it was.
        m_database.exec("UPDATE study SET checksum = checksum + 1;"
                        "UPDATE study SET checksum = checksum - 1; BEGIN EXCLUSIVE");
    }
    ~HeldStudy() { m_database.tryExec("ROLLBACK"); }
    HeldStudy(const HeldStudy &) = delete;
    HeldStudy &operator=(const HeldStudy &) = delete;

private:
    static constexpr int patience = 60'000; ///< milliseconds, until readers are out of the way
    SQLite::Database m_database;
};

} // namespace gridhelm::test
