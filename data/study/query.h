// SPDX-License-Identifier: GPL-3.0-or-later
//
// A statement on a study's file. Private to data.
#pragma once

#include <SQLiteCpp/Statement.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gridhelm::data {

class RowHash;

/// A prepared statement in use; reset when it goes out of scope, so that no read transaction stays
/// open. Columns and parameters are typed as the tables have them. Blobs that are bound must
/// outlive the query.
class Query
{
public:
    explicit Query(SQLite::Statement &statement)
        : m_statement(&statement)
    {
    }
    ~Query();
    Query(const Query &) = delete;
    Query &operator=(const Query &) = delete;

    Query &bind(std::int64_t value);
    Query &bind(std::uint64_t value);
    Query &bind(int value) { return bind(std::int64_t{value}); }
    Query &bind(double value);
    Query &bind(std::string_view value);
    Query &bind(std::span<const std::byte> value);
    Query &bindNull();

    bool step() { return m_statement->executeStep(); }
    /// For statements without results; returns how many rows changed.
    int run();

    std::int64_t integer(int column) const;
    double real(int column) const;
    std::string text(int column) const;
    bool isNull(int column) const;
    bool isBlob(int column) const;
    /// Valid until the next step().
    std::span<const std::byte> blob(int column) const;
    /// The value with its type.
    void addTo(RowHash &hash, int column) const;

private:
    SQLite::Statement *m_statement;
    int m_next = 1;
};

} // namespace gridhelm::data
