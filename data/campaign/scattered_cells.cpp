// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/scattered_cells.h"

#include "core/support/csv_line.h"
#include "core/support/error.h"
#include "data/campaign/csv_lines.h"
#include "data/study/field_kriging.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::data {

namespace {

/// "length [m]" as its name and unit.
ScatteredColumn columnOf(std::size_t index, const std::string &cell)
{
    ScatteredColumn column{index, cell, {}};
    const auto bracket = cell.rfind(" [");
    if (bracket != std::string::npos && cell.ends_with(']')) {
        column.unit = cell.substr(bracket + 2, cell.size() - bracket - 3);
        column.name = cell.substr(0, cell.find_last_not_of(' ', bracket) + 1);
    }
    return column;
}

std::vector<ScatteredColumn> columnsOf(const std::vector<std::string> &header,
                                       const std::string &place)
{
    std::vector<ScatteredColumn> columns;
    for (std::size_t c = 0; c < header.size(); ++c) {
        if (header[c].empty())
            continue;
        auto column = columnOf(c, header[c]);
        if (std::ranges::find(columns, column.name, &ScatteredColumn::name) != columns.end())
            throw Error(place + ": the column " + column.name
                        + " stands there twice; take one of them out");
        columns.push_back(std::move(column));
    }
    return columns;
}

} // namespace

ScatteredCells parseScatteredCells(std::string_view csv, std::string_view source)
{
    ScatteredCells table;
    table.source = source;
    CsvLines lines(csv, source);
    const auto header = lines.next();
    if (!header)
        throw Error(table.source + " is empty; its first line holds the names of the columns");
    const auto names = csvCells(*header, lines.place());
    table.columns = columnsOf(names, lines.place());
    while (const auto line = lines.next()) {
        table.lines.push_back({csvCells(*line, lines.place()), lines.place()});
        if (table.lines.back().cells.size() != names.size())
            throw Error(fmt::format("{}: there are {} cells, but the first line has {}; correct "
                                    "the line",
                                    lines.place(), table.lines.back().cells.size(), names.size()));
        if (table.lines.size() > mostScatteredRows)
            throw Error(fmt::format("{} has more than {} rows: kriging is made of {} runs at "
                                    "most, so choose some",
                                    table.source, mostScatteredRows, FieldKriging::mostRuns));
    }
    if (table.lines.empty())
        throw Error(table.source + " has no rows below its first line; add one for each run");
    for (auto &column : table.columns)
        column.hasNumbers = std::ranges::any_of(table.lines, [&](const ScatteredLine &line) {
            return numberIn(line.cells[column.index]).has_value();
        });
    return table;
}

ScatteredCells readScatteredCells(const std::filesystem::path &path)
{
    return parseScatteredCells(csvText(path), path.filename().string());
}

} // namespace gridhelm::data
