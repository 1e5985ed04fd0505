// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/import_table.h"

#include "core/support/error.h"
#include "data/campaign/fill_template.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridhelm::data {

namespace {

/// Throws for what is out of the range; what is so by no more than the tolerance becomes its end.
double insideOf(double value, const Parameter &parameter, const std::string &place)
{
    const bool isLog = parameter.scale == ParameterScale::logarithmic;
    const auto scaled = [&](double v) { return isLog ? std::log(v) : v; };
    const double slack = importTolerance * (scaled(parameter.high) - scaled(parameter.low));
    if ((isLog && value <= 0) || scaled(value) < scaled(parameter.low) - slack
        || scaled(value) > scaled(parameter.high) + slack)
        throw Error(place + ": " + parameter.name + " = " + numberText(value)
                    + " is out of its range, " + numberText(parameter.low) + " to "
                    + numberText(parameter.high) + "; take the row out, or correct it");
    return std::clamp(value, parameter.low, parameter.high);
}

constexpr auto none = std::numeric_limits<std::size_t>::max();

/// Which columns the parameters and the files are.
struct Columns
{
    std::vector<std::size_t> ofParameters; ///< none: a series of times says it
    std::size_t ofFile = none;             ///< none: the command line names the files
};

std::size_t dimensionOf(const std::string &name, const ParameterSpace &space,
                        const std::string &place)
{
    std::string known;
    for (std::size_t t = 0; t < space.parameters().size(); ++t) {
        if (space[t].name == name)
            return t;
        known += space[t].name + ", ";
    }
    throw Error(place + ": '" + name.substr(0, 40)
                + "' is not a column that is known; there are: " + known + "file");
}

Columns columnsOf(const TextTable &table, const ParameterSpace &space, bool filesAreNamed)
{
    const auto place = table.headerPlace();
    Columns columns{std::vector<std::size_t>(space.parameters().size(), none), none};
    for (std::size_t c = 0; c < table.columns().size(); ++c) {
        const auto &[name, unit] = table.columns()[c];
        if (name == "file") {
            columns.ofFile = c;
            continue;
        }
        const auto t = dimensionOf(name, space, place);
        columns.ofParameters[t] = c;
        if (!unit.empty() && unit != space[t].unit)
            throw Error(place + ": " + name + " is in " + unit + ", and "
                        + (space[t].unit.empty() ? "has no unit" : "in " + space[t].unit)
                        + " in the study; convert the column");
    }
    for (std::size_t t = 0; t < columns.ofParameters.size(); ++t) {
        if (columns.ofParameters[t] == none && t != space.timeLike())
            throw Error(place + ": there is no column " + space[t].name
                        + "; add one, the first line holds the names");
    }
    if (columns.ofFile == none && !filesAreNamed)
        throw Error(place
                    + ": there is no column 'file'; add one, or name the files on "
                      "the command line, one for each row");
    if (columns.ofFile != none && filesAreNamed)
        throw Error(place
                    + ": the column 'file' names the files, and so does the command line; "
                      "take one of them out");
    return columns;
}

} // namespace

std::vector<ImportRow> importRows(const TextTable &table, const std::filesystem::path &folder,
                                  const ParameterSpace &space,
                                  std::span<const std::filesystem::path> files)
{
    const auto columns = columnsOf(table, space, !files.empty());
    if (!files.empty() && table.rows() != files.size())
        throw Error(table.source() + " has " + std::to_string(table.rows()) + " rows, but "
                    + std::to_string(files.size())
                    + " files were named; name one file for each row, in their order");
    std::vector<ImportRow> rows;
    for (std::size_t i = 0; i < table.rows(); ++i) {
        ImportRow row;
        row.place = table.place(i);
        for (std::size_t t = 0; t < columns.ofParameters.size(); ++t) {
            const auto c = columns.ofParameters[t];
            row.parameters.push_back(c == none
                                         ? std::numeric_limits<double>::quiet_NaN()
                                         : insideOf(table.finiteNumber(i, c), space[t], row.place));
        }
        if (columns.ofFile == none) {
            row.file = files[i];
        } else {
            const auto name = table.cell(i, columns.ofFile);
            if (name.empty())
                throw Error(row.place + ": there is no file name; add it");
            row.file = folder / name;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace gridhelm::data
