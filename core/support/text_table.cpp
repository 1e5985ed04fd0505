// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/text_table.h"

#include "core/support/clean_text.h"
#include "core/support/decoded_text.h"
#include "core/support/error.h"
#include "core/support/lowered.h"
#include "core/support/parse_numbers.h"
#include "core/support/table_records.h"
#include "core/support/value_file.h"
#include "core/support/written_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>
#include <tuple>
#include <utility>

namespace gridhelm {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t noNumberBits = 0x7FF8'0000'6E6F'6E65; // a NaN that no text gives
const auto noNumber = std::bit_cast<double>(noNumberBits);

struct Separator
{
    char mark;
    std::string_view name;
};
constexpr std::array<Separator, 5> separators{
    {{';', "semicolons"}, {'\t', "tabs"}, {'|', "bars"}, {',', ""}, {' ', "blanks"}}};

/// Those of pandas.read_csv, in any case.
bool isMissing(std::string_view cell)
{
    constexpr std::array<std::string_view, 15> known{
        "",     "#n/a", "#n/a n/a", "#na",  "<na>",   "n/a",     "na",     "null",
        "none", "nan",  "-nan",     "+nan", "1.#ind", "1.#qnan", "-1.#ind"};
    constexpr std::size_t longest = 8;
    return cell.size() <= longest && std::ranges::find(known, lowered(cell)) != known.end();
}

std::optional<double> infinityIn(std::string_view cell)
{
    const bool hasSign = !cell.empty() && (cell.front() == '-' || cell.front() == '+');
    const auto word = lowered(cell.substr(hasSign ? 1 : 0, 9));
    if (word != "inf" && word != "infinity")
        return std::nullopt;
    const double infinity = std::numeric_limits<double>::infinity();
    return cell.front() == '-' ? -infinity : infinity;
}

bool isNumberLike(std::string_view cell)
{
    return StyleEvidence().add(cell) || infinityIn(cell);
}

/// Of the first line "sep=;", which becomes blank; nothing if it is none.
std::optional<char> takeSeparatorLine(std::string &text)
{
    const auto end = std::min(text.find_first_of("\r\n"), text.size());
    auto line = trimmed(std::string_view(text).substr(0, end));
    if (line.size() > 2 && line.front() == '"' && line.back() == '"')
        line = line.substr(1, line.size() - 2);
    // A tab, or a blank, may have been trimmed away.
    if (line.size() > 5 || !lowered(line).starts_with("sep="))
        return std::nullopt;
    const char mark =
        line.size() == 5 ? line[4] : text[std::min(text.find('=') + 1, text.size() - 1)];
    std::fill_n(text.begin(), end, ' ');
    return mark == ' ' || mark == '\t' || line.size() == 5 ? std::optional(mark) : std::nullopt;
}

/// How well a separator makes a table of the beginning of a text: all rows as long as the first
/// one, and of several cells; then the share of cells that are numbers.
std::tuple<bool, std::size_t, double> fitness(std::string beginning, char mark)
{
    constexpr std::size_t mostRecords = 100;
    std::size_t width = 0, alike = 0, records = 0, cells = 0, numbers = 0;
    TableRecords reader(beginning, mark, "");
    TableRecord record;
    try {
        while (records < mostRecords && reader.next(record)) {
            if (record.isRemark)
                continue;
            if (records++ == 0)
                width = record.cells.size();
            alike += record.cells.size() == width ? 1 : 0;
            for (const auto cell : record.cells)
                numbers += isNumberLike(cell) || isMissing(cell) ? 1 : 0;
            cells += record.cells.size();
        }
    } catch (const Error &) { // an open quote, perhaps of the text's end
    }
    if (width < 2)
        return {false, 0, 0};
    return {alike == records, alike == records ? 0 : alike,
            static_cast<double>(numbers) / static_cast<double>(cells)};
}

char separatorOf(const std::string &text)
{
    constexpr std::size_t enough = 64 * 1024;
    auto beginning = text.substr(0, enough);
    if (text.size() > enough)
        beginning.resize(beginning.find_last_of("\r\n") + 1);
    char best = ',';
    std::tuple<bool, std::size_t, double> highest{false, 0, 0};
    for (const auto &separator : separators) {
        const auto found = fitness(beginning, separator.mark);
        if (found > highest) {
            highest = found;
            best = separator.mark;
        }
    }
    return best;
}

/// "length [m]", "length (m)" and, where commas are decimal, "length, m"; a number in brackets
/// counts something.
TableColumn columnOf(const std::string &cell, bool areCommasDecimal)
{
    const auto split = [&](std::size_t end, std::size_t unit, std::size_t size) {
        return TableColumn{std::string(trimmed(cell.substr(0, end))),
                           std::string(trimmed(cell.substr(unit, size)))};
    };
    const auto isNumber = [&](std::size_t from) {
        return cell.find_first_not_of("0123456789", from) == cell.size() - 1;
    };
    if (const auto at = cell.rfind('[');
        at != std::string::npos && at > 0 && cell.ends_with(']') && !isNumber(at + 1))
        return split(at, at + 1, cell.size() - at - 2);
    if (const auto at = cell.rfind(" (");
        at != std::string::npos && cell.ends_with(')') && !isNumber(at + 2))
        return split(at, at + 2, cell.size() - at - 3);
    if (const auto at = cell.rfind(','); areCommasDecimal && at != std::string::npos && at > 0)
        return split(at, at + 1, std::string::npos);
    return {cell, ""};
}

} // namespace

