// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/study_file.h"

#include "core/support/checked_math.h"
#include "core/support/memory_check.h"
#include "core/support/version.h"
#include "data/study/beside_study.h"
#include "data/study/row_checksums.h"
#include "data/study/schema.h"
#include "data/study/storage_error.h"
#include "data/study/study_uri.h"
#include "data/study/study_writer.h"
#include "data/study/unfinished_file.h"
#include "data/study/writer_lock.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
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

constexpr int busyMilliseconds = 10'000;

/// Sentences for files that SQLite need not look at. The header's numbers are big-endian.
void requireStudyHeader(const std::filesystem::path &path)
{
    const auto name = path.string();
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
        throw Error("there is no file " + name + ": check its name");
    if (!std::filesystem::is_regular_file(status))
        throw Error(name + " is no file, so it cannot be a study: check its name");
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw Error(name + " cannot be read: check its permissions");
    std::array<char, 100> header{};
    file.read(header.data(), header.size());
    if (file.gcount() == 0)
        throw Error(name + " is empty, so it is no study: check its name");
    if (file.gcount() < static_cast<std::streamsize>(header.size())
        || std::memcmp(header.data(), "SQLite format 3", 16) != 0)
        throw Error(name + " is no study: it is not an SQLite file; check its name");
    std::int64_t application = 0;
    for (int i = 0; i < 4; ++i)
        application = application * 256
                      + static_cast<unsigned char>(header[static_cast<std::size_t>(68 + i)]);
    if (application != schema::applicationId)
        throw Error(name + " is no study: it is an SQLite file of another program; check its name");
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
    m_database.reset();
}

void StudyFile::openDatabase(const std::string &name, int flags, bool isAlone)
{
    m_statements.clear();
    m_database.reset();
    m_database = std::make_unique<SQLite::Database>(name, flags | SQLite::OPEN_URI,
                                                    busyMilliseconds, studyVfs());
    auto *handle = m_database->getHandle();
    if (isAlone) // with the log's index in memory instead of beside the log
        m_database->exec("PRAGMA locking_mode = EXCLUSIVE");
    // Files come from anywhere: nothing in them may run code or be taken on trust.
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
    if (version() == 1)
        requireDescription(); // what is damaged is not migrated
    m_database->exec("PRAGMA foreign_keys = OFF");
    for (auto v = version(); v < m_history.version(); ++v) {
        Transaction transaction(*this);
        try {
            schema::migrateOneStep(*m_database, v, m_history);
        } catch (const Error &error) {
            throwDamaged(error.what());
        }
        const bool hasDescription = v > 0;
        if (hasDescription && v + 1 == m_history.version())
            updateChecksum();
        transaction.commit();
    }
    m_database->exec("PRAGMA foreign_keys = ON");
}

std::unique_ptr<StudyFile> StudyFile::openForReading(const std::filesystem::path &path,
                                                     const schema::History &history)
{
    requireStudyHeader(path);
    std::unique_ptr<StudyFile> file(new StudyFile(path, false, history));
    file->guarded([&] {
        file->openToRead();
        file->load();
    });
    return file;
}

std::unique_ptr<StudyFile> StudyFile::openForWriting(const std::filesystem::path &path,
                                                     const schema::History &history)
{
    requireStudyHeader(path);
    if (!isWritable(path))
        throw Error(path.string() + " cannot be written (" + std::strerror(errno)
                    + "): change its permissions, or work on a copy");
    const auto resolved = resolvedPath(path);
    static_cast<void>(lookBeside(resolved));
    requireOwnJournal(resolved);
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
            file->m_database.reset();
            throw;
        }
        file->m_statements.clear();
        file->m_database.reset();
        unfinished.keep();
    });
    return openForWriting(path);
}

void StudyFile::throwDamaged(const std::string &detail) const
{
    throw DamagedStudy(m_path.string(), detail);
}

