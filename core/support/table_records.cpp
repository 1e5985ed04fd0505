// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/table_records.h"

#include "core/support/csv_line.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <algorithm>
#include <utility>

namespace gridhelm {

TableRecords::TableRecords(std::string &text, char separator, std::string source)
    : m_text(text)
    , m_separator(separator)
    , m_source(std::move(source))
{
}

bool TableRecords::next(TableRecord &record)
{
    for (;;) {
        if (atEnd())
            return false;
        record.line = m_line;
        record.cells.clear();
        skipBlanks();
        record.isRemark = !atEnd() && (m_text[m_at] == '#' || m_text[m_at] == '%');
        if (record.isRemark) {
            auto rest = restOfLine();
            rest.remove_prefix(std::min(rest.find_first_not_of("#%"), rest.size()));
            record.cells.push_back(trimmed(rest));
        }
        while (!atLineEnd()) {
            record.cells.push_back(cell());
            skipBlanks();
            if (atLineEnd() || m_separator == ' ')
                continue;
            ++m_at; // the separator
            skipBlanks();
            if (atLineEnd())
                record.cells.emplace_back(); // behind the last one
        }
        skipLineEnd();
        if (std::ranges::any_of(record.cells, [](auto text) { return !text.empty(); }))
            return true;
    }
}

void TableRecords::skipBlanks()
{
    while (!atEnd() && isBlank(m_text[m_at]))
        ++m_at;
}

void TableRecords::skipLineEnd()
{
    if (atEnd())
        return;
    m_at += m_text.compare(m_at, 2, "\r\n") == 0 ? 2 : 1;
    ++m_line;
}

std::string_view TableRecords::restOfLine()
{
    const auto begin = m_at;
    m_at = std::min(m_text.find_first_of("\r\n", m_at), m_text.size());
    return std::string_view(m_text).substr(begin, m_at - begin);
}

std::string_view TableRecords::cell()
{
    skipBlanks();
    if (!atEnd() && m_text[m_at] == '"')
        return quotedCell();
    const auto begin = m_at;
    const auto ends =
        m_separator == ' ' ? std::string(" \t\r\n") : std::string{m_separator, '\r', '\n'};
    m_at = std::min(m_text.find_first_of(ends, m_at), m_text.size());
    return withoutGuard(trimmed(std::string_view(m_text).substr(begin, m_at - begin)));
}

std::string_view TableRecords::quotedCell()
{
    const auto line = m_line;
    const auto begin = ++m_at;
    auto end = begin; // of what is kept, moved over doubled quotes
    for (;; ++m_at) {
        if (atEnd())
            fail(line, "a quote is not closed; close it");
        const char c = m_text[m_at];
        if (c == '"' && m_text.compare(m_at, 2, "\"\"") != 0)
            break;
        if (c == '"')
            ++m_at;
        m_line += c == '\n' ? 1 : 0;
        m_text[end++] = c;
    }
    ++m_at;
    skipBlanks();
    if (!atLineEnd() && m_separator != ' ' && m_text[m_at] != m_separator)
        fail(m_line, "text stands behind a cell in quotes; put all of it into the quotes");
    return withoutGuard(trimmed(std::string_view(m_text).substr(begin, end - begin)));
}

void TableRecords::fail(std::size_t line, const std::string &sentence) const
{
    throw Error(m_source + ", line " + std::to_string(line) + ": " + sentence);
}

} // namespace gridhelm
