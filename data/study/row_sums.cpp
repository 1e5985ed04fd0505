// SPDX-License-Identifier: GPL-3.0-or-later
#define SQLITE_ENABLE_PREUPDATE_HOOK // Debian's library has it; the header must be asked
#include "data/study/row_sums.h"

#include "core/support/error.h"
#include "data/study/blob_codec.h"
#include "data/study/query.h"

#include <SQLiteCpp/Statement.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>

namespace gridhelm::data {

// ---- rows ---------------------------------------------------------------------------------------

void RowHash::append(const void *bytes, std::size_t size)
{
    m_text.append(static_cast<const char *>(bytes), size);
}

RowHash &RowHash::add(std::int64_t value)
{
    append(&value, sizeof value);
    return *this;
}

RowHash &RowHash::add(double value)
{
    return add(std::bit_cast<std::int64_t>(value));
}

RowHash &RowHash::add(std::string_view text)
{
    add(static_cast<std::int64_t>(text.size()));
    append(text.data(), text.size());
    return *this;
}

RowHash &RowHash::add(std::span<const std::byte> bytes)
{
    return add(std::string_view(reinterpret_cast<const char *>(bytes.data()), bytes.size()));
}

RowHash &RowHash::add(const SQLite::Column &column)
{
    if (!column.isBlob())
        return add(std::int64_t{column.getInt64()});
    return add(std::span(static_cast<const std::byte *>(column.getBlob()),
                         static_cast<std::size_t>(column.getBytes())));
}

std::int64_t RowHash::value() const
{
    return checksum(std::as_bytes(std::span(m_text)));
}

// ---- tables -------------------------------------------------------------------------------------

std::span<const SummedTable> summedTables()
{
    // What is looked for counts, too: a row with another key is not missing, but changed.
    static const std::vector<SummedTable> tables{
        {"jobs", {"id", "checksum", "log_checksum"}},
        {"points", {"id", "levels", "position"}},
        {"snapshots", {"id", "checksum", "field", "part", "point"}},
        {"coefficients", {"id", "checksum", "field", "part", "point", "provisional"}},
        {"scalar_values", {"id", "checksum", "job", "field", "part"}},
        {"scalar_coefficients",
         {"id", "checksum", "field", "level_sum", "first", "count", "provisional", "levels"}},
        {"hold_outs", {"id", "checksum"}},
        {"hold_out_values", {"id", "checksum", "hold_out", "field", "part"}},
        {"error_figures", {"id", "checksum"}},
        {"mesh", {"id", "checksum"}},
        {"mesh_parts", {"id", "checksum"}},
        {"submissions", {"job", "checksum"}},
        {"grid_blocks", {"id", "checksum", "generation", "part"}},
        {"mode_sets", {"field", "checksum"}},
        {"modes", {"id", "checksum", "field", "part", "mode"}},
        {"modal_coefficients", {"id", "checksum", "field", "part"}},
        {"training_runs", {"hold_out"}},
        {"kriging_models", {"field", "checksum"}},
        {"kriging_parts", {"id", "checksum", "field", "part"}},
        {"error_bands", {"field", "checksum"}},
        {"refinements", {"id", "checksum"}},
        {"error_history", {"id", "checksum"}},
        {"planned_runs", {"id", "checksum"}},
        {"node_bands", {"field", "checksum"}},
        {"quantised_modes", {"field", "checksum"}},
        {"responses", {"id", "checksum"}},
        {"wanted_means", {"field", "checksum"}},
        {"quantised_rows", {"field", "checksum"}},
        {"quantised_coefficients", {"id", "checksum", "field", "point", "part"}},
    };
    return tables;
}

std::int64_t countOf(std::string_view table, std::span<const std::int64_t> checksums)
{
    RowHash hash(table);
    for (const auto one : checksums)
        hash.add(one);
    return hash.value();
}

std::int64_t countOfPoint(std::int64_t id, std::span<const std::byte> levels, std::int64_t position)
{
    return RowHash("points").add(id).add(levels).add(position).value();
}

namespace {

void addColumn(RowHash &hash, sqlite3_value *value)
{
    if (sqlite3_value_type(value) == SQLITE_BLOB)
        hash.add(std::span(static_cast<const std::byte *>(sqlite3_value_blob(value)),
                           static_cast<std::size_t>(sqlite3_value_bytes(value))));
    else
        hash.add(static_cast<std::int64_t>(sqlite3_value_int64(value)));
}

TableSum sumOf(const SQLite::Database &database, const SummedTable &table)
{
    std::string sql;
    for (const auto *column : table.columns)
        sql += (sql.empty() ? "SELECT " : ", ") + std::string(column);
    SQLite::Statement row(database, sql + " FROM " + table.name);
    TableSum sum;
    RowHash hash(table.name);
    while (row.executeStep()) {
        hash.restart();
        for (int i = 0; i < static_cast<int>(table.columns.size()); ++i)
            hash.add(row.getColumn(i));
        sum.add(hash.value());
    }
    return sum;
}

} // namespace

void storeSum(SQLite::Database &database, const SummedTable &table)
{
    const auto sum = sumOf(database, table);
    SQLite::Statement insert(database,
                             "INSERT OR REPLACE INTO sums (name, rows, checksum) VALUES (?, ?, ?)");
    Query(insert)
        .bind(std::string_view(table.name))
        .bind(sum.rows)
        .bind(static_cast<std::int64_t>(sum.checksum))
        .run();
}

// ---- following changes --------------------------------------------------------------------------

void RowSums::follow(SQLite::Database &database)
{
    m_database = &database;
    m_columns.clear();
    m_before.clear();
    m_write.reset();
    m_isKnown = false;
    for (const auto &table : summedTables()) {
        std::vector<int> columns;
        for (const auto *wanted : table.columns) {
            SQLite::Statement column(database,
                                     "SELECT cid FROM pragma_table_info(?) WHERE name = ?");
            column.bind(1, table.name);
            column.bind(2, wanted);
            if (!column.executeStep())
                throw Error("the table " + std::string(table.name) + " lacks a column");
            columns.push_back(column.getColumn(0).getInt());
        }
        m_columns.emplace(table.name, std::move(columns));
    }
    const auto hook = [](void *self, sqlite3 *handle, int operation, const char *schema,
                         const char *table, sqlite3_int64 before, sqlite3_int64 after) {
        changed(self, handle, operation, schema, table, before, after);
    };
    sqlite3_preupdate_hook(database.getHandle(), hook, this);
}

void RowSums::changed(void *self, sqlite3 *database, int operation, const char *schema,
                      const char *table, std::int64_t, std::int64_t)
{
    if (std::strcmp(schema, "main") == 0)
        static_cast<RowSums *>(self)->change(database, operation, table);
}

void RowSums::change(sqlite3 *database, int operation, std::string_view table)
{
    const auto columns = m_columns.find(table);
    if (columns == m_columns.end())
        return;
    const auto countWith = [&](auto value) {
        RowHash hash(table);
        for (const int column : columns->second) {
            sqlite3_value *of = nullptr;
            value(database, column, &of);
            addColumn(hash, of);
        }
        return hash.value();
    };
    const auto changing = m_sums.try_emplace(std::string(table)).first;
    auto &sum = changing->second;
    if (!m_before.empty())
        m_before.back().insert(*changing); // if it is the first change
    if (operation != SQLITE_INSERT)
        sum.remove(countWith(sqlite3_preupdate_old));
    if (operation != SQLITE_DELETE)
        sum.add(countWith(sqlite3_preupdate_new));
}

void RowSums::leave()
{
    m_write.reset();
    m_database = nullptr;
    m_isKnown = false;
}

void RowSums::begin()
{
    if (m_before.empty() && m_database && !m_isKnown) {
        m_sums.clear();
        SQLite::Statement row(*m_database, "SELECT name, rows, checksum FROM sums ORDER BY name");
        while (row.executeStep())
            m_sums[row.getColumn(0).getString()] = {
                row.getColumn(1).getInt64(),
                static_cast<std::uint64_t>(row.getColumn(2).getInt64())};
        m_stored = m_sums;
        m_isKnown = true;
    }
    m_before.emplace_back(); // no copy: a campaign of quick runs has several for each of them
}

void RowSums::commit()
{
    auto changed = std::move(m_before.back());
    m_before.pop_back();
    if (!m_before.empty())
        m_before.back().merge(changed); // what that has changed itself was so before this one
    if (!m_before.empty() || !m_database)
        return;
    m_isKnown = false; // until it has reached the file
    if (!m_write)
        m_write = std::make_unique<SQLite::Statement>(
            *m_database, "INSERT OR REPLACE INTO sums (name, rows, checksum) VALUES (?, ?, ?)");
    for (const auto &[name, sum] : m_sums) {
        const auto old = m_stored.find(name);
        if (old != m_stored.end() ? old->second == sum : sum == TableSum{})
            continue;
        Query(*m_write)
            .bind(std::string_view(name))
            .bind(sum.rows)
            .bind(static_cast<std::int64_t>(sum.checksum))
            .run();
    }
}

void RowSums::committed()
{
    m_stored = m_sums;
    m_isKnown = m_database != nullptr;
}

TableSum RowSums::of(std::string_view table) const
{
    const auto found = m_sums.find(table);
    return found == m_sums.end() ? TableSum{} : found->second;
}

void RowSums::rollBack()
{
    if (m_before.empty())
        return;
    for (const auto &[name, sum] : m_before.back())
        m_sums[name] = sum;
    m_before.pop_back();
}

} // namespace gridhelm::data
