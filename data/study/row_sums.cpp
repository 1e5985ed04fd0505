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
    return checksum({}, std::as_bytes(std::span(m_text)));
}

// ---- tables -------------------------------------------------------------------------------------

std::span<const SummedTable> summedTables(std::int64_t version)
{
    const auto with = [](std::initializer_list<SummedTable> more) {
        std::vector<SummedTable> all{
            {"jobs", {"id", "checksum", "log_checksum"}},
            {"points", {"id", "levels", "position"}},
            {"snapshots", {"id", "checksum"}},
            {"coefficients", {"id", "checksum"}},
            {"scalar_values", {"id", "checksum"}},
            {"scalar_coefficients", {"id", "checksum"}},
            {"hold_outs", {"id", "checksum"}},
            {"hold_out_values", {"id", "checksum"}},
            {"error_figures", {"id", "checksum"}},
            {"mesh_parts", {"id", "checksum"}},
        };
        all.insert(all.end(), more);
        return all;
    };
    static const auto of2 = with({{"views", {"checksum"}}});
    static const auto of3 =
        with({{"submissions", {"job", "checksum"}}, {"grid_blocks", {"id", "checksum"}}});
    static const auto of4 = with({{"submissions", {"job", "checksum"}},
                                  {"grid_blocks", {"id", "checksum"}},
                                  {"mode_sets", {"field", "checksum"}},
                                  {"modes", {"id", "checksum"}},
                                  {"modal_coefficients", {"id", "checksum"}}});
    static const auto of5 = with({{"submissions", {"job", "checksum"}},
                                  {"grid_blocks", {"id", "checksum"}},
                                  {"mode_sets", {"field", "checksum"}},
                                  {"modes", {"id", "checksum"}},
                                  {"modal_coefficients", {"id", "checksum"}},
                                  {"training_runs", {"hold_out"}},
                                  {"kriging_models", {"field", "checksum"}},
                                  {"kriging_parts", {"id", "checksum"}},
                                  {"error_bands", {"field", "checksum"}}});
    static const auto of6 = [] {
        auto all = of5;
        all.insert(all.end(), {{"refinements", {"id", "checksum"}},
                               {"error_history", {"id", "checksum"}},
                               {"planned_runs", {"id", "checksum"}}});
        return all;
    }();
    static const auto of7 = [] {
        auto all = of6;
        all.push_back({"node_bands", {"field", "checksum"}});
        return all;
    }();
    static const auto of8 = [] {
        auto all = of7;
        all.push_back({"quantised_modes", {"field", "checksum"}});
        return all;
    }();
    static const auto of9 = [] {
        auto all = of8;
        all.push_back({"responses", {"id", "checksum"}});
        return all;
    }();
    static const auto of10 = [] {
        auto all = of9;
        all.push_back({"wanted_means", {"field", "checksum"}});
        return all;
    }();
    static const auto of11 = [] {
        auto all = of10;
        all.insert(all.end(), {{"quantised_rows", {"field", "checksum"}},
                               {"quantised_coefficients", {"id", "checksum"}}});
        return all;
    }();
    // What is looked for counts, too: a row with another key is not missing, but changed.
    static const auto of13 = [] {
        const std::map<std::string_view, std::vector<const char *>> keys{
            {"snapshots", {"field", "part", "point", "encoding"}},
            {"coefficients", {"field", "part", "point", "provisional", "encoding"}},
            {"scalar_values", {"job", "field", "part", "encoding"}},
            {"scalar_coefficients",
             {"field", "level_sum", "first", "count", "provisional", "levels", "encoding"}},
            {"hold_out_values", {"hold_out", "field", "part", "encoding"}},
            {"mesh_parts", {"encoding"}},
            {"grid_blocks", {"generation", "part", "encoding"}},
            {"modes", {"field", "part", "mode", "encoding"}},
            {"modal_coefficients", {"field", "part", "encoding"}},
            {"kriging_parts", {"field", "part", "encoding"}},
            {"quantised_coefficients", {"field", "point", "part", "encoding"}},
        };
        auto all = of11;
        for (auto &table : all)
            if (const auto more = keys.find(table.name); more != keys.end())
                table.columns.insert(table.columns.end(), more->second.begin(), more->second.end());
        all.push_back({"mesh", {"id", "checksum"}});
        return all;
    }();
    static const std::array<std::span<const SummedTable>, 12> versions{
        of2, of3, of4, of5, of6, of7, of8, of9, of10, of11, of11, of13};
    return versions.at(static_cast<std::size_t>(std::clamp<std::int64_t>(version, 2, 13) - 2));
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

void storeSums(SQLite::Database &database, std::int64_t version,
               std::initializer_list<std::string_view> names)
{
    for (const auto &table : summedTables(version)) {
        if (std::ranges::find(names, std::string_view(table.name)) != names.end())
            storeSum(database, table);
    }
}

// ---- following changes --------------------------------------------------------------------------

void RowSums::follow(SQLite::Database &database, std::int64_t version)
{
    m_database = &database;
    m_columns.clear();
    m_before.clear();
    m_write.reset();
    m_isKnown = false;
    for (const auto &table : summedTables(version)) {
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
