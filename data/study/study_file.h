// SPDX-License-Identifier: GPL-3.0-or-later
//
// The connection to a study's file, and what is kept in memory of it. Private to data.
#pragma once

#include "core/modes/modal_surrogate.h"
#include "core/surrogate/surrogate.h"
#include "data/study/blob_codec.h"
#include "data/study/description_rows.h"
#include "data/study/field_kriging.h"
#include "data/study/private_folder.h"
#include "data/study/query.h"
#include "data/study/row_sums.h"
#include "data/study/schema.h"
#include "data/study/study_errors.h"
#include "data/study/study_types.h"
#include "data/study/study_vfs.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gridhelm::data {

/// How long one connection waits for another that has the file locked.
inline constexpr int busyMilliseconds = 10'000;

/// A point as the file keys it.
struct PointKey
{
    std::vector<sparse::Level> levels;
    std::int64_t position = 0; ///< in the block, row-major
};
PointKey keyOf(const sparse::SparseGrid &grid, std::uint64_t point);

class StudyFile;

/// Everything that is read while it lives is of one moment, whoever writes meanwhile.
class ReadTransaction
{
public:
    explicit ReadTransaction(const StudyFile &file);
    ~ReadTransaction();
    ReadTransaction(const ReadTransaction &) = delete;
    ReadTransaction &operator=(const ReadTransaction &) = delete;

private:
    SQLite::Database *m_database; ///< none within another transaction
};

class StudyFile
{
public:
    static std::unique_ptr<StudyFile>
    openForReading(const std::filesystem::path &path,
                   const schema::History &history = schema::known());
    /// The caller holds the WriterLock, here and in create(). Migrates files of older versions.
    static std::unique_ptr<StudyFile>
    openForWriting(const std::filesystem::path &path,
                   const schema::History &history = schema::known());
    /// Throws if a stop was requested before everything was written; then there is no file.
    static std::unique_ptr<StudyFile> create(const std::filesystem::path &path,
                                             const StudyDescription &description,
                                             const std::stop_token &stop);
    ~StudyFile();
    StudyFile(const StudyFile &) = delete;
    StudyFile &operator=(const StudyFile &) = delete;

    /// action(), with what SQLite throws turned into a sentence.
    template <typename Action>
    decltype(auto) guarded(Action action) const
    {
        try {
            return action();
        } catch (const SQLite::Exception &exception) {
            throwAsError(exception);
        } catch (const std::bad_alloc &) {
            throw Error(m_path.string() + " needs more memory than there is: close other programs");
        }
    }

    const std::filesystem::path &path() const { return m_path; }
    /// See Study::notice().
    const std::string &notice() const { return m_notice; }
    SQLite::Database &database() const { return *m_database; }
    /// `sql` must be a literal: statements are kept by its address.
    /// The tables that it reads are looked at before their first query (data/study/table_rows.h).
    Query query(const char *sql) const;

    /// Of its tables.
    std::int64_t version() const;
    bool isWriter() const { return m_isWriter; }
    /// Changes when somebody else has changed the file.
    std::int64_t dataVersion() const;
    /// Of a reader: whether somebody has, since what is in memory was loaded.
    bool hasChanged() const;
    /// Whether what the file says of grids, fields and rows is not what it said when it was loaded.
    bool isOutdated() const;
    void begin();
    void commit();
    void rollBack() noexcept;

    // ---- in memory
    // -------------------------------------------------------------------------------

    void load(); ///< everything below, in one read transaction
    /// load(), after another program may have changed even the version. Within a read transaction
    /// ChangedStudy, where another connection is needed.
    void reload();

    const StudyDescription &description() const { return *m_description; }
    std::shared_ptr<const sparse::SparseGrid> grid() const { return m_grid; }
    const std::vector<Field> &fields() const { return m_fields; }
    const Field &field(FieldIndex index) const; ///< throws for one that is not there

    /// Vector studies: the id of every point of the grid, and the reverse (a point, or an Error if
    /// the id is none of the study's).
    std::int64_t pointId(std::uint64_t point) const;
    std::uint64_t pointOfId(std::int64_t id) const;

