// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/number_table.h"

#include "app/cli/data_files.h"
#include "app/cli/parse_numbers.h"
#include "core/support/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace gridhelm::cli {
namespace {

std::vector<std::string> cellsOf(std::string_view line)
{
    std::vector<std::string> cells;
    for (;;) {
        const auto comma = line.find(',');
        auto cell = trimmed(line.substr(0, comma));
        if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
            cell = cell.substr(1, cell.size() - 2);
        cells.emplace_back(cell);
        if (comma == std::string_view::npos)
            return cells;
        line.remove_prefix(comma + 1);
    }
}

/// Which of the file's columns each of `names` is.
std::vector<std::size_t> columnsOf(const std::vector<std::string> &header,
                                   const std::vector<std::string> &names, const std::string &where)
{
    std::vector<std::size_t> columns;
    for (const auto &name : names) {
        if (std::ranges::count(header, name) != 1 || header.size() != names.size())
            throw Error(fmt::format("{} names other columns than {}: let it name each of these "
                                    "once, separated by commas",
                                    where, fmt::join(names, ",")));
        columns.push_back(
            static_cast<std::size_t>(std::ranges::find(header, name) - header.begin()));
    }
    return columns;
}

} // namespace

std::vector<double> readNumberTable(const std::string &path, const std::vector<std::string> &names,
                                    TableHeader header)
{
    std::vector<std::size_t> columns;
    std::vector<double> table, row;
    forEachLine(path, [&](std::string_view line, std::uint64_t number) {
        if (number == 1 && line.starts_with("\xEF\xBB\xBF"))
            line.remove_prefix(3);
        if (trimmed(line).empty() || trimmed(line).front() == '#')
            return;
        const auto where = fmt::format("line {} of {}", number, path);
        if (columns.empty()) {
            const auto cells = cellsOf(line);
            const bool isHeader = std::ranges::any_of(
                cells, [&](const auto &cell) { return std::ranges::count(names, cell) > 0; });
            if (isHeader || header == TableHeader::required) {
                columns = columnsOf(cells, names, where);
                return;
            }
            columns = columnsOf(names, names, where);
        }
        row.clear();
        parseReals(line, where, row);
        if (row.size() != columns.size())
            throw Error(fmt::format("{} holds {} numbers: give {}, {}, separated by commas", where,
                                    row.size(), columns.size(), fmt::join(names, ",")));
        for (const auto column : columns)
            table.push_back(row[column]);
    });
    if (table.empty())
        throw Error(
            fmt::format("{} holds no rows: write {} on each line", path, fmt::join(names, ",")));
    return table;
}

std::string csvCell(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

} // namespace gridhelm::cli
