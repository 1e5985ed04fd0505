// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/table_rows.h"

#include <SQLiteCpp/Statement.h>

#include <algorithm>
#include <cctype>
#include <limits>

namespace gridhelm::data {

namespace {

/// One that has numbers alone.
struct Index
{
    std::string name;
    std::string condition; ///< of one that has not all rows: " WHERE provisional = 1"
    std::vector<std::string> columns;
};

std::vector<Index> indicesOf(const SQLite::Database &database, const std::string &table)
{
    std::vector<Index> indices;
    SQLite::Statement list(database, "SELECT name, partial FROM pragma_index_list(?)");
    list.bind(1, table);
    while (list.executeStep()) {
        Index index{list.getColumn(0).getString(),
                    list.getColumn(1).getInt() != 0 ? " WHERE provisional = 1" : "",
                    {}};
        bool areNumbers = true;
        SQLite::Statement columns(database,
                                  "SELECT i.name, t.type FROM pragma_index_info(?) AS i JOIN "
                                  "pragma_table_info(?) AS t ON t.name = i.name ORDER BY i.seqno");
        columns.bind(1, index.name);
        columns.bind(2, table);
        while (columns.executeStep()) {
            index.columns.push_back(columns.getColumn(0).getString());
            areNumbers = areNumbers && columns.getColumn(1).getString() == "INTEGER";
        }
        if (areNumbers)
            indices.push_back(std::move(index));
    }
    return indices;
}

/// Of an index: nothing where the row has NULL, which stands before all numbers, as in SQLite.
using Key = std::optional<std::int64_t>;

bool isKey(const SQLite::Column &column)
{
    return column.isInteger() || column.isNull();
}

Key keyOf(const SQLite::Column &column)
{
    return column.isNull() ? Key{} : Key{column.getInt64()};
}

std::uint64_t mixed(std::uint64_t hash, Key key)
{
    const auto value = static_cast<std::uint64_t>(key.value_or(0));
    hash = ((key ? hash : ~hash) ^ value) * 0x9e3779b97f4a7c15; // NULL is not 0
    return hash ^ (hash >> 29);
}

/// What an index has of all rows, whatever their order.
struct IndexSum
{
    std::int64_t rows = 0;
    std::uint64_t sum = 0;

    bool operator==(const IndexSum &) const = default;
};

std::string listOf(const std::vector<std::string> &columns)
{
    std::string list;
    for (const auto &column : columns)
        list += ", " + column;
    return list;
}

/// Nothing if its keys do not ascend, or there are more than the table has.
std::optional<IndexSum> sumOfIndex(const SQLite::Database &database, const std::string &table,
                                   const Index &index, std::int64_t mostRows)
{
    std::string order;
    for (const auto &column : index.columns)
        order += column + ", ";
    SQLite::Statement row(database, "SELECT rowid" + listOf(index.columns) + " FROM " + table
                                        + " INDEXED BY " + index.name + index.condition
                                        + " ORDER BY " + order + "rowid");
    IndexSum sum;
    std::vector<Key> before, key(index.columns.size() + 1);
    while (row.executeStep()) {
        std::uint64_t hash = mixed(0, row.getColumn(0).getInt64());
        for (std::size_t i = 0; i < index.columns.size(); ++i) {
            const auto column = row.getColumn(static_cast<int>(i) + 1);
            if (!isKey(column))
                return std::nullopt;
            key[i] = keyOf(column);
            hash = mixed(hash, key[i]);
        }
        key.back() = row.getColumn(0).getInt64();
        if (++sum.rows > mostRows || (!before.empty() && !(before < key)))
            return std::nullopt;
        before = key;
        sum.sum += hash;
    }
    return sum;
}

} // namespace

std::string problemOfRows(const SQLite::Database &database, const SummedTable &table,
                          const std::optional<TableSum> &expected, std::int64_t mostRows,
                          bool mayUseIndex)
{
    const std::string name = table.name;
    auto indices = indicesOf(database, name);
    const auto rows = std::ranges::find(indices, name + "_rows", &Index::name);
    const bool usesIndex = mayUseIndex && rows != indices.end();
    if (usesIndex)
        indices.erase(rows);
    std::string sql = "SELECT rowid";
    for (const auto *column : table.columns)
        sql += ", " + std::string(column);
    for (const auto &index : indices)
        sql += listOf(index.columns) + (index.condition.empty() ? "" : ", provisional");
    SQLite::Statement row(database, sql + " FROM " + name
                                        + (usesIndex ? " INDEXED BY " + name + "_rows ORDER BY id"
                                                     : " NOT INDEXED ORDER BY rowid"));
    if (expected)
        mostRows = expected->rows;
    TableSum sum;
    std::vector<IndexSum> inTable(indices.size());
    RowHash hash(name);
    const auto changed = "rows of its table " + name + " are missing or changed";
    std::int64_t before = std::numeric_limits<std::int64_t>::min();
    while (row.executeStep()) {
        const auto id = row.getColumn(0).getInt64();
        if (sum.rows == mostRows || (sum.rows > 0 && id <= before))
            return changed;
        before = id;
        int column = 1;
        hash.restart();
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const auto value = row.getColumn(column++);
            if (!value.isInteger() && !value.isBlob())
                return changed;
            hash.add(value);
        }
        sum.add(hash.value());
        for (std::size_t k = 0; k < indices.size(); ++k) {
            auto key = mixed(0, id);
            for (std::size_t i = 0; i < indices[k].columns.size(); ++i)
                key = mixed(key, keyOf(row.getColumn(column++)));
            if (!indices[k].condition.empty() && row.getColumn(column++).getInt64() != 1)
                continue;
            ++inTable[k].rows;
            inTable[k].sum += key;
        }
    }
    if (expected && sum != *expected)
        return changed;
    for (std::size_t k = 0; k < indices.size(); ++k)
        if (sumOfIndex(database, name, indices[k], sum.rows) != inTable[k])
            return "the index " + indices[k].name + " does not lead to the rows of its table";
    return {};
}

std::vector<std::string> tablesIn(std::string_view sql)
{
    std::vector<std::string> tables;
    const auto isWord = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    for (const std::string_view before : {"FROM ", "JOIN "})
        for (auto at = sql.find(before); at != std::string_view::npos;
             at = sql.find(before, at + 1)) {
            const auto begin = sql.begin() + static_cast<std::ptrdiff_t>(at + before.size());
            const std::string name(begin, std::find_if_not(begin, sql.end(), isWord));
            if (!name.empty() && std::ranges::find(tables, name) == tables.end())
                tables.push_back(name);
        }
    return tables;
}

} // namespace gridhelm::data
