// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/import_table.h"

#include "core/support/csv_line.h"
#include "core/support/error.h"
#include "data/campaign/fill_template.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace gridhelm::data {

namespace {

double numberOf(const std::string &cell, const std::string &place, const std::string &name)
{
    double value = 0;
    const auto [end, code] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (code != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
        throw Error(place + ": '" + cell.substr(0, 40) + "' is no finite number for " + name
                    + "; correct it");
    return value;
}

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

} // namespace

std::vector<ImportRow> parseImportTable(std::string_view csv, std::string_view source,
                                        const std::filesystem::path &folder,
                                        const ParameterSpace &space,
                                        std::span<const std::filesystem::path> files)
{
    constexpr auto none = std::numeric_limits<std::size_t>::max();
    const auto time = space.timeLike();
    std::vector<std::size_t> columns(static_cast<std::size_t>(space.dimension()), none);
    std::size_t fileColumn = none, width = 0, lineNumber = 0;
    std::vector<ImportRow> rows;
    while (!csv.empty()) {
        const auto end = std::min(csv.find('\n'), csv.size());
        auto line = csv.substr(0, end);
        csv.remove_prefix(std::min(end + 1, csv.size()));
        ++lineNumber;
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        if (lineNumber == 1 && line.starts_with("\xEF\xBB\xBF"))
            line.remove_prefix(3);
        if (line.find_first_not_of(" \t") == std::string_view::npos || line.front() == '#')
            continue;
        const auto place = std::string(source) + ", line " + std::to_string(lineNumber);
        const auto cells = csvCells(line, place);
        if (width == 0) {
            width = cells.size();
            for (std::size_t c = 0; c < width; ++c) {
                if (cells[c].empty())
                    continue;
                const auto dimension = [&] {
                    std::string known;
                    for (std::size_t t = 0; t < columns.size(); ++t) {
                        if (space[t].name == cells[c])
                            return t;
                        known += space[t].name + ", ";
                    }
                    throw Error(place + ": '" + cells[c].substr(0, 40)
                                + "' is no column that is known; there are: " + known + "file"
                                + (cells[c].find_first_of(";\t") != std::string::npos
                                       ? " (cells are separated by commas)"
                                       : ""));
                };
                auto &column = cells[c] == "file" ? fileColumn : columns[dimension()];
                if (column != none)
                    throw Error(place + ": the column " + cells[c]
                                + " stands there twice; take one of them out");
                column = c;
            }
            for (std::size_t t = 0; t < columns.size(); ++t) {
                if (columns[t] == none && t != time)
                    throw Error(place + ": there is no column " + space[t].name
                                + "; add one, the first line holds the names");
            }
            if (fileColumn == none && files.empty())
                throw Error(place
                            + ": there is no column 'file'; add one, or name the files on "
                              "the command line, one for each row");
            if (fileColumn != none && !files.empty())
                throw Error(place
                            + ": the column 'file' names the files, and so does the command line; "
                              "take one of them out");
            continue;
        }
        if (cells.size() != width)
            throw Error(place + ": there are " + std::to_string(cells.size())
                        + " cells, but the first line has " + std::to_string(width)
                        + "; correct the line");
        ImportRow row;
        row.place = place;
        for (std::size_t t = 0; t < columns.size(); ++t)
            row.parameters.push_back(
                columns[t] == none
                    ? std::numeric_limits<double>::quiet_NaN()
                    : insideOf(numberOf(cells[columns[t]], place, space[t].name), space[t], place));
        if (fileColumn == none) {
            if (rows.size() == files.size())
                throw Error(place + ": there are more rows than files ("
                            + std::to_string(files.size())
                            + "); name one file for each row, in their order");
            row.file = files[rows.size()];
        } else if (cells[fileColumn].empty() || cells[fileColumn].find('\0') != std::string::npos) {
            throw Error(place + ": there is no file name; add it");
        } else {
            row.file = folder / cells[fileColumn];
        }
        rows.push_back(std::move(row));
    }
    if (width == 0)
        throw Error(std::string(source)
                    + " is empty; its first line holds the names of the "
                      "parameters and 'file'");
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
