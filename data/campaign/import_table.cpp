// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/import_table.h"

#include "core/support/csv_line.h"
#include "core/support/error.h"
#include "data/campaign/csv_lines.h"
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

/// Where the first line says that the parameters and the files are.
struct Columns
{
    std::size_t width = 0;
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
                + "' is not a column that is known; there are: " + known + "file"
                + (name.find_first_of(";\t") != std::string::npos
                       ? " (cells are separated by commas)"
                       : ""));
}

Columns readColumns(const std::vector<std::string> &names, const ParameterSpace &space,
                    bool filesAreNamed, const std::string &place)
{
    Columns columns{names.size(), std::vector<std::size_t>(space.parameters().size(), none), none};
    for (std::size_t c = 0; c < names.size(); ++c) {
        if (names[c].empty())
            continue;
        auto &column = names[c] == "file"
                           ? columns.ofFile
                           : columns.ofParameters[dimensionOf(names[c], space, place)];
        if (column != none)
            throw Error(place + ": the column " + names[c]
                        + " stands there twice; take one of them out");
        column = c;
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

/// All of a row but for a file that the command line names.
ImportRow readRow(const std::vector<std::string> &cells, const Columns &columns,
                  const std::filesystem::path &folder, const ParameterSpace &space,
                  const std::string &place)
{
    if (cells.size() != columns.width)
        throw Error(place + ": there are " + std::to_string(cells.size())
                    + " cells, but the first line has " + std::to_string(columns.width)
                    + "; correct the line");
    ImportRow row;
    row.place = place;
    for (std::size_t t = 0; t < columns.ofParameters.size(); ++t) {
        const auto column = columns.ofParameters[t];
        row.parameters.push_back(
            column == none
                ? std::numeric_limits<double>::quiet_NaN()
                : insideOf(finiteNumberIn(cells[column], place, space[t].name), space[t], place));
    }
    if (columns.ofFile == none)
        return row;
    const auto &file = cells[columns.ofFile];
    if (file.empty() || file.find('\0') != std::string::npos)
        throw Error(place + ": there is no file name; add it");
    row.file = folder / file;
    return row;
}

} // namespace

std::vector<ImportRow> parseImportTable(std::string_view csv, std::string_view source,
                                        const std::filesystem::path &folder,
                                        const ParameterSpace &space,
                                        std::span<const std::filesystem::path> files)
{
    CsvLines lines(csv, source);
    const auto header = lines.next();
    if (!header)
        throw Error(std::string(source)
                    + " is empty; its first line holds the names of the "
                      "parameters and 'file'");
    const auto columns =
        readColumns(csvCells(*header, lines.place()), space, !files.empty(), lines.place());
    std::vector<ImportRow> rows;
    while (const auto line = lines.next()) {
        auto row = readRow(csvCells(*line, lines.place()), columns, folder, space, lines.place());
        if (columns.ofFile == none) {
            if (rows.size() == files.size())
                throw Error(lines.place() + ": there are more rows than files ("
                            + std::to_string(files.size())
                            + "); name one file for each row, in their order");
            row.file = files[rows.size()];
        }
        rows.push_back(std::move(row));
    }
    if (rows.empty())
        throw Error(std::string(source)
                    + " has no rows below its first line; add one for each file");
    if (!files.empty() && rows.size() != files.size())
        throw Error(std::string(source) + " has " + std::to_string(rows.size()) + " rows, but "
                    + std::to_string(files.size())
                    + " files were named; name one file for each row, in their order");
    return rows;
}

} // namespace gridhelm::data