void StudyFile::throwAsError(const SQLite::Exception &exception) const
{
    const auto name = m_path.string();
    const std::string detail = exception.what();
    if (!m_stamp.empty() && stampOf(resolvedPath(m_path)) != m_stamp)
        throw Error(name + " has been changed since it was opened: read it again");
    switch (exception.getErrorCode()) {
    case SQLITE_NOTADB:
        throw Error(name + " is no study, or is damaged at its beginning: check its name");
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
        throw Error(name + " is in use by another program for too long (" + detail
                    + "): try again when that has finished");
    case SQLITE_CANTOPEN:
        throw Error(name + " cannot be opened (" + detail
                    + "): check that it and its folder can be read");
    case SQLITE_IOERR:
        throw StorageError(name + " could not be read or written (" + detail
                           + "): check the disk and its free space");
    case SQLITE_NOMEM:
        throw Error(name + " needs more memory than there is: close other programs");
    case SQLITE_TOOBIG:
        throw Error(name + " cannot hold a single piece of more than 1 GB: use smaller meshes");
    default:
        // Constraints and missing tables: nothing that this program writes.
        throwDamaged(detail);
    }
}

Query StudyFile::query(const char *sql) const
{
    auto &statement = m_statements[sql];
    if (!statement)
        statement = std::make_unique<SQLite::Statement>(*m_database, sql);
    return Query(*statement);
}

