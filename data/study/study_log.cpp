// SPDX-License-Identifier: GPL-3.0-or-later
//
// A writer's write-ahead log: used from the first commit on (until then there is a journal), so
// that who only looks, or is refused, has changed no byte; brought into the file every second, so
// that a copy of the file lacks little; and given up for a journal where the disk is too small for
// both. Commits that did not wait for the disk wait in it for the next that does, or for syncLog().
#include "data/study/beside_study.h"
#include "data/study/study_file.h"

#include <SQLiteCpp/Statement.h>
#include <sqlite3.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <utility>

namespace gridhelm::data {

namespace {

/// What the disk still takes; a great deal if that cannot be said.
double freeBytes(const std::filesystem::path &file)
{
    struct statvfs status
    {};
    if (::statvfs(std::filesystem::absolute(file).parent_path().c_str(), &status) != 0)
        return 1e18;
    return static_cast<double>(status.f_bavail) * static_cast<double>(status.f_frsize);
}

double sizeOf(const std::string &path)
{
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    return error ? 0 : static_cast<double>(size);
}

} // namespace

void StudyFile::useLog()
{
    if (m_isLogged || m_isBulk || !m_usesLog)
        return;
    m_database->setBusyTimeout(0);
    try {
        m_isLogged = m_database->execAndGet("PRAGMA journal_mode = WAL").getString() == "wal";
    } catch (const SQLite::Exception &) {
        // Somebody reads just now: after the next transaction, then.
    }
    m_database->setBusyTimeout(busyMilliseconds);
    m_settled = std::chrono::steady_clock::now();
}

bool StudyFile::requestLog(int patience)
{
    endBulk();
    m_database->setBusyTimeout(patience);
    try {
        m_isLogged = m_database->execAndGet("PRAGMA journal_mode = WAL").getString() == "wal";
    } catch (const SQLite::Exception &) {
        m_database->setBusyTimeout(busyMilliseconds);
        throw;
    }
    m_database->setBusyTimeout(busyMilliseconds);
    return m_isLogged;
}

/// On a small disk, what waits in the log takes room that new work needs; and what goes to the log
/// first needs room twice.
void StudyFile::makeRoom()
{
    constexpr double little = 64 << 20;
    if (m_isBulk || !m_usesLog)
        return;
    const double log = sizeOf(m_path.string() + "-wal");
    const double free = freeBytes(m_path);
    if (free > little + 2 * log)
        return;
    if (m_isLogged)
        emptyLog();
    beginBulk();
}

/// Only with the log is a file that the power failed in the middle of sound without waiting.
void StudyFile::chooseWaiting()
{
    const bool waits = !m_isHasty || !m_isLogged;
    if (waits == m_waitsForDisk)
        return;
    m_database->exec(waits ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    m_waitsForDisk = waits;
}

void StudyFile::setHasty(bool isHasty)
{
    m_isHasty = isHasty;
    if (!isHasty)
        syncLog();
}

/// What hasty commits left in the log is on the disk afterwards, whoever reads meanwhile: SQLite
/// itself syncs the log in a commit that waits, or if it then brings all of it in.
void StudyFile::syncLog() noexcept
{
    if (!m_owesSync)
        return;
    sqlite3_file *log = nullptr;
    int code = sqlite3_file_control(m_database->getHandle(), "main", SQLITE_FCNTL_JOURNAL_POINTER,
                                    static_cast<void *>(&log));
    if (code == SQLITE_OK)
        code = log != nullptr && log->pMethods != nullptr
                   ? log->pMethods->xSync(log, SQLITE_SYNC_NORMAL)
                   : SQLITE_IOERR_FSYNC;
    m_owesSync = false; // the system reports a failed write once; so do we
    if (code != SQLITE_OK)
        m_syncCode = code;
}

void StudyFile::requireSynced()
{
    if (const int code = std::exchange(m_syncCode, SQLITE_OK); code != SQLITE_OK)
        throw SQLite::Exception("what was written did not reach the disk", code);
}

void StudyFile::settle()
{
    bringIn();
    requireSynced();
}

/// Throws nothing, so that a commit that was made is none that failed: the next begin() does.
void StudyFile::bringIn()
{
    constexpr std::chrono::seconds interval{1};
    const auto now = std::chrono::steady_clock::now();
    if (!m_waits || m_transactions > 0 || now - m_settled < interval)
        return;
    m_settled = now;
    m_database->setBusyTimeout(0); // a reader in the way is not waited for
    m_waits = !emptyLog();
    m_database->setBusyTimeout(busyMilliseconds);
    syncLog();
}

bool StudyFile::checkpoint()
{
    // Of this file alone: SQLite's temporary tables may still be in use after migrations.
    SQLite::Statement statement(*m_database, "PRAGMA main.wal_checkpoint(TRUNCATE)");
    const bool isEmpty = statement.executeStep() && statement.getColumn(0).getInt() == 0;
    m_owesSync = m_owesSync && !isEmpty; // all of it was synced, in the log and in the file
    return isEmpty;
}

bool StudyFile::emptyLog()
{
    // A full disk is no reason to fail: what is in the log is safe there, or will be by syncLog().
    try {
        return checkpoint();
    } catch (const SQLite::Exception &) {
        return false;
    }
}

std::string StudyFile::close()
{
    return guarded([&]() -> std::string {
        std::string note;
        m_statements.clear();
        m_sums.leave();
        const auto mode =
            m_isWriter ? m_database->execAndGet("PRAGMA journal_mode").getString() : "delete";
        if (mode == "wal") {
            constexpr int patience = 1000; // milliseconds, with who reads just now
            m_database->setBusyTimeout(patience);
            const bool isEmpty = checkpoint();
            syncLog();
            requireSynced();
            if (!isEmpty)
                note = m_path.string() + " is being read at length by another program, so that "
                       + "some of it stays in the file " + m_path.filename().string()
                       + "-wal: keep both together until the study is opened for writing again";
        }
        if (mode != "delete") {
            m_database->setBusyTimeout(0);
            try { // fails while somebody else has the file open
                m_database->exec("PRAGMA journal_mode = DELETE");
            } catch (const SQLite::Exception &exception) {
                if (exception.getErrorCode() != SQLITE_BUSY
                    && exception.getErrorCode() != SQLITE_LOCKED)
                    throw;
            }
        }
        m_database.reset();
        return note;
    });
}

} // namespace gridhelm::data
