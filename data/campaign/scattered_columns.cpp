// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/scattered_columns.h"

#include "core/parameters/parameter_space.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gridhelm::data {

namespace {

/// That all cells are numbers, or empty.
void requireNumbers(const TextTable &table, std::size_t c)
{
    constexpr std::size_t mostShown = 40; // characters of a cell
    const auto &[name, unit] = table.columns()[c];
    for (std::size_t row = 0; row < table.rows(); ++row)
        if (!table.number(row, c))
            throw Error(fmt::format("{}: '{}' is not a number{} for {}; correct it, leave the cell "
                                    "empty if there is none, or ignore the column",
                                    table.place(row), table.cell(row, c).substr(0, mostShown),
                                    unit.empty() ? "" : " in " + unit, name));
}

void requireParameter(const TextTable &table, std::size_t c, const ScatteredReading &reading)
{
    const auto &column = table.columns()[c];
    requireNumbers(table, c);
    if (!table.hasNumbers(c))
        throw Error(fmt::format("the column {} holds no numbers, so it cannot be a parameter: "
                                "ignore it",
                                column.name));
    Parameter parameter{column.name, column.unit};
    const auto range = reading.ranges.find(column.name);
    if (range != reading.ranges.end()) {
        parameter.low = range->second.low;
        parameter.high = range->second.high;
    }
    const auto scale = reading.scales.find(column.name);
    if (scale != reading.scales.end()) {
        parameter.scale = scale->second;
        if (const auto found = rangeIn(table, c);
            range == reading.ranges.end() && found && found->low < found->high) {
            parameter.low = found->low;
            parameter.high = found->high;
        }
    }
    ParameterSpace({parameter}); // throws for an odd name or range
}

/// That one of them is there.
void requireFiles(const TextTable &table, std::size_t c, const ScatteredReading &reading)
{
    for (std::size_t row = 0; row < table.rows(); ++row)
        if (isFile(reading.folder, table.cell(row, c)))
            return;
    const auto name = table.cell(0, c);
    if (name.empty())
        throw Error(table.place(0)
                    + ": there is no file name, nor one of a file in the other "
                      "rows; add them");
    throw Error(
        fmt::format("{}: there is no file {}, nor that of any other row; correct their names, "
                    "or the folder they are in",
                    table.place(0), (reading.folder / name).string()));
}

void requireResponse(const TextTable &table, std::size_t c, const ScatteredReading &reading)
{
    const auto files = std::ranges::find(reading.roles, ColumnRole::file);
    if (files != reading.roles.end())
        throw Error(fmt::format(
            "the column {0} cannot be a response, for results are in the files "
            "that the column {1} names: ignore {0}, or ignore {1}",
            table.columns()[c].name,
            table.columns()[static_cast<std::size_t>(files - reading.roles.begin())].name));
    requireNumbers(table, c);
}

/// That no column before this one has its role.
void requireOnly(const TextTable &table, std::size_t c, const ScatteredReading &reading,
                 const char *what)
{
    if (std::ranges::find(reading.roles, reading.roles[c])
        != reading.roles.begin() + static_cast<std::ptrdiff_t>(c))
        throw Error(fmt::format("another column {}, too: ignore the column {}, or that one", what,
                                table.columns()[c].name));
}

/// Throws gridhelm::Error for what is wrong with it.
void require(const TextTable &table, std::size_t c, const ScatteredReading &reading)
{
    switch (reading.roles[c]) {
    case ColumnRole::time:
        requireOnly(table, c, reading, "is the time");
        [[fallthrough]];
    case ColumnRole::parameter:
        requireParameter(table, c, reading);
        return;
    case ColumnRole::file:
        requireOnly(table, c, reading, "names files");
        requireFiles(table, c, reading);
        return;
    case ColumnRole::response:
        requireResponse(table, c, reading);
        return;
    case ColumnRole::ignored:
        return;
    }
}

} // namespace

std::vector<ColumnProblem> columnProblems(const TextTable &table, const ScatteredReading &reading)
{
    std::vector<ColumnProblem> problems;
    for (std::size_t c = 0; c < table.columns().size(); ++c) {
        try {
            require(table, c, reading);
        } catch (const Error &error) {
            problems.push_back({c, error.what()});
        }
    }
    return problems;
}

ParameterScale recognisedScale(const TextTable &table, std::size_t column)
{
    constexpr double decades = 100;
    std::vector<double> values;
    for (std::size_t row = 0; row < table.rows(); ++row)
        if (const auto value = table.number(row, column); value && std::isfinite(*value))
            values.push_back(*value);
    std::ranges::sort(values);
    if (values.size() < 3 || !(values.front() > 0) || values.back() < decades * values.front())
        return ParameterScale::linear;
    // How far the values are from being evenly spread (Kolmogorov and Smirnov's distance).
    const auto unevenness = [&](auto scaled) {
        const double low = scaled(values.front()), high = scaled(values.back());
        const auto count = static_cast<double>(values.size());
        double most = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
            most = std::max(most, std::abs((scaled(values[i]) - low) / (high - low)
                                           - (static_cast<double>(i) + 0.5) / count));
        return most;
    };
    return unevenness([](double value) { return std::log(value); })
                   < unevenness([](double value) { return value; })
               ? ParameterScale::logarithmic
               : ParameterScale::linear;
}

std::optional<ScatteredRange> rangeIn(const TextTable &table, std::size_t column)
{
    std::optional<ScatteredRange> range;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const auto value = table.number(row, column);
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
