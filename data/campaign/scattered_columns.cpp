// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/scattered_columns.h"

#include "core/parameters/parameter_space.h"
#include "core/support/error.h"
#include "data/campaign/csv_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gridhelm::data {

namespace {

constexpr std::size_t mostShown = 40; ///< characters of a cell

void requireParameter(const ScatteredCells &cells, const ScatteredColumn &column,
                      const ScatteredReading &reading)
{
    const auto &first = cells.lines.front();
    if (!column.hasNumbers)
        throw Error(fmt::format("{}: the column {} holds words ('{}'), so it cannot be a "
                                "parameter: leave it out of these",
                                first.place, column.name,
                                first.cells[column.index].substr(0, mostShown)));
    for (const auto &line : cells.lines)
        finiteNumberIn(line.cells[column.index], line.place, column.name);
    Parameter parameter{column.name, column.unit};
    const auto range = reading.ranges.find(column.name);
    if (range != reading.ranges.end()) {
        parameter.low = range->second.low;
        parameter.high = range->second.high;
    }
    ParameterSpace({parameter}); // throws for an odd name or range
}

void requireFiles(const ScatteredCells &cells, const ScatteredColumn &column,
                  const ScatteredReading &reading)
{
    std::string first;
    std::size_t others = 0;
    for (const auto &line : cells.lines) {
        const auto &name = line.cells[column.index];
        std::error_code code;
        const bool isName = !name.empty() && name.find('\0') == std::string::npos;
        if (isName && std::filesystem::is_regular_file(reading.folder / name, code))
            continue;
        if (!first.empty())
            ++others;
        else if (!isName)
            first = line.place + ": there is no file name; add it";
        else
            first = fmt::format("{}: there is no file {}; correct its name, or the folder it is in",
                                line.place, (reading.folder / name).string());
    }
    if (!first.empty())
        throw Error(others == 0 ? first
                                : fmt::format("{} ({} of the {} other rows have none either)",
                                              first, others, cells.lines.size() - 1));
}

void requireResponse(const ScatteredCells &cells, const ScatteredColumn &column,
                     const ScatteredReading &reading)
{
    const auto files = std::ranges::find(reading.roles, ColumnRole::file);
    if (files != reading.roles.end())
        throw Error(fmt::format(
            "the column {0} cannot be a response, for results are in the files "
            "that the column {1} names: ignore {0}, or ignore {1}",
            column.name,
            cells.columns[static_cast<std::size_t>(files - reading.roles.begin())].name));
    for (const auto &line : cells.lines) {
        const auto &cell = line.cells[column.index];
        if (!cell.empty() && !numberIn(cell))
            throw Error(fmt::format("{}: '{}' is not a number for {}; correct it, or leave the "
                                    "cell empty if the run has failed",
                                    line.place, cell.substr(0, mostShown), column.name));
    }
}

/// That no column before this one has its role.
void requireOnly(const ScatteredCells &cells, std::size_t c, const ScatteredReading &reading,
                 const char *what)
{
    if (std::ranges::find(reading.roles, reading.roles[c])
        != reading.roles.begin() + static_cast<std::ptrdiff_t>(c))
        throw Error(fmt::format("another column {}, too: ignore the column {}, or that one", what,
                                cells.columns[c].name));
}

/// Throws gridhelm::Error for what is wrong with it.
void require(const ScatteredCells &cells, std::size_t c, const ScatteredReading &reading)
{
    const auto &column = cells.columns[c];
    switch (reading.roles[c]) {
    case ColumnRole::time:
        requireOnly(cells, c, reading, "is the time");
        [[fallthrough]];
    case ColumnRole::parameter:
        requireParameter(cells, column, reading);
        return;
    case ColumnRole::file:
        requireOnly(cells, c, reading, "names files");
        requireFiles(cells, column, reading);
        return;
    case ColumnRole::response:
        requireResponse(cells, column, reading);
        return;
    case ColumnRole::ignored:
        return;
    }
}

} // namespace

std::vector<ColumnProblem> columnProblems(const ScatteredCells &cells,
                                          const ScatteredReading &reading)
{
    std::vector<ColumnProblem> problems;
    for (std::size_t c = 0; c < cells.columns.size(); ++c) {
        try {
            require(cells, c, reading);
        } catch (const Error &error) {
            problems.push_back({c, error.what()});
        }
    }
    return problems;
}

std::optional<ScatteredRange> rangeIn(const ScatteredCells &cells, std::size_t column)
{
    std::optional<ScatteredRange> range;
    for (const auto &line : cells.lines) {
        const auto value = numberIn(line.cells[cells.columns[column].index]);
        if (!value || !std::isfinite(*value))
            continue;
        if (!range)
            range = {*value, *value};
        range->low = std::min(range->low, *value);
        range->high = std::max(range->high, *value);
    }
    return range;
}

} // namespace gridhelm::data