/// Fills a table from its text.
class TextTable::Reader
{
public:
    Reader(TextTable &table, const TableReading &reading)
        : m_table(table)
        , m_reading(reading)
    {
    }

    void read(std::string_view bytes)
    {
        auto decoded = decodedText(bytes, m_table.m_source);
        const auto text = std::make_shared<std::string>(std::move(decoded.text));
        m_table.m_text = text;
        m_separator = takeSeparatorLine(*text).value_or('\0');
        if (m_separator == '\0')
            m_separator = separatorOf(*text);
        readRecords(*text);
        readNumbers();
        nameColumns();
        keepNamedColumns();
        takeUnits();
        say(decoded.encoding);
    }

private:
    void readRecords(std::string &text)
    {
        TableRecords records(text, m_separator, m_table.m_source);
        TableRecord record, remark;
        while (records.next(record)) {
            if (record.isRemark)
                remark = record;
            else if (m_width == 0)
                readFirst(record, remark);
            else
                addRow(record);
        }
        if (m_width == 0)
            throw Error(m_table.m_source
                        + " is empty; its first line holds the names of the columns");
        if (m_table.m_lines.empty())
            throw Error(m_table.m_source + " has no rows below its first line; add some");
    }

    /// The header, if it is one, or the first row below a remark that is.
    void readFirst(const TableRecord &record, const TableRecord &remark)
    {
        m_width = record.cells.size();
        m_table.m_headerLine = record.line;
        // Dakota's rows have a word among their numbers.
        const bool mayBeRow = std::ranges::any_of(record.cells, isNumberLike);
        const bool isRow = mayBeRow && std::ranges::all_of(record.cells, [](auto cell) {
                               return isNumberLike(cell) || isMissing(cell);
                           });
        if (mayBeRow && takeHeaderOf(remark))
            addRow(record);
        else if (!isRow)
            takeHeader(record, record.line);
        else if (m_reading.header == TableHeader::optional)
            addRow(record);
        else
            throw Error(fmt::format(
                "{} has numbers, and no names: write the names of the columns into a line above it",
                m_table.placeOf(record.line)));
    }

    /// False if the remark does not name all columns.
    bool takeHeaderOf(const TableRecord &remark)
    {
        if (remark.cells.empty())
            return false;
        std::vector marks{m_separator};
        for (const auto &separator : separators)
            marks.push_back(separator.mark);
        for (const auto mark : marks) {
            std::string text(remark.cells.front());
            TableRecords names(text, mark, m_table.placeOf(remark.line));
            TableRecord header;
            if (names.next(header) && header.cells.size() == m_width
                && std::ranges::none_of(header.cells, isNumberLike)) {
                takeHeader(header, remark.line);
                return true;
            }
        }
        return false;
    }

    void takeHeader(const TableRecord &header, std::size_t line)
    {
        m_table.m_headerLine = line;
        for (const auto cell : header.cells)
            m_names.push_back(cleanLine(cell));
    }

    /// Cells without anything behind the last column are none.
    void addRow(const TableRecord &record)
    {
        const auto &cells = record.cells;
        if (cells.size() < m_width
            || std::any_of(cells.begin() + static_cast<std::ptrdiff_t>(m_width), cells.end(),
                           [](auto cell) { return !cell.empty(); }))
            throw Error(fmt::format(
                "{}: there are {} cells, but the first line has {}; correct the line{}",
                m_table.placeOf(record.line), cells.size(), m_width,
                m_separator == ',' && cells.size() > m_width
                    ? " (is that a decimal comma? Then write semicolons between the columns)"
                    : ""));
        m_table.m_cells.insert(m_table.m_cells.end(), cells.begin(),
                               cells.begin() + static_cast<std::ptrdiff_t>(m_width));
        m_table.m_lines.push_back(record.line);
    }

    void readNumbers()
    {
        StyleEvidence evidence;
        for (const auto cell : m_table.m_cells)
            evidence.add(cell);
        m_style = evidence.style(m_separator == ',');
        m_table.m_numbers.reserve(m_table.m_cells.size());
        m_units.reserve(m_table.m_cells.size());
        for (const auto cell : m_table.m_cells) {
            const auto written = writtenNumber(cell, m_style);
            m_units.push_back(written ? written->unit : std::string_view());
            double value = written           ? written->value
                           : isMissing(cell) ? nan
                                             : infinityIn(cell).value_or(noNumber);
            if (std::ranges::find(m_reading.missing, value) != m_reading.missing.end())
                value = nan;
            m_table.m_numbers.push_back(value);
        }
    }

