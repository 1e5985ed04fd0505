// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables of text as people, spreadsheets and programs write them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm {

struct TableColumn
{
    std::string name, unit; ///< of "length [m]", "length (m)", or "length" above cells like "3 m"
};

enum class TableHeader : std::uint8_t {
    required,
    optional ///< a first line of numbers alone is a row: the columns have no names then
};

struct TableReading
{
    TableHeader header = TableHeader::required;
    std::vector<double> missing = {}; ///< numbers that stand for "there is none": -999, 1e30
};

/// Columns stand between commas, semicolons, tabs, bars or blanks: those that make all rows as long
/// as the header, and numbers of most cells; or between what a line "sep=;" names. Cells may stand
/// in quotes (RFC 4180). The text is UTF-8, UTF-16 with a byte order mark, or else Windows-1252;
/// its lines end with LF, CR LF or CR. Blank lines, and lines that begin with # or %, are passed
/// over, but for the last one above rows of numbers, if it has a name for each of them
/// (numpy.savetxt, Dakota). Columns without a name are left out.
///
/// Numbers have decimal points or, where the whole table shows it, decimal commas; digits may stand
/// in groups of three ("1,200.5"); exponents are those of C or Fortran ("1.5D+00"). A unit behind
/// all numbers of a column ("3 mm", "5 %") is that of the column. What could be read in two ways is
/// no number.
class TextTable
{
public:
    TextTable() = default;
    /// `source`: what sentences call it. Throws gridhelm::Error, with the line, for what is no
    /// table with a row.
    TextTable(std::string_view bytes, std::string source, const TableReading &reading = {});

    const std::string &source() const { return m_source; }
    /// "semicolons, decimal commas": how it is written, as far as it is not with commas and points.
    const std::string &format() const { return m_format; }

    const std::vector<TableColumn> &columns() const { return m_columns; }
    /// The column of that name, if there is one.
    std::optional<std::size_t> find(std::string_view name) const;

    std::size_t rows() const { return m_lines.size(); }
    /// Without blanks around it.
    std::string_view cell(std::size_t row, std::size_t column) const
    {
        return m_cells[row * m_columns.size() + column];
    }
    /// NaN for a cell without a value (empty, NA, nan, None and others of pandas.read_csv, and
    /// TableReading::missing); may be infinite. Nothing if it is no number.
    std::optional<double> number(std::size_t row, std::size_t column) const;
    /// Throws gridhelm::Error, with line and column, for what is no finite number.
    double finiteNumber(std::size_t row, std::size_t column) const;
    /// Whether number() gives a finite one for some row.
    bool hasNumbers(std::size_t column) const;

    /// Of the text, from 1.
    std::size_t line(std::size_t row) const { return m_lines[row]; }
    /// "runs.csv, line 3".
    std::string place(std::size_t row) const { return placeOf(m_lines[row]); }
    std::string headerPlace() const { return placeOf(m_headerLine); }

private:
    class Reader;

    std::string placeOf(std::size_t line) const
    {
        return m_source + ", line " + std::to_string(line);
    }

    std::string m_source, m_format;
    std::shared_ptr<const std::string> m_text; ///< that cells are parts of
    std::vector<TableColumn> m_columns;
    std::vector<std::string_view> m_cells; ///< row-major
    std::vector<double> m_numbers;         ///< row-major, or noNumber
    std::vector<std::size_t> m_lines;      ///< of each row, from 1
    std::size_t m_headerLine = 0;
};

/// The table in a file; "-" is stdin. Throws gridhelm::Error, too, if the file cannot be read.
TextTable readTextTable(const std::string &path, const TableReading &reading = {});

} // namespace gridhelm