    /// What was made of a field's modal coefficients, with the checksum of its set; empty at first
    /// and after load().
    struct KeptRows
    {
        std::int64_t checksum = 0;
        std::shared_ptr<const modes::ModalRows> rows;
    };
    KeptRows &modalRows(FieldIndex field) const { return m_modalRows[field]; }
    /// The same of what is said of coefficients in few bits.
    struct KeptQuantised
    {
        std::int64_t checksum = 0;
        std::shared_ptr<const QuantisedCoefficients> rows;
    };
    KeptQuantised &quantisedRows(FieldIndex field) const { return m_quantisedRows[field]; }
    /// The same of its kriging, with what evaluates it, once that was made.
    struct KeptKriging
    {
        std::int64_t checksum = 0;
        std::shared_ptr<const FieldKriging> kriging;
        std::shared_ptr<const Surrogate> surrogate;
    };
    KeptKriging &kriging(FieldIndex field) const { return m_kriging[field]; }

    /// Points of the job that begins with this point.
    const std::vector<std::uint64_t> &pointsOfJob(std::int64_t generation,
                                                  std::uint64_t firstPoint) const;
    /// What the file says of all rows of a table together; nothing if it does not know the table.
    TableSum storedSum(std::string_view table) const;
    /// Throws unless all rows of a table add up to this.
    void requireSum(std::string_view table, const TableSum &sum) const;

    /// The grid's index of a stored key; throws if there is none.
    std::uint64_t pointOfKey(std::span<const std::byte> levels, std::int64_t position) const;

    // ---- writing
    // ---------------------------------------------------------------------------------

    void writeDescription(const StudyDescription &description); ///< all but grids and fields
    /// Adds the grid description.space.shape(description.level) as a generation, with its points
    /// and jobs.
    void addGrid(const StudyDescription &description, const std::stop_token &stop);
    /// The same for any grid that contains the present one; `shape` is what people are told of it.
    void addGrid(const StudyDescription &description, const sparse::GridShape &shape,
                 const sparse::SparseGrid &grid, const std::stop_token &stop);
    /// After any change of study, parameters, grids, fields.
    void updateChecksum();

    /// For long writes: until endBulk(), new pages go straight to their places, once, instead of to
    /// the write-ahead log first and then to their places. Without effect while others have the
    /// file open. As safe as before; a reader waits for commits instead of reading past them.
    void beginBulk();
    void endBulk() noexcept;
    /// For long writes that readers go on beside: from now on everything goes to the write-ahead
    /// log, however little room there is. Outside of transactions. Who reads just now is waited
    /// for, so many milliseconds, after which SQLite's SQLITE_BUSY is thrown. False if this disk
    /// takes no such log.
    bool requestLog(int patience);
    /// In a bulk write's transaction: what has been written so far starts on its way to the disk,
    /// in another thread, so that the commit has less to wait for. Without effect while the last
    /// call is at it still. If it fails, the next call or the commit throws.
    void startFlush();

    /// Brings what has been committed from the write-ahead log into the one file, unless that was
    /// done less than a second ago: a copy of the file then lacks little. After every commit this
    /// happens by itself; who may be idle after one calls it now and then.
    void settle();
    /// See StudyWriter::setHasty().
    void setHasty(bool isHasty);
    /// Brings everything into the one file and closes it. Returns a sentence for the user if a
    /// reader has kept something in the log.
    std::string close();

    BlobEncoder &encoder() const { return m_encoder; }
    BlobDecoder &decoder() const { return m_decoder; }
    BlobEncoding snapshotEncoding;

    [[noreturn]] void throwChanged() const;
    [[noreturn]] void throwAsError(const SQLite::Exception &exception) const;
    /// ChangedStudy instead, if it isOutdated().
    [[noreturn]] void throwDamaged(const std::string &detail) const;

private:
    struct Generation
    {
        GridRow row;
        std::string stamp; ///< blocksStamp()
        std::shared_ptr<const sparse::SparseGrid> grid;
    };

