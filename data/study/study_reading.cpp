// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a study is opened for reading without a change to it, or to anything beside it.
//
//     a writer is alive        the file with its log; PATH-shm is shared with the writer
//     nothing stands beside    the file itself
//     a log, or a header that  the file, read only, with a private copy of the log
//     says there is one
//     a journal                a private copy of both, in which the unfinished write is undone
//     an older version         a private copy that is brought up to date
//
// The last three do not see what happens to the file afterwards: dataVersion() tells, and reload()
// opens it again.
#include "data/study/beside_study.h"
#include "data/study/blob_codec.h"
#include "data/study/study_file.h"
#include "data/study/study_uri.h"

#include <SQLiteCpp/Statement.h>
#include <sqlite3.h>

#include <fstream>
#include <map>
#include <mutex>
#include <span>
#include <utility>

namespace gridhelm::data {

ReadTransaction::ReadTransaction(const StudyFile &file)
    : m_database(sqlite3_get_autocommit(file.database().getHandle()) != 0 ? &file.database()
                                                                          : nullptr)
{
    if (m_database)
        m_database->exec("BEGIN");
}

ReadTransaction::~ReadTransaction()
{
    if (m_database)
        m_database->tryExec("COMMIT");
}

std::int64_t StudyFile::dataVersion() const
{
    if (!m_stamp.empty()) {
        const auto stamp = stampOf(resolvedPath(m_path));
        return checksum(std::as_bytes(std::span(stamp)));
    }
    auto row = query("PRAGMA data_version");
    row.step();
    return row.integer(0);
}

bool StudyFile::isCopyOutdated() const
{
    return !m_stamp.empty() && stampOf(resolvedPath(m_path)) != m_stamp;
}

bool StudyFile::hasChanged() const
{
    if (m_isWriter)
        return false;
    return m_stamp.empty() ? dataVersion() != m_loadedVersion : isCopyOutdated();
}

bool StudyFile::isOutdated() const
{
    if (!m_stamp.empty())
        return hasChanged();
    return !m_isWriter && !m_loadedStamp.empty() && memoryStamp() != m_loadedStamp;
}

void StudyFile::openToRead()
{
    const auto resolved = resolvedPath(m_path);
    const auto stamp = stampOf(resolved);
    const auto beside = lookBeside(resolved);
    const bool isWritten = beside.hasWriter && !m_isLockOurs;
    const auto name = m_path.string();
    m_statements.clear();
    m_database.reset();
    m_alias.reset();
    m_folder.reset();
    m_stamp.clear();
    m_notice.clear();
    if (!isWritten && beside.hasJournal) {
        m_stamp = stamp;
        takeCopy([this] { openOwnCopy(true); });
        m_notice = name
                   + " was left in the middle of a write by a program that was killed; it is "
                     "read as it was before, from a private copy, until somebody opens it "
                     "for writing";
    } else if (!isWritten && (beside.hasLog || beside.isLogged)) {
        m_stamp = stamp;
        takeCopy([&] { openBesideOwnLog(beside.hasLog); });
        if (beside.hasLog)
            m_notice = name
                       + " was left by a program that was killed, with finished work in the "
                         "file "
                       + resolved.filename().string()
                       + "-wal: keep both files together until somebody has opened the study for "
                         "writing";
    } else {
        openDatabase(uriOf(m_path, "mode=ro"), SQLite::OPEN_READONLY);
    }
    m_loadedVersion = m_stamp.empty() ? dataVersion() : 0;
    m_database->exec("PRAGMA query_only = ON");
    if (version() >= 1 && version() < m_history.oldestReadable && !isWritten) {
        m_statements.clear();
        m_database.reset();
        m_alias.reset();
        m_stamp = stamp;
        takeCopy([this] { openOwnCopy(false); });
        m_database->exec("PRAGMA query_only = ON");
        m_notice = name
                   + " was made by an older version of Gridhelm; it is read from a private "
                     "copy that was brought up to date, until somebody opens it for writing "
                     "(gridhelm-cli compress, say)";
    }
    requireVersion();
}

/// What a writer who has just come does to files that are being copied is no damage.
template <typename Action>
void StudyFile::takeCopy(Action copy)
{
    try {
        copy();
    } catch (const std::exception &) {
        if (isCopyOutdated())
            throwChanged();
        throw;
    }
    if (isCopyOutdated())
        throwChanged();
}

void StudyFile::openBesideOwnLog(bool hasLog)
{
    const auto resolved = resolvedPath(m_path);
    const auto folder = std::make_shared<const PrivateFolder>();
    if (hasLog)
        folder->copyOf(resolved.string() + "-wal", "study-wal");
    // SQLite gives a log the rights of the file whose name it bears.
    std::ofstream(folder->path() / "study").close();
    m_folder = folder;
    m_alias = std::make_unique<const ReadOnlyAlias>(folder->path() / "study", resolved);
    openDatabase(uriOf(folder->path() / "study", "mode=ro"), SQLite::OPEN_READONLY, true);
    sqlite3_db_config(m_database->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

namespace {

/// Copies that are in use, by what they are copies of: every view of a window opens its study.
std::pair<std::mutex &, std::map<std::string, std::weak_ptr<const PrivateFolder>> &> copies()
{
    static std::mutex mutex;
    static std::map<std::string, std::weak_ptr<const PrivateFolder>> all;
    return {mutex, all};
}

} // namespace

void StudyFile::openOwnCopy(bool hasJournal)
{
    const auto resolved = resolvedPath(m_path);
    const auto [mutex, all] = copies();
    const std::scoped_lock lock(mutex);
    std::erase_if(all, [](const auto &copy) { return copy.second.expired(); });
    auto &known = all[resolved.string() + m_stamp + (hasJournal ? "j" : "m")];
    auto folder = known.lock();
    if (!folder) {
        const auto fresh = std::make_shared<const PrivateFolder>();
        fresh->copyOf(resolved, "study");
        if (hasJournal) {
            requireOwnJournal(resolved);
            fresh->copyOf(resolved.string() + "-journal", "study-journal");
        }
        // Undoes the unfinished write; and brings an older version up to date.
        m_isWriter = true;
        try {
            openDatabase(uriOf(fresh->path() / "study", "mode=rw"), SQLite::OPEN_READWRITE);
            SQLite::Statement(*m_database, "SELECT count(*) FROM sqlite_master").executeStep();
            requireVersion();
            if (version() < m_history.version() && version() < m_history.oldestReadable)
                migrate();
            m_statements.clear();
            m_database->exec("PRAGMA journal_mode = DELETE");
        } catch (...) {
            m_isWriter = false;
            throw;
        }
        m_isWriter = false;
        folder = fresh;
        known = folder;
    }
    openDatabase(uriOf(folder->path() / "study", "mode=ro"), SQLite::OPEN_READONLY);
    m_folder = folder;
}

} // namespace gridhelm::data
