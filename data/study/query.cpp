// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/query.h"

#include "core/support/checked_math.h"
#include "data/study/row_sums.h"

#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <utility>

namespace gridhelm::data {

Query::~Query()
{
    m_statement->tryReset();
    try {
        m_statement->clearBindings(); // they point to memory of others
    } catch (const SQLite::Exception &) {
        // Only for a statement that is none.
    }
}

Query &Query::bind(std::int64_t value)
{
    m_statement->bind(m_next++, value);
    return *this;
}

Query &Query::bind(std::uint64_t value)
{
    return bind(narrow<std::int64_t>(value));
}

Query &Query::bind(double value)
{
    m_statement->bind(m_next++, value);
    return *this;
}

Query &Query::bind(std::string_view value)
{
    m_statement->bind(m_next++, std::string(value)); // with its length: texts may hold NULs
    return *this;
}

Query &Query::bind(std::span<const std::byte> value)
{
    if (!std::in_range<int>(value.size()))
        throw SQLite::Exception("a blob is too long", SQLITE_TOOBIG);
    const void *bytes = value.empty() ? static_cast<const void *>("") : value.data();
    m_statement->bindNoCopy(m_next++, bytes, static_cast<int>(value.size()));
    return *this;
}

Query &Query::bindNull()
{
    m_statement->bind(m_next++);
    return *this;
}

int Query::run()
{
    return m_statement->exec();
}

std::int64_t Query::integer(int column) const
{
    return m_statement->getColumn(column).getInt64();
}

double Query::real(int column) const
{
    return m_statement->getColumn(column).getDouble();
}

std::string Query::text(int column) const
{
    return m_statement->getColumn(column).getString();
}

bool Query::isNull(int column) const
{
    return m_statement->getColumn(column).isNull();
}

bool Query::isBlob(int column) const
{
    return m_statement->getColumn(column).isBlob();
}

std::span<const std::byte> Query::blob(int column) const
{
    const auto value = m_statement->getColumn(column);
    const auto *bytes = static_cast<const std::byte *>(value.getBlob());
    const auto size = value.getBytes();
    return {bytes, bytes ? static_cast<std::size_t>(size) : 0};
}

void Query::addTo(RowHash &hash, int column) const
{
    const auto value = m_statement->getColumn(column);
    hash.add(std::int64_t{value.getType()});
    if (value.isInteger())
        hash.add(integer(column));
    else if (value.isFloat())
        hash.add(real(column));
    else if (value.isText())
        hash.add(std::string_view(text(column)));
    else
        hash.add(blob(column));
}

} // namespace gridhelm::data
