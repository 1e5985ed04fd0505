// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/number_table.h"

#include "core/support/csv_line.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "core/support/value_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace gridhelm::cli {
namespace {

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
            const auto cells = csvCells(line, where);
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

} // namespace gridhelm::cli
