// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/compact_file.h"

#include "core/support/bytes_text.h"
#include "data/study/beside_study.h"
#include "data/study/storage_error.h"
#include "data/study/study_file.h"
#include "data/study/study_uri.h"
#include "data/study/study_vfs.h"
#include "data/study/unfinished_file.h"

#include <SQLiteCpp/Backup.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <string>

namespace gridhelm::data {

namespace {

constexpr int pagesPutBack = 64;       // 1 MiB: a stop is noticed soon
constexpr int instructionsAtOnce = 64; // of SQLite's machine, a few for each row

std::int64_t pragmaNumber(SQLite::Database &database, const char *pragma)
{
    return database.execAndGet(pragma).getInt64();
}

double bytesInUse(SQLite::Database &database)
{
    return static_cast<double>(pragmaNumber(database, "PRAGMA page_count")
                               - pragmaNumber(database, "PRAGMA freelist_count"))
           * static_cast<double>(pragmaNumber(database, "PRAGMA page_size"));
}

void requireRoom(const StudyFile &file, double inUse)
{
    constexpr double twice = 2.1; // beside the study, and on its way back
    std::error_code unknown;
    const auto space = std::filesystem::space(file.path(), unknown);
    if (!unknown && static_cast<double>(space.available) < twice * inUse)
        throw StorageError(file.path().string() + " cannot be compacted, which needs "
                           + bytesText(twice * inUse) + " on its disk for a moment, where "
                           + bytesText(static_cast<double>(space.available))
                           + " are free: free some space, or copy it to another disk");
}

std::string beingRead(const StudyFile &file)
{
    return file.path().string()
           + " is being read elsewhere, so that it cannot be compacted now: close it there, or try "
             "again later";
}

/// Asks, while SQLite works, how long the new file is.
class Watch
{
public:
    Watch(SQLite::Database &database, const std::filesystem::path &growing, double expected,
          const std::function<bool(double)> &progress)
        : m_database(database)
        , m_growing(growing)
        , m_expected(expected)
        , m_progress(progress)
    {
        if (progress)
            sqlite3_progress_handler(database.getHandle(), instructionsAtOnce, &Watch::ask, this);
    }
    ~Watch() { sqlite3_progress_handler(m_database.getHandle(), 0, nullptr, nullptr); }
    Watch(const Watch &) = delete;
    Watch &operator=(const Watch &) = delete;

    /// Throws what the progress threw.
    bool isStopped() const
    {
        if (m_thrown)
            std::rethrow_exception(m_thrown);
        return m_isStopped;
    }

private:
    /// Called from C, which nothing may be thrown through.
    static int ask(void *watch) noexcept
    {
        auto &self = *static_cast<Watch *>(watch);
        try {
            std::error_code notYet;
            const auto size = std::filesystem::file_size(self.m_growing, notYet);
            const double share = notYet ? 0 : static_cast<double>(size) / self.m_expected;
            self.m_isStopped = !self.m_progress(0.5 * std::min(share, 1.0));
        } catch (...) {
            self.m_thrown = std::current_exception();
            self.m_isStopped = true;
        }
        return self.m_isStopped ? 1 : 0;
    }

    SQLite::Database &m_database;
    const std::filesystem::path &m_growing;
    double m_expected;
    const std::function<bool(double)> &m_progress;
    bool m_isStopped = false;
    std::exception_ptr m_thrown;
};

/// What is put back goes by the write-ahead log, so that readers go on. That cannot be begun while
/// somebody reads: he is waited for, not for long.
class ByLog
{
public:
    explicit ByLog(StudyFile &file)
        : m_database(file.database())
    {
        constexpr int patience = 2000; // milliseconds
        if (!isLogged(file, patience))
            throw Error(file.path().string()
                        + " is where no file can be written while it is read (in a network's "
                          "folder, say), so that it cannot be compacted there: copy it to another "
                          "disk");
        m_database.setBusyTimeout(patience);
    }
    ~ByLog() { m_database.setBusyTimeout(busyMilliseconds); }
    ByLog(const ByLog &) = delete;
    ByLog &operator=(const ByLog &) = delete;

private:
    static bool isLogged(StudyFile &file, int patience)
    {
        try {
            return file.requestLog(patience);
        } catch (const SQLite::Exception &exception) {
            if (exception.getErrorCode() == SQLITE_BUSY)
                throw Error(beingRead(file));
            throw;
        }
    }

    SQLite::Database &m_database;
};

/// An empty file that nobody can read who may not read the study.
void makeAsPrivate(const std::filesystem::path &packed, const std::filesystem::path &study)
{
    struct stat status
    {};
    constexpr mode_t permissions = 0666;
    const int descriptor =
        ::stat(study.c_str(), &status) == 0
            ? ::open(packed.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                     status.st_mode & permissions)
            : -1;
    if (descriptor < 0)
        throw Error(packed.string() + " cannot be made (" + std::strerror(errno)
                    + "), into which the study is compacted at first: check the permissions of "
                      "its folder");
    ::close(descriptor);
}

/// False if it was stopped.
bool writeBeside(StudyFile &file, const std::filesystem::path &packed, double inUse,
                 const std::function<bool(double)> &progress)
{
    const Watch watch(file.database(), packed, inUse, progress);
    try {
        SQLite::Statement vacuum(file.database(), "VACUUM INTO ?");
        vacuum.bind(1, uriOf(packed, "mode=rw"));
        vacuum.exec();
    } catch (const SQLite::Exception &) {
        if (watch.isStopped())
            return false;
        throw;
    }
    return true;
}

bool putBack(StudyFile &file, const std::filesystem::path &packed,
             const std::function<bool(double)> &progress)
{
    SQLite::Database from(uriOf(packed, "mode=ro"), SQLite::OPEN_READONLY | SQLite::OPEN_URI, 0,
                          studyVfs());
    SQLite::Backup backup(file.database(), from); // undoes all unless it comes to its end
    for (;;) {
        const int code = backup.executeStep(pagesPutBack);
        if (code == SQLITE_DONE)
            return true;
        if (code != SQLITE_OK)
            throw Error(beingRead(file));
        const auto all = std::max(backup.getTotalPageCount(), 1);
        const double done = 1 - static_cast<double>(backup.getRemainingPageCount()) / all;
        if (progress && !progress(0.5 + 0.5 * done))
            return false;
    }
}

} // namespace

bool compactFile(StudyFile &file, const std::function<bool(double)> &progress)
{
    return file.guarded([&] {
        const double inUse = bytesInUse(file.database());
        requireRoom(file, inUse);
        const ByLog byLog(file);
        const UnfinishedFile beside(resolvedPath(file.path()));
        makeAsPrivate(beside.path(), file.path());
        return writeBeside(file, beside.path(), inUse, progress)
               && putBack(file, beside.path(), progress);
    });
}

} // namespace gridhelm::data
