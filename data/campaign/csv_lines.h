// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables of comma-separated values as people write them. Private to data.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace gridhelm::data {

/// The next line that says something, without its end; none: the table is at its end. Lines that
/// begin with # are remarks.
class CsvLines
{
public:
    CsvLines(std::string_view text, std::string_view source);

    std::optional<std::string_view> next();

    /// Of the line that came last: "params.csv, line 3".
    std::string place() const { return m_source + ", line " + std::to_string(m_number); }

private:
    std::string_view m_rest;
    std::string m_source;
    std::size_t m_number = 0;
};

/// A cell as a number, NaN and infinity among them; none if it is something else.
std::optional<double> numberIn(std::string_view cell);

/// The same of a finite number; throws gridhelm::Error, with the line and the column, for others.
double finiteNumberIn(const std::string &cell, const std::string &place, const std::string &name);

/// All of a table; throws gridhelm::Error if it is not there, or cannot be read.
std::string csvText(const std::filesystem::path &path);

} // namespace gridhelm::data
