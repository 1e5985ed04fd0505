// SPDX-License-Identifier: GPL-3.0-or-later
//
// What can stand beside a study: left by killed programs, or put there by somebody.
#pragma once

#include "data/study/study_file.h"
#include "data/study/study_writer.h"
#include "tests/data/study_cases.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace gridhelm::test {

/// Every file below a folder with its contents, links as links, and times of change.
inline std::map<std::string, std::string> filesOf(const std::filesystem::path &folder)
{
    std::map<std::string, std::string> files;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(folder)) {
        const auto name = entry.path().string();
        if (entry.is_symlink()) {
            files[name] = "-> " + std::filesystem::read_symlink(entry.path()).string();
        } else if (entry.is_regular_file()) {
            const auto bytes = bytesOf(entry.path());
            files[name] = std::to_string(entry.last_write_time().time_since_epoch().count()) + " "
                          + std::string(bytes.begin(), bytes.end());
        } else {
            files[name] = "folder";
        }
    }
    return files;
}

inline void appendBigEndian(std::vector<char> &bytes, std::uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes.push_back(static_cast<char>((value >> shift) & 0xffU));
}

/// A rollback journal that is whole, changes nothing, and has `victim` for its super-journal:
/// SQLite deletes that when it has played the journal back ("The Rollback Journal" in its file
/// format).
inline std::vector<char> journalThatNames(const std::filesystem::path &victim,
                                          const std::filesystem::path &study)
{
    constexpr unsigned char magic[] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    constexpr std::uint32_t pageBytes = 16384, sectorBytes = 512;
    const auto pages = static_cast<std::uint32_t>(std::filesystem::file_size(study) / pageBytes);
    std::vector<char> bytes(std::begin(magic), std::end(magic));
    for (const std::uint32_t value : {0U, 1U, pages, sectorBytes, pageBytes})
        appendBigEndian(bytes, value);
    bytes.resize(sectorBytes);
    const auto name = victim.string();
    std::uint32_t sum = 0;
    for (const char c : name)
        sum += static_cast<unsigned char>(c);
    appendBigEndian(bytes, 0x40000000U / pageBytes + 1); // the page of SQLite's locks
    bytes.insert(bytes.end(), name.begin(), name.end());
    appendBigEndian(bytes, static_cast<std::uint32_t>(name.size()));
    appendBigEndian(bytes, sum);
    bytes.insert(bytes.end(), std::begin(magic), std::end(magic));
    return bytes;
}

/// work(writer) in a process that is killed afterwards.
template <typename Work>
void killedAfter(const std::filesystem::path &study, Work work)
{
    const auto child = ::fork();
    if (child == 0) {
        try {
            auto writer = data::StudyWriter::open(study);
            work(writer);
            ::kill(::getpid(), SIGKILL); // before anything is closed
        } catch (...) {
            ::kill(::getpid(), SIGKILL); // no second test program goes on
        }
    }
    int status = 0;
    ::waitpid(child, &status, 0);
}

/// A killed writer's log, which holds the title "before the end".
inline void leaveLog(const std::filesystem::path &study)
{
    killedAfter(study, [](data::StudyWriter &writer) {
        writer.setTitle("first"); // takes the log into use
        writer.setTitle("before the end");
    });
}

/// A killed writer's journal: pages of a transaction without an end are in the file already.
inline void leaveJournal(const std::filesystem::path &study)
{
    killedAfter(study, [](data::StudyWriter &writer) {
        writer.file().beginBulk();
        auto transaction = writer.transaction();
        const auto moreThanTheCache = "hex(zeroblob(20000000))";
        writer.file().database().exec(std::string("UPDATE jobs SET log = ") + moreThanTheCache
                                      + " WHERE id = 1");
        ::kill(::getpid(), SIGKILL); // before the transaction is undone
    });
}

/// The header says that there is a write-ahead log, and there is none.
inline void pretendToHaveALog(const std::filesystem::path &study)
{
    std::fstream file(study, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(18);
    file.write("\2\2", 2);
}

struct ColumnOfStudy
{
    std::string table, name, type;
};

inline std::vector<ColumnOfStudy> columnsOfStudy(const SQLite::Database &database)
{
    SQLite::Statement query(database, "SELECT m.name, p.name, p.type FROM sqlite_master AS m, "
                                      "pragma_table_info(m.name) AS p "
                                      "WHERE m.type = 'table' ORDER BY m.name, p.cid");
    std::vector<ColumnOfStudy> columns;
    while (query.executeStep())
        columns.push_back({query.getColumn(0), query.getColumn(1), query.getColumn(2)});
    return columns;
}
inline std::vector<ColumnOfStudy> columnsOfStudy(const std::filesystem::path &study)
{
    return columnsOfStudy(SQLite::Database(study.string(), SQLite::OPEN_READONLY));
}

} // namespace gridhelm::test
