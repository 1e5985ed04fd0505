// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/study_file.h"

#include "data/study/beside_study.h"
#include "data/study/schema.h"
#include "data/study/storage_error.h"
#include "data/study/study_uri.h"
#include "data/study/table_rows.h"
#include "data/study/transaction.h"
#include "data/study/unfinished_file.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <fstream>

namespace gridhelm::data {

PointKey keyOf(const sparse::SparseGrid &grid, std::uint64_t point)
{
    PointKey key;
    key.levels.resize(static_cast<std::size_t>(grid.dimension()));
    std::array<std::uint32_t, sparse::maximumDimension> positions{};
    grid.idx2gp(point, key.levels, {positions.data(), key.levels.size()});
    const auto block = grid.findBlock(key.levels);
    key.position = static_cast<std::int64_t>(point - grid.blockOffset(*block));
    return key;
}

// ---- opening ------------------------------------------------------------------------------------

namespace {

/// Sentences for files that SQLite need not look at. The header's numbers are big-endian.
void requireStudyHeader(const std::filesystem::path &path)
{
    const auto name = path.string();
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
        throw Error("there is no file " + name + ": check its name");
    if (!std::filesystem::is_regular_file(status))
        throw Error(name + " is not a file, so it cannot be a study: check its name");
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw Error(name + " cannot be read: check its permissions");
    std::array<char, 100> header{};
    file.read(header.data(), header.size());
    if (file.gcount() == 0)
        throw Error(name + " is empty, so it is not a Gridhelm study: check its name");
    if (file.gcount() < static_cast<std::streamsize>(header.size())
        || std::memcmp(header.data(), "SQLite format 3", 16) != 0)
        throw Error(name + " is not a Gridhelm study: it is not an SQLite file; check its name");
    std::int64_t application = 0;
    for (int i = 0; i < 4; ++i)
        application = application * 256
                      + static_cast<unsigned char>(header[static_cast<std::size_t>(68 + i)]);
    if (application == schema::unreleasedApplicationId)
        throw Error(name
                    + " was made by a Gridhelm from before its first release, whose files are no "
                      "longer read: make it again from its runs, with gridhelm-cli import or plan");
    if (application != schema::applicationId)
        throw Error(
            name
            + " is not a Gridhelm study: it is an SQLite file of another program; check its name");
}

/// Whether this process may write there, as who it is now.
bool isWritable(const std::filesystem::path &path)
{
    return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

} // namespace

StudyFile::StudyFile(std::filesystem::path path, bool isWriter, const schema::History &history)
    : snapshotEncoding(BlobEncoding::automatic)
    , m_path(std::move(path))
    , m_isWriter(isWriter)
    , m_history(history)
{
}

StudyFile::~StudyFile()
{
    if (m_flush.valid())
        m_flush.wait();
    m_statements.clear(); // before the connection they belong to
    m_sums.leave();
    m_database.reset();
}

void StudyFile::openDatabase(const std::string &name, int flags, bool isAlone)
{
    m_statements.clear();
    m_soundTables.clear();
    m_database.reset();
    // Without locks of its own, since one thread at a time uses a study.
    m_database = std::make_unique<SQLite::Database>(
        name, flags | SQLite::OPEN_URI | SQLite::OPEN_NOMUTEX, busyMilliseconds, studyVfs());
    auto *handle = m_database->getHandle();
    if (isAlone) // with the log's index in memory instead of beside the log
        m_database->exec("PRAGMA locking_mode = EXCLUSIVE");
    // Files come from anywhere: nothing in them may run code or be taken on trust.
    constexpr int longestRow = 1 << 26; // of residuals of ten million points there are 40 MB
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longestRow);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    m_database->exec("PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON;"
                     "PRAGMA temp_store = MEMORY; PRAGMA secure_delete = OFF;"
                     // No mmap: an unreadable or vanishing page would kill the program.
                     "PRAGMA mmap_size = 0; PRAGMA cache_size = -16384");
}

std::int64_t StudyFile::version() const
{
    return m_database->execAndGet("PRAGMA user_version").getInt64();
}

void StudyFile::requireVersion() const
{
    const ReadTransaction together(*this); // somebody may bring it up to date meanwhile
    const auto version = this->version();
    const auto newest = m_history.version();
    if (version > newest) {
        std::int64_t compatible = version;
        try {
            compatible = m_database->execAndGet("SELECT compatible_version FROM study").getInt64();
        } catch (const SQLite::Exception &) {
            // A version so new that even this is elsewhere.
        }
        if (compatible > newest)
            throw Error(m_path.string() + " was made by a newer version of Gridhelm (file version "
                        + std::to_string(version) + ", this program reads up to "
                        + std::to_string(newest) + "): update Gridhelm");
        return;
    }
    if (version < 1)
        throwDamaged("its version is " + std::to_string(version));
    if (const auto difference = schema::difference(*m_database, version, m_history);
        !difference.empty())
        throwDamaged(difference);
    if (version < m_history.oldestReadable && !m_isWriter)
        throw Error(m_path.string() + " was made by an older version of Gridhelm (file version "
                    + std::to_string(version) + ", this program reads "
                    + std::to_string(m_history.oldestReadable)
                    + " and later ones): bring it up to date by opening it for writing once, say "
                      "with gridhelm-cli compress");
}

void StudyFile::migrate()
{
    m_usesLog = false;
    struct End
    {
        bool &usesLog;
        ~End() { usesLog = true; }
    } end{m_usesLog};
    // Tables that others refer to can only be made anew while nobody looks after the references;
    // each step checks them at its end.
    m_database->exec("PRAGMA foreign_keys = OFF");
    for (auto v = version(); v < m_history.version(); ++v) {
        Transaction transaction(*this);
        try {
            schema::migrateOneStep(*m_database, v, m_history);
        } catch (const Error &error) {
            throwDamaged(error.what());
        }
        // Whoever is killed now leaves a file of that version, which can be read as it is.
        if (v > 0 && v + 1 >= m_history.oldestReadable)
            updateChecksum();
        transaction.commit();
    }
    m_database->exec("PRAGMA foreign_keys = ON");
}

std::unique_ptr<StudyFile> StudyFile::openForReading(const std::filesystem::path &path,
                                                     const schema::History &history)
{
    // What a killed writer has left may be taken up by the next one while it is read.
    return againIfChanged([&] {
        requireStudyHeader(path);
        std::unique_ptr<StudyFile> file(new StudyFile(path, false, history));
        file->guarded([&] {
            file->openToRead();
            file->load();
        });
        return file;
    });
}

std::unique_ptr<StudyFile> StudyFile::openForWriting(const std::filesystem::path &path,
                                                     const schema::History &history)
{
    requireStudyHeader(path);
    if (!isWritable(path))
        throw Error(path.string() + " cannot be written (" + std::strerror(errno)
                    + "): change its permissions, or work on a copy");
    const auto resolved = resolvedPath(path);
    const auto beside = lookBeside(resolved);
    requireOwnJournal(resolved);
    // What a killed writer left is brought into the file as soon as it is opened: not before it is
    // known, from a private copy, that the study will be taken then.
    if (beside.hasJournal || beside.hasLog) {
        StudyFile probe(path, false, history);
        probe.m_isLockOurs = true;
        probe.guarded([&] {
            probe.openToRead();
            probe.load();
        });
    }
    std::unique_ptr<StudyFile> file(new StudyFile(path, true, history));
    file->guarded([&] {
        file->openDatabase(uriOf(path, "mode=rw"), SQLite::OPEN_READWRITE);
        file->requireVersion();
        const auto version = file->version();
        if (version >= history.oldestReadable)
            file->load(); // what is damaged is not touched
        if (version < history.version()) {
            file->migrate();
            file->load();
        }
        file->m_database->exec("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4096");
        file->m_sums.follow(*file->m_database);
        // Of a writer that was killed.
        file->m_isLogged = file->m_database->execAndGet("PRAGMA journal_mode").getString() == "wal";
        file->m_waits = file->m_isLogged;
    });
    return file;
}

std::unique_ptr<StudyFile> StudyFile::create(const std::filesystem::path &path,
                                             const StudyDescription &description,
                                             const std::stop_token &stop)
{
    std::unique_ptr<StudyFile> file(new StudyFile(path, true, schema::known()));
    file->guarded([&] {
        const UnfinishedFile unfinished(path);
        try {
            file->openDatabase(uriOf(unfinished.path(), "mode=rwc"),
                               SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLITE_OPEN_NOFOLLOW);
            file->m_database->exec("PRAGMA page_size = " + std::to_string(schema::pageBytes));
            file->m_database->exec("PRAGMA synchronous = FULL");
            file->migrate();
            file->m_sums.follow(*file->m_database);
            file->m_usesLog = false;
            file->begin();
            file->writeDescription(description);
            file->addGrid(description, stop);
            file->updateChecksum();
            file->commit();
        } catch (...) {
            file->m_statements.clear();
            file->m_sums.leave();
            file->m_database.reset();
            throw;
        }
        file->m_statements.clear();
        file->m_sums.leave();
        file->m_database.reset();
        unfinished.keep();
    });
    return openForWriting(path);
}

void StudyFile::throwChanged() const
{
    throw ChangedStudy(m_path.string() + " has been changed since it was opened: read it again");
}

void StudyFile::throwDamaged(const std::string &detail) const
{
    bool isOutdated = false;
    try {
        isOutdated = this->isOutdated();
    } catch (const SQLite::Exception &) {
        // All the more damaged.
    }
    if (isOutdated)
        throwChanged();
    throw DamagedStudy(m_path.string(), detail);
}

void StudyFile::throwAsError(const SQLite::Exception &exception) const
{
    const auto name = m_path.string();
    const std::string detail = exception.what();
    if (isCopyOutdated())
        throwChanged();
    switch (exception.getErrorCode()) {
    case SQLITE_NOTADB:
        throw Error(name
                    + " is not a Gridhelm study, or is damaged at its beginning: check its name");
    case SQLITE_CORRUPT:
        throwDamaged(detail);
    case SQLITE_FULL:
        throw StorageError(name
                           + " could not be written, because the disk is full: free some space and "
                             "go on; what was finished is kept");
    case SQLITE_READONLY:
        if (exception.getExtendedErrorCode() == SQLITE_READONLY_ROLLBACK)
            throw Error(name + " was left in the middle of a write: copy it, with the file "
                        + m_path.filename().string()
                        + "-journal, to where it can be written, and open it there");
        throw Error(name + " cannot be written (" + detail
                    + "): change its permissions, or work on a copy");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        throw StudyInUse(name + " is in use by another program for too long (" + detail
                         + "): try again when that has finished");
    case SQLITE_CANTOPEN:
        throw Error(name + " cannot be opened (" + detail
                    + "): check that it and its folder can be read");
    case SQLITE_IOERR:
        if (exception.getExtendedErrorCode() == SQLITE_IOERR_LOCK)
            throw StorageError(name
                               + " cannot be locked, because its file system has no locks: copy it "
                                 "to another folder, on a disk of this machine, say");
        throw StorageError(name + " could not be read or written (" + detail
                           + "): check the disk and its free space");
    case SQLITE_NOMEM:
        throw Error(name + " needs more memory than there is: close other programs");
    case SQLITE_TOOBIG:
        if (!m_isWriter)
            throwDamaged("a row is longer than any that is written");
        throw Error(name + " cannot hold a single chunk of more than 64 MB: use smaller meshes");
    default:
        // Constraints and missing tables: nothing that this program writes.
        throwDamaged(detail);
    }
}

Query StudyFile::query(const char *sql) const
{
    auto kept = m_statements.find(sql);
    if (kept == m_statements.end()) {
        for (const auto &table : tablesIn(sql))
            requireRows(table);
        kept =
            m_statements.emplace(sql, std::make_unique<SQLite::Statement>(*m_database, sql)).first;
    }
    return Query(*kept->second);
}

void StudyFile::requireRows(const std::string &name) const
{
    if (!m_soundTables.insert(name).second) // before it is known: what is said reads tables, too
        return;
    struct Unless // asked again, it is looked at again, also where SQLite could not read it
    {
        std::set<std::string> &tables;
        const std::string &name;
        bool isSound = false;
        ~Unless()
        {
            if (!isSound)
                tables.erase(name);
        }
    } unless{m_soundTables, name};
    const ReadTransaction together(*this);
    const auto tables = summedTables();
    const auto table = std::ranges::find(tables, name, &SummedTable::name);
    constexpr std::int64_t fewestBytes = 8; // that a row takes
    const auto problem =
        table != tables.end()
            ? problemOfRows(*m_database, *table, storedSum(name), 0)
            : problemOfRows(*m_database, {name.c_str(), {}}, std::nullopt, bytes() / fewestBytes);
    if (!problem.empty())
        throwDamaged(problem);
    unless.isSound = true;
}

std::int64_t StudyFile::bytes() const
{
    const auto pages = m_database->execAndGet("PRAGMA page_count").getInt64();
    return pages * m_database->execAndGet("PRAGMA page_size").getInt64();
}

/// After some errors (a full disk) SQLite has undone everything already.
void StudyFile::requireTransaction() const
{
    if (sqlite3_get_autocommit(m_database->getHandle()) != 0)
        throw StorageError(m_path.string()
                           + " could not be written, and everything since the last commit was "
                             "undone: check the disk and its free space");
}

void StudyFile::begin()
{
    if (m_transactions == 0) {
        requireSynced();
        makeRoom();
        chooseWaiting();
    } else
        requireTransaction(); // a savepoint would begin another one, without what is undone
    query(m_transactions == 0 ? "BEGIN IMMEDIATE" : "SAVEPOINT inner_transaction").run();
    ++m_transactions;
    try {
        m_sums.begin();
    } catch (...) {
        rollBack();
        throw;
    }
}

void StudyFile::commit()
{
    requireTransaction();
    m_sums.commit();
    if (m_transactions == 1)
        endFlush();
    query(m_transactions == 1 ? "COMMIT" : "RELEASE inner_transaction").run();
    --m_transactions;
    if (m_transactions == 0) {
        m_sums.committed();
        m_waits = m_isLogged;
        m_owesSync = m_isLogged && !m_waitsForDisk; // one that waited has waited for all before it
        useLog();
        bringIn();
    }
}

void StudyFile::rollBack() noexcept
{
    try {
        const bool isInner = m_transactions > 1;
        --m_transactions;
        m_sums.rollBack();
        if (!isInner && m_flush.valid())
            m_flush.get(); // whatever came of it is undone
        if (sqlite3_get_autocommit(m_database->getHandle()) == 0)
            m_database->exec(isInner ? "ROLLBACK TO inner_transaction; RELEASE inner_transaction"
                                     : "ROLLBACK");
        load(); // fields or grids may have been added in vain
    } catch (const std::exception &) {
        // The file is as it was; reading it again may fail, and will say so then.
    }
}

void StudyFile::beginBulk()
{
    if (m_isBulk || m_transactions > 0)
        return;
    guarded([&] {
        m_database->setBusyTimeout(0);
        try {
            m_isBulk =
                m_database->execAndGet("PRAGMA journal_mode = TRUNCATE").getString() == "truncate";
        } catch (const SQLite::Exception &) {
            // Somebody reads: the write-ahead log stays.
        }
        m_database->setBusyTimeout(busyMilliseconds);
        m_isLogged = m_isLogged && !m_isBulk;
        m_owesSync = m_owesSync && m_isLogged; // without a log, everything was brought in
        if (m_isBulk) // what is more than this goes to the file before the commit
            m_database->exec("PRAGMA cache_size = -32768");
    });
}

void StudyFile::endBulk() noexcept
{
    if (!m_isBulk)
        return;
    m_isBulk = false;
    m_database->tryExec("PRAGMA cache_size = -16384"); // the log comes with the next transaction
}

void StudyFile::startFlush()
{
    if (!m_isBulk || m_transactions == 0)
        return;
    if (m_flush.valid()) {
        if (m_flush.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
            return;
        endFlush();
    }
    sqlite3_file *file = nullptr;
    if (sqlite3_file_control(m_database->getHandle(), "main", SQLITE_FCNTL_FILE_POINTER, &file)
            != SQLITE_OK
        || file == nullptr || file->pMethods == nullptr)
        return;
    // As when the system writes pages at a time of its own choice: what they replace is in the
    // journal, on the disk, before SQLite lets any of them out of its cache.
    m_flush = std::async(std::launch::async,
                         [file] { return file->pMethods->xSync(file, SQLITE_SYNC_NORMAL); });
}

void StudyFile::endFlush()
{
    if (!m_flush.valid())
        return;
    // The system reports a failed write once, so that SQLite's own call would not hear of it.
    if (const int code = m_flush.get(); code != SQLITE_OK)
        throw SQLite::Exception("what was written did not reach the disk", code);
}

} // namespace gridhelm::data
