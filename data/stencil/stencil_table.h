// SPDX-License-Identifier: GPL-3.0-or-later
//
// A stencil file's TOML, read key by key, so that what is wrong can be named by line and column.
#pragma once

#include "core/support/error.h"

#include <toml++/toml.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

/// A mistake in a stencil file, and where it is.
class StencilFileError : public Error
{
public:
    StencilFileError(const std::string &sentence, int line, int column)
        : Error(sentence)
        , m_line(line)
        , m_column(column)
    {
    }

    int line() const { return m_line; } ///< from 1; 0: the file as a whole
    int column() const { return m_column; }

private:
    int m_line;
    int m_column;
};

/// One table of the file. Everything throws StencilFileError that names `source`, line, column,
/// table and key.
class StencilTable
{
public:
    /// `name`: "[source]"; empty for the file itself.
    StencilTable(const toml::table &table, std::string name, std::string_view source,
                 std::vector<std::string> keys);

    /// Throws for keys that are not in the list, with the nearest one.
    void requireKnown() const;

    const toml::node *find(const std::string &key) const { return m_table.get(key); }
    /// "[source] factor", for sentences.
    std::string title(const std::string &key) const;

    [[noreturn]] void fail(const toml::node &node, const std::string &what,
                           const std::string &sentence, std::size_t columnsOn = 0) const;
    [[noreturn]] void fail(const std::string &key, const std::string &sentence) const;

    std::optional<double> number(const std::string &key) const; ///< finite
    std::optional<int> integer(const std::string &key, int low, int high) const;
    std::optional<std::string> choice(const std::string &key,
                                      const std::vector<std::string> &choices) const;
    std::optional<std::string> text(const std::string &key) const;
    /// Null if it is not there.
    const toml::table *table(const std::string &key) const;
    const toml::array *array(const std::string &key, std::size_t fewest, std::size_t most,
                             const std::string &usage) const;
    std::vector<double> numbers(const std::string &key, std::size_t count) const;

    const toml::table &source() const { return m_table; }

private:
    const toml::table &m_table;
    std::string m_name;
    std::string_view m_source;
    std::vector<std::string> m_keys;
};

/// "a, b or c".
std::string anyOf(const std::vector<std::string> &names);

} // namespace gridhelm::data
