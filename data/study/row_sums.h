// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checksums of rows, and of tables: a row that was changed does not match its own checksum, and a
// row that was exchanged, doubled or taken away does not match its table's. They tell damage, and
// what other programs have changed; who wants to deceive can compute them as well. Private to data.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_value;

namespace gridhelm::data {

class StudyFile;
class Query;

/// XXH3 of a row's columns, in the order in which they are added, with their lengths.
class RowHash
{
public:
    explicit RowHash(std::string_view table)
    {
        add(table);
        m_begin = m_text.size();
    }
    /// For another row of the table.
    void restart() { m_text.resize(m_begin); }

    RowHash &add(std::int64_t value);
    RowHash &add(double value);
    RowHash &add(std::string_view text);
    RowHash &add(std::span<const std::byte> bytes);
    RowHash &add(const SQLite::Column &column); ///< of whole numbers, or of bytes
    std::int64_t value() const;

private:
    void append(const void *bytes, std::size_t size);

    std::string m_text;
    std::size_t m_begin = 0; ///< of what is added behind the table's name
};

/// How many rows a table has, and the sum (modulo 2^64) of what each row counts: a hash of its
/// number and its checksum. The same whatever the order in which rows came.
struct TableSum
{
    std::int64_t rows = 0;
    std::uint64_t checksum = 0;

    void add(std::int64_t hash)
    {
        ++rows;
        checksum += static_cast<std::uint64_t>(hash);
    }
    void remove(std::int64_t hash)
    {
        --rows;
        checksum -= static_cast<std::uint64_t>(hash);
    }
    bool operator==(const TableSum &) const = default;
};

/// The tables that have a sum, and the columns whose values a row counts: its number, and either
/// its checksums or, where all rows are read together, everything.
struct SummedTable
{
    const char *name;
    std::vector<const char *> columns;
};
std::span<const SummedTable> summedTables();

/// What a row of a summed table counts.
std::int64_t countOf(std::string_view table, std::span<const std::int64_t> checksums);
/// The same for the table `points`, which has no checksums of rows.
std::int64_t countOfPoint(std::int64_t id, std::span<const std::byte> levels,
                          std::int64_t position);

/// Stores the sum of all rows of the table, whatever was stored before.
void storeSum(SQLite::Database &database, const SummedTable &table);

/// Follows every change that a connection makes to summed tables, by whatever statement, and writes
/// the sums before a commit.
class RowSums
{
public:
    /// The object must outlive the connection, which is the file's only writer.
    void follow(SQLite::Database &database);
    /// Before the connection is closed: nothing of it is kept.
    void leave();

    void begin();     ///< of a transaction, or of one in it
    void commit();    ///< of the innermost; the outermost writes what has changed
    void committed(); ///< the outermost has reached the file
    void rollBack();  ///< of the innermost

    /// With the changes of the open transaction.
    TableSum of(std::string_view table) const;

private:
    static void changed(void *self, sqlite3 *database, int operation, const char *schema,
                        const char *table, std::int64_t before, std::int64_t after);
    void change(sqlite3 *database, int operation, std::string_view table);

    using Sums = std::map<std::string, TableSum, std::less<>>;

    SQLite::Database *m_database = nullptr;
    std::map<std::string, std::vector<int>, std::less<>> m_columns; ///< in their tables
    Sums m_sums, m_stored;
    bool m_isKnown = false;     ///< m_sums is what the file has, and what was changed since
    std::vector<Sums> m_before; ///< of each open transaction what it has changed, as it was
    std::unique_ptr<SQLite::Statement> m_write;
};

} // namespace gridhelm::data