void StudyFile::begin()
{
    if (m_transactions == 0)
        makeRoom();
    m_database->exec(m_transactions == 0 ? "BEGIN IMMEDIATE" : "SAVEPOINT inner_transaction");
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
    // After some errors (a full disk) SQLite has undone everything already.
    if (sqlite3_get_autocommit(m_database->getHandle()) != 0)
        throw StorageError(m_path.string()
                           + " could not be written, and everything since the last commit was "
                             "undone: check the disk and its free space");
    m_sums.commit();
    if (m_transactions == 1)
        endFlush();
    m_database->exec(m_transactions == 1 ? "COMMIT" : "RELEASE inner_transaction");
    --m_transactions;
    if (m_transactions == 0) {
        m_waits = m_isLogged;
        useLog();
        settle();
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

// ---- in memory ----------------------------------------------------------------------------------

const Field &StudyFile::field(FieldIndex index) const
{
    if (index >= m_fields.size())
        throw Error("the study has " + std::to_string(m_fields.size()) + " fields, so there is no "
                    + "field number " + std::to_string(index));
    return m_fields[index];
}

namespace {

/// Exactly, whatever the locale.
std::string exactText(double value)
{
    std::array<char, 40> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::hex).ptr;
    return {text.data(), end};
}

std::vector<int> parseCaps(const std::string &text)
{
    std::vector<int> caps;
    const char *next = text.data(), *end = text.data() + text.size();
    while (next < end) {
        int cap = 0;
        const auto result = std::from_chars(next, end, cap);
        if (result.ec != std::errc{} || (result.ptr != end && *result.ptr != ','))
            throw Error("a level cap is no number");
        caps.push_back(cap);
        next = result.ptr == end ? end : result.ptr + 1;
    }
    return caps;
}

std::string capsText(const std::vector<int> &caps)
{
    std::string text;
    for (int cap : caps)
        text += (text.empty() ? "" : ",") + std::to_string(cap);
    return text;
}

StudyKind parseStudyKind(const std::string &text)
{
    for (auto kind : {StudyKind::vector, StudyKind::scalar}) {
        if (text == toString(kind))
            return kind;
    }
    throw Error("there is no kind of study \"" + text + "\"");
}

Association parseAssociation(const std::string &text)
{
    for (auto association : {Association::point, Association::cell}) {
        if (text == toString(association))
            return association;
    }
    throw Error("values can belong to points and cells only");
}

} // namespace

void requireSensible(const Field &field)
{
    constexpr std::uint64_t mostValues = std::uint64_t{1} << 40;
    if (field.name.empty())
        throw Error("a field needs a name");
    if (field.components < 1 || field.components > 9)
        throw Error("field " + field.name + " has " + std::to_string(field.components)
                    + " components: 1 to 9 are possible");
    if (field.entities < 1 || field.entities > mostValues / 9)
        throw Error("field " + field.name + " has values at " + std::to_string(field.entities)
                    + " points or cells: at least 1 and not more than a hundred billion are "
                      "possible");
}

namespace {

/// Points and jobs of vector studies have a row each; beyond this a study would be a list of them.
void requireSensible(const sparse::GridCount &count, StudyKind kind)
{
    constexpr std::uint64_t mostPoints = 10'000'000;
    if (kind == StudyKind::vector && count.points > mostPoints)
        throw Error("a grid of " + std::to_string(count.points)
                    + " points is too large for a study of snapshots (at most 10 million): lower "
                      "the level, or cap the levels of some parameters");
    requireMemory(16.0 * static_cast<double>(count.points),
                  "a study of " + std::to_string(count.points) + " points",
                  "lower the level, or cap the levels of some parameters");
}

} // namespace

/// Everything that the checksum covers, in a fixed order: read from the tables, not from memory, so
/// that it covers what is stored.
std::string StudyFile::checksummedText() const
{
    std::string text;
    const auto add = [&](const std::string &item) {
        text += std::to_string(item.size()) + ":" + item + ";";
    };
    for (auto study = query("SELECT compatible_version, kind, title, simulation, program, created "
                            "FROM study WHERE id = 1");
         study.step();) {
        for (int column = 0; column < 6; ++column)
            add(study.text(column));
    }
    for (auto parameter = query("SELECT dimension, name, unit, low, high, scale, kind, treatment, "
                                "level_cap FROM parameters ORDER BY dimension");
         parameter.step();) {
        for (int column : {0, 1, 2})
            add(parameter.text(column));
        for (int column : {3, 4})
            add(exactText(parameter.real(column)));
        for (int column : {5, 6, 7, 8})
            add(parameter.isNull(column) ? "none" : parameter.text(column));
    }
    for (auto grid = query("SELECT generation, level, caps, points, blocks FROM grids "
                           "ORDER BY generation");
         grid.step();) {
        for (int column = 0; column < 5; ++column)
            add(grid.text(column));
    }
    for (auto field = query("SELECT id, name, unit, components, association, entities FROM fields "
                            "ORDER BY id");
         field.step();) {
        for (int column = 0; column < 6; ++column)
            add(field.text(column));
    }
    return text;
}

std::int64_t StudyFile::descriptionChecksum() const
{
    const auto text = checksummedText();
    return checksum({}, std::as_bytes(std::span(text)));
}

void StudyFile::requireDescription() const
{
    auto study = query("SELECT checksum FROM study WHERE id = 1");
    if (!study.step() || study.integer(0) != descriptionChecksum())
        throwDamaged("the checksum of its description does not match");
}

void StudyFile::updateChecksum()
{
    const auto value = descriptionChecksum();
    query("UPDATE study SET checksum = ?1 WHERE id = 1").bind(value).run();
}

void StudyFile::reload()
{
    if (!m_stamp.empty() && stampOf(resolvedPath(m_path)) != m_stamp)
        openToRead();
    requireVersion();
    load();
}

void StudyFile::load()
{
    const ReadTransaction together(*this); // so that a writer cannot change the grid in between

    auto description = [&] {
        auto study = query("SELECT kind, title, simulation, checksum FROM study WHERE id = 1");
        if (!study.step())
            throwDamaged("its description is missing");
        requireDescription();
        try {
            std::vector<Parameter> parameters;
            for (auto row = query("SELECT name, unit, low, high, scale, kind, treatment, level_cap "
                                  "FROM parameters ORDER BY dimension");
                 row.step();) {
                Parameter parameter;
                parameter.name = row.text(0);
                parameter.unit = row.text(1);
                parameter.low = row.real(2);
                parameter.high = row.real(3);
                parameter.scale = parseParameterScale(row.text(4));
                parameter.kind = parseParameterKind(row.text(5));
                if (!row.isNull(6))
                    parameter.treatment = sparse::parseBoundaryTreatments(row.text(6), 1).front();
                if (!row.isNull(7))
                    parameter.levelCap = narrow<int>(row.integer(7));
                parameters.push_back(parameter);
            }
            return std::make_unique<StudyDescription>(
                StudyDescription{study.text(1), parseStudyKind(study.text(0)),
                                 ParameterSpace(std::move(parameters)), 1, study.text(2)});
        } catch (const Error &error) {
            throwDamaged(error.what());
        }
    }();

    std::vector<std::shared_ptr<const sparse::SparseGrid>> generations;
    for (auto row = query("SELECT level, caps, points, blocks FROM grids ORDER BY generation");
         row.step();) {
        try {
            description->level = narrow<int>(row.integer(0));
        } catch (const Error &error) {
            throwDamaged(error.what());
        }
        const auto generation = generations.size();
        const bool isKnown =
            generation < m_generations.size()
            && m_generations[generation]->points() == static_cast<std::uint64_t>(row.integer(2));
        if (isKnown) {
            generations.push_back(m_generations[generation]);
            continue;
        }
        // Counted before it is made: a wrong level asks for any amount of memory.
        const auto grid = [&] {
            try {
                const auto shape = description->space.withLevelCaps(parseCaps(row.text(1)))
                                       .shape(description->level);
                const auto count = sparse::countGrid(shape);
                if (count.points != static_cast<std::uint64_t>(row.integer(2))
                    || count.blocks != static_cast<std::uint64_t>(row.integer(3)))
                    throw Error("its grid has another number of points than it says");
                requireSensible(count, description->kind);
                return std::make_shared<const sparse::SparseGrid>(shape);
            } catch (const Error &error) {
                throwDamaged(error.what());
            }
        }();
        generations.push_back(grid);
    }
    if (generations.empty())
        throwDamaged("its grid is missing");

    std::vector<Field> fields;
    for (auto row = query("SELECT id, name, unit, components, association, entities FROM fields "
                          "ORDER BY id");
         row.step();) {
        try {
            Field field;
            field.name = row.text(1);
            field.unit = row.text(2);
            field.components = narrow<int>(row.integer(3));
            field.association = parseAssociation(row.text(4));
            field.entities = narrow<std::uint64_t>(row.integer(5));
            requireSensible(field);
            if (row.integer(0) != static_cast<std::int64_t>(fields.size()))
                throw Error("the numbers of its fields have a gap");
            fields.push_back(field);
        } catch (const Error &error) {
            throwDamaged(error.what());
        }
    }

    m_description = std::move(description);
    m_generations = std::move(generations);
    m_grid = m_generations.back();
    m_fields = std::move(fields);
    m_pointIds.clear();
    m_pointOfId.clear();
    m_jobPoints.clear();
}

std::uint64_t StudyFile::pointOfKey(std::span<const std::byte> levels, std::int64_t position) const
{
    const auto d = static_cast<std::size_t>(m_grid->dimension());
    const sparse::LevelVectorView vector(reinterpret_cast<const sparse::Level *>(levels.data()),
                                         levels.size());
    if (vector.size() == d) {
        const auto block = m_grid->findBlock(vector);
        if (block && position >= 0
            && static_cast<std::uint64_t>(position) < m_grid->blockSize(*block))
            return m_grid->blockOffset(*block) + static_cast<std::uint64_t>(position);
    }
    throwDamaged("it names a point that its grid does not have");
}

void StudyFile::loadPointIds() const
{
    if (!m_pointIds.empty())
        return;
    // On the side first: an exception must not leave half a table.
    std::vector<std::int64_t> ids(m_grid->points(), -1);
    std::unordered_map<std::int64_t, std::uint64_t> points;
    points.reserve(ids.size());
    const ReadTransaction together(*this);
    TableSum sum;
    for (auto row = query("SELECT id, levels, position FROM points ORDER BY id"); row.step();) {
        const auto point = pointOfKey(row.blob(1), row.integer(2));
        if (ids[point] >= 0)
            throwDamaged("it names a point of its grid twice");
        ids[point] = row.integer(0);
        points.emplace(row.integer(0), point);
        sum.add(countOfPoint(row.integer(0), row.blob(1), row.integer(2)));
    }
    if (points.size() != ids.size())
        throwDamaged("it lacks points of its grid");
    requireSum("points", sum);
    m_pointIds = std::move(ids);
    m_pointOfId = std::move(points);
}

std::int64_t StudyFile::pointId(std::uint64_t point) const
{
    loadPointIds();
    if (point >= m_pointIds.size())
        throw Error("the study's grid has " + std::to_string(m_pointIds.size())
                    + " points, so there is no point number " + std::to_string(point));
    return m_pointIds[point];
}

std::uint64_t StudyFile::pointOfId(std::int64_t id) const
{
    loadPointIds();
    const auto found = m_pointOfId.find(id);
    if (found == m_pointOfId.end())
        throwDamaged("it names a point that its grid does not have");
    return found->second;
}

void StudyFile::loadJobPoints() const
{
    if (!m_jobPoints.empty())
        return;
    std::vector<std::vector<std::uint64_t>> newPoints(m_generations.size());
    for (std::size_t block = 0; block < m_grid->blocks(); ++block) {
        std::size_t generation = 0;
        while (!m_generations[generation]->findBlock(m_grid->levelVector(block)))
            ++generation;
        for (std::uint64_t i = 0; i < m_grid->blockSize(block); ++i)
            newPoints[generation].push_back(m_grid->blockOffset(block) + i);
    }
    std::vector<std::unordered_map<std::uint64_t, std::vector<std::uint64_t>>> jobPoints;
    for (const auto &points : newPoints) {
        jobPoints.emplace_back();
        for (auto &run : groupIntoRuns(m_description->space, *m_grid, points)) {
            const auto first = run.points.front();
            jobPoints.back().emplace(first, std::move(run.points));
        }
    }
    m_jobPoints = std::move(jobPoints);
}

void StudyFile::requireSum(std::string_view table, const TableSum &sum) const
{
    if (m_transactions > 0) { // what is stored is of the last commit
        if (m_sums.of(table) != sum)
            throwDamaged("rows of its table " + std::string(table) + " are missing or changed");
        return;
    }
    auto row = query("SELECT rows, checksum FROM sums WHERE name = ?");
    row.bind(table);
    const bool isStored = row.step();
    const TableSum stored =
        isStored ? TableSum{row.integer(0), static_cast<std::uint64_t>(row.integer(1))}
                 : TableSum{};
    if (stored != sum)
        throwDamaged("rows of its table " + std::string(table) + " are missing or changed");
}

const std::vector<std::uint64_t> &StudyFile::pointsOfJob(std::int64_t generation,
                                                         std::uint64_t firstPoint) const
{
    loadJobPoints();
    if (generation >= 0 && static_cast<std::size_t>(generation) < m_jobPoints.size()) {
        const auto &jobs = m_jobPoints[static_cast<std::size_t>(generation)];
        if (const auto found = jobs.find(firstPoint); found != jobs.end())
            return found->second;
    }
    throwDamaged("one of its jobs has points that its grid does not have");
}

// ---- writing ------------------------------------------------------------------------------------

namespace {

std::string utcNow()
{
    const auto now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

void bindParameter(Query &query, const Parameter &parameter, std::size_t dimension)
{
    query.bind(static_cast<std::int64_t>(dimension))
        .bind(std::string_view(parameter.name))
        .bind(std::string_view(parameter.unit))
        .bind(parameter.low)
        .bind(parameter.high)
        .bind(toString(parameter.scale))
        .bind(toString(parameter.kind));
    if (parameter.treatment)
        query.bind(sparse::toString(*parameter.treatment));
    else
        query.bindNull();
    if (parameter.levelCap)
        query.bind(*parameter.levelCap);
    else
        query.bindNull();
}

} // namespace

void StudyFile::writeDescription(const StudyDescription &description)
{
    const auto program = std::string(versionString()) + " " + std::string(commitString());
    const auto created = utcNow();
    query("INSERT INTO study (id, compatible_version, kind, title, simulation, program, created, "
          "checksum) VALUES (1, ?, ?, ?, ?, ?, ?, 0)")
        .bind(m_history.compatibleVersion())
        .bind(toString(description.kind))
        .bind(std::string_view(description.title))
        .bind(std::string_view(description.simulation))
        .bind(std::string_view(program))
        .bind(std::string_view(created))
        .run();
    for (std::size_t t = 0; t < description.space.parameters().size(); ++t) {
        auto insert =
            query("INSERT INTO parameters (dimension, name, unit, low, high, scale, kind, "
                  "treatment, level_cap) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
        bindParameter(insert, description.space[t], t);
        insert.run();
    }
}

void StudyFile::addGrid(const StudyDescription &description, const std::stop_token &stop)
{
    const auto goOn = [&] {
        if (stop.stop_requested())
            throw Error("it was stopped before all points were written: nothing has changed");
    };
    const auto shape = description.space.shape(description.level);
    const auto old = m_grid;
    requireSensible(sparse::countGrid(shape), description.kind);
    const auto grid = std::make_shared<const sparse::SparseGrid>(shape);
    std::vector<std::uint64_t> newPoints;
    std::size_t kept = 0;
    for (std::size_t block = 0; block < grid->blocks(); ++block) {
        if (old && old->findBlock(grid->levelVector(block))) {
            ++kept;
            continue;
        }
        for (std::uint64_t i = 0; i < grid->blockSize(block); ++i)
            newPoints.push_back(grid->blockOffset(block) + i);
    }
    if (old && kept != old->blocks())
        throw Error("the study's grid has points that the new one lacks: a grid can only grow; do "
                    "not lower the level or a cap");

    const auto generation = static_cast<std::int64_t>(m_generations.size());
    const auto caps = capsText(shape.caps());
    query("INSERT INTO grids (generation, level, caps, points, blocks) VALUES (?, ?, ?, ?, ?)")
        .bind(generation)
        .bind(description.level)
        .bind(std::string_view(caps))
        .bind(grid->points())
        .bind(static_cast<std::uint64_t>(grid->blocks()))
        .run();
    if (description.kind == StudyKind::vector) {
        for (auto point : newPoints) {
            goOn();
            const auto key = keyOf(*grid, point);
            query("INSERT INTO points (levels, position) VALUES (?, ?)")
                .bind(std::as_bytes(std::span(key.levels)))
                .bind(key.position)
                .run();
        }
    }
    for (const auto &run : groupIntoRuns(description.space, *grid, newPoints)) {
        goOn();
        const auto key = keyOf(*grid, run.points.front());
        query("INSERT INTO jobs (generation, levels, position, state, attempts, started, finished, "
              "checksum, log_checksum, log) VALUES (?, ?, ?, 'waiting', 0, 0, 0, 0, 0, '')")
            .bind(generation)
            .bind(std::as_bytes(std::span(key.levels)))
            .bind(key.position)
            .run();
    }
    sealRows(*m_database, SealedTable::jobs);
    sealRows(*m_database, SealedTable::jobLogs);
}

} // namespace gridhelm::data
