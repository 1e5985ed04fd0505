// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lines and cells of a text, whatever they mean.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm {

struct TableRecord
{
    std::size_t line = 0;                ///< from 1
    bool isRemark = false;               ///< begins with # or %: one cell, the line without these
    std::vector<std::string_view> cells; ///< without blanks around them; at least one
};

/// Records of RFC 4180, one after another, and remarks; lines without anything in their cells are
/// passed over.
class TableRecords
{
public:
    /// `separator`: a blank stands for any number of blanks and tabs. Quotes are taken out of
    /// `text`, which has to live as long as the cells do.
    TableRecords(std::string &text, char separator, std::string source);

    /// False at the end. Throws gridhelm::Error if a quote is not closed, or text stands behind
    /// one.
    bool next(TableRecord &record);

private:
    bool atEnd() const { return m_at == m_text.size(); }
    bool atLineEnd() const { return atEnd() || m_text[m_at] == '\n' || m_text[m_at] == '\r'; }
    bool isBlank(char c) const { return c == ' ' || (c == '\t' && m_separator != '\t'); }
    void skipBlanks();
    void skipLineEnd();
    std::string_view restOfLine();
    std::string_view cell();
    std::string_view quotedCell();
    [[noreturn]] void fail(std::size_t line, const std::string &sentence) const;

    std::string &m_text;
    char m_separator;
    std::string m_source;
    std::size_t m_at = 0, m_line = 1;
};

} // namespace gridhelm