    /// A name that is one only together with its unit keeps it.
    void nameColumns()
    {
        auto &columns = m_table.m_columns;
        if (m_names.empty())
            columns.resize(m_width);
        for (const auto &name : m_names)
            columns.push_back(columnOf(name, m_separator != ',' && m_style.decimal == ','));
        const auto isOnce = [&](const std::string &name) {
            return std::ranges::count(columns, name, &TableColumn::name) == 1;
        };
        auto kept = columns;
        for (std::size_t c = 0; c < m_names.size(); ++c)
            if (!isOnce(columns[c].name))
                kept[c] = {m_names[c], ""};
        columns = std::move(kept);
        for (const auto &name : m_names)
            if (!name.empty() && std::ranges::count(columns, name, &TableColumn::name) > 1)
                throw Error(m_table.headerPlace() + ": the column " + name
                            + " stands there twice; take one of them out");
    }

    void keepNamedColumns()
    {
        auto &columns = m_table.m_columns;
        const auto isNamed = [&](std::size_t c) {
            return m_names.empty() || !columns[c].name.empty();
        };
        std::size_t kept = 0;
        for (std::size_t i = 0; i < m_table.m_cells.size(); ++i) {
            if (!isNamed(i % m_width))
                continue;
            m_table.m_cells[kept] = m_table.m_cells[i];
            m_table.m_numbers[kept] = m_table.m_numbers[i];
            m_units[kept++] = m_units[i];
        }
        m_table.m_cells.resize(kept);
        m_table.m_numbers.resize(kept);
        if (!m_names.empty())
            std::erase_if(columns, [](const auto &column) { return column.name.empty(); });
    }

    /// A unit that stands behind all numbers of a column is its unit; behind some of them, or
    /// another one than the header's, it makes them none.
    void takeUnits()
    {
        const auto width = m_table.m_columns.size();
        for (std::size_t c = 0; c < width; ++c) {
            auto &unit = m_table.m_columns[c].unit;
            std::optional<std::string_view> common;
            bool isCommon = true;
            for (auto i = c; i < m_table.m_cells.size(); i += width)
                if (std::isfinite(m_table.m_numbers[i])) {
                    common = common.value_or(m_units[i]);
                    isCommon = isCommon && *common == m_units[i];
                }
            if (isCommon && common && unit.empty())
                unit = *common;
            for (auto i = c; i < m_table.m_cells.size(); i += width)
                if (!m_units[i].empty() && (!isCommon || m_units[i] != unit))
                    m_table.m_numbers[i] = noNumber;
        }
    }

    void say(const std::string &encoding)
    {
        const auto add = [&](std::string_view words) {
            m_table.m_format +=
                (m_table.m_format.empty() || words.empty() ? "" : ", ") + std::string(words);
        };
        add(encoding);
        const auto separator = std::ranges::find(separators, m_separator, &Separator::mark);
        if (separator != separators.end())
            add(separator->name);
        if (m_style.decimal == ',')
            add("decimal commas");
    }

    TextTable &m_table;
    const TableReading &m_reading;
    char m_separator = ',';
    std::size_t m_width = 0;          ///< cells of a row
    std::vector<std::string> m_names; ///< of the header; none: there is no header
    NumberStyle m_style;
    std::vector<std::string_view> m_units; ///< behind the number of each cell
};

TextTable::TextTable(std::string_view bytes, std::string source, const TableReading &reading)
    : m_source(std::move(source))
{
    Reader(*this, reading).read(bytes);
}

std::optional<std::size_t> TextTable::find(std::string_view name) const
{
    const auto found = std::ranges::find(m_columns, name, &TableColumn::name);
    return found == m_columns.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - m_columns.begin()));
}

std::optional<double> TextTable::number(std::size_t row, std::size_t column) const
{
    const auto value = m_numbers[row * m_columns.size() + column];
    return std::bit_cast<std::uint64_t>(value) == noNumberBits ? std::nullopt
                                                               : std::optional(value);
}

double TextTable::finiteNumber(std::size_t row, std::size_t column) const
{
    const auto value = number(row, column);
    if (value && std::isfinite(*value))
        return *value;
    constexpr std::size_t mostShown = 40;
    const auto &[name, unit] = m_columns[column];
    throw Error(fmt::format("{}: '{}' is not a finite number{} for {}; correct it", place(row),
                            cell(row, column).substr(0, mostShown),
                            unit.empty() ? "" : " in " + unit,
                            name.empty() ? fmt::format("column {}", column + 1) : name));
}

bool TextTable::hasNumbers(std::size_t column) const
{
    for (auto i = column; i < m_numbers.size(); i += m_columns.size())
        if (std::isfinite(m_numbers[i]))
            return true;
    return false;
}

TextTable readTextTable(const std::string &path, const TableReading &reading)
{
    return {readText(path), path == "-" ? "stdin" : std::filesystem::path(path).filename().string(),
            reading};
}

} // namespace gridhelm