    StudyFile(std::filesystem::path path, bool isWriter, const schema::History &history);

    void openDatabase(const std::string &name, int flags, bool isAlone = false);
    void openToRead();
    bool isCopyOutdated() const; ///< false without a copy
    template <typename Action>
    void takeCopy(Action copy);
    void openOwnCopy(bool hasJournal);
    void openBesideOwnLog(bool hasLog);
    void requireTransaction() const;
    /// Throws unless the table's rows, and its indices, are those that were written; asks once.
    void requireRows(const std::string &name) const;
    std::int64_t bytes() const; ///< of all pages
    void makeRoom();
    void chooseWaiting();
    void useLog();
    bool checkpoint(); ///< false if a reader keeps something in the log; throws SQLite's
    bool emptyLog();   ///< the same, and false for all that goes wrong
    void bringIn();
    void syncLog() noexcept;
    void requireSynced();
    void endFlush(); ///< throws what it met
    /// Throws if this program cannot read (isWriter: nor migrate) it, or if it lacks tables.
    void requireVersion() const;
    void migrate();
    /// Tells apart all that is kept in memory, or that says which rows belong together.
    std::string memoryStamp() const;
    std::string checksummedText() const;
    std::int64_t descriptionChecksum() const;
    void requireDescription() const;
    std::vector<Generation> readGenerations(StudyDescription &description) const;
    StudyDesign readDesign() const;
    void loadPointIds() const;
    void loadJobPoints() const;

    std::filesystem::path m_path;
    bool m_isWriter;
    bool m_isLockOurs = false; ///< of a reader: nobody writes, though the WriterLock is held
    schema::History m_history;
    bool m_isBulk = false;
    /// Not while tables are made: a step that fails then leaves no byte changed.
    bool m_usesLog = true;
    bool m_isLogged = false; ///< a writer's transactions go to the write-ahead log
    bool m_waits = false;    ///< something is in the log alone
    bool m_isHasty = false;
    bool m_waitsForDisk = true; ///< commits do
    bool m_owesSync = false;    ///< some in the log did not
    int m_syncCode = 0;         ///< SQLite's, of a sync that failed and that nobody was told of
    std::chrono::steady_clock::time_point m_settled;
    std::future<int> m_flush; ///< SQLite's code
    int m_transactions = 0;
    RowSums m_sums;

    // Of a reader that reads something else than the file with what stands beside it.
    std::string m_stamp; ///< of the file as it was then; empty: it reads the file itself
    std::int64_t m_loadedVersion = 0; ///< dataVersion() of what is in memory, without a stamp
    std::string m_loadedStamp;        ///< memoryStamp() of what is in memory
    std::string m_notice;
    std::shared_ptr<const PrivateFolder> m_folder;
    std::unique_ptr<const ReadOnlyAlias> m_alias; ///< outlives the connection
    std::unique_ptr<SQLite::Database> m_database;
    mutable std::unordered_map<const char *, std::unique_ptr<SQLite::Statement>> m_statements;
    mutable std::set<std::string> m_soundTables; ///< of this connection: requireRows()

    std::unique_ptr<StudyDescription> m_description;
    std::shared_ptr<const sparse::SparseGrid> m_grid;
    std::vector<Generation> m_generations;
    std::vector<Field> m_fields;
    mutable std::vector<std::int64_t> m_pointIds;
    mutable std::unordered_map<std::int64_t, std::uint64_t> m_pointOfId;
    mutable std::map<FieldIndex, KeptRows> m_modalRows;
    mutable std::map<FieldIndex, KeptQuantised> m_quantisedRows;
    mutable std::map<FieldIndex, KeptKriging> m_kriging;
    /// Per generation: first point to the job's points.
    mutable std::vector<std::unordered_map<std::uint64_t, std::vector<std::uint64_t>>> m_jobPoints;

    mutable BlobEncoder m_encoder;
    mutable BlobDecoder m_decoder;
};

} // namespace gridhelm::data
