// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/import_files.h"

#include "core/support/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace gridhelm::data {

namespace {

constexpr double tolerance = 1e-6; // of the range

/// One line; a cell may stand in quotes, a quote in it is doubled.
std::vector<std::string> cellsOf(std::string_view line, const std::string &place)
{
    std::vector<std::string> cells(1);
    bool inQuotes = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && inQuotes && i + 1 < line.size() && line[i + 1] == '"') {
            cells.back() += '"';
            ++i;
        } else if (line[i] == '"') {
            inQuotes = !inQuotes;
        } else if (line[i] == ',' && !inQuotes) {
            cells.emplace_back();
        } else {
            cells.back() += line[i];
        }
    }
    if (inQuotes)
        throw Error(place + ": a quote is not closed; close it");
    for (auto &cell : cells) {
        const auto begin = cell.find_first_not_of(" \t");
        const auto end = cell.find_last_not_of(" \t");
        cell = begin == std::string::npos ? "" : cell.substr(begin, end - begin + 1);
    }
    return cells;
}

double numberOf(const std::string &cell, const std::string &place, const std::string &name)
{
    double value = 0;
    const auto [end, code] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (code != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
        throw Error(place + ": '" + cell.substr(0, 40) + "' is no finite number for " + name
                    + "; correct it");
    return value;
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
        const auto cells = cellsOf(line, place);
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
                                + "' is no column that is known; there are: " + known + "file");
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
            continue;
        }
        if (cells.size() != width)
            throw Error(place + ": there are " + std::to_string(cells.size())
                        + " cells, but the first line has " + std::to_string(width)
                        + "; correct the line");
        ImportRow row;
        for (std::size_t t = 0; t < columns.size(); ++t)
            row.parameters.push_back(columns[t] == none
                                         ? std::numeric_limits<double>::quiet_NaN()
                                         : numberOf(cells[columns[t]], place, space[t].name));
        if (!files.empty()) {
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
    if (!files.empty() && rows.size() != files.size())
        throw Error(std::string(source) + " has " + std::to_string(rows.size()) + " rows, but "
                    + std::to_string(files.size())
                    + " files were named; name one file for each row, in their order");
    return rows;
}

std::optional<std::uint64_t> pointAt(const sparse::SparseGrid &grid, std::span<const double> x)
{
    const auto d = static_cast<std::size_t>(grid.dimension());
    std::vector<sparse::Level> levels(d);
    std::vector<std::uint32_t> positions(d);
    for (std::size_t t = 0; t < d; ++t) {
        const bool hasEnds =
            grid.treatment(static_cast<int>(t)) == sparse::BoundaryTreatment::boundary;
        bool found = false;
        for (int level = hasEnds ? -1 : 0;
             level <= grid.highestLevel(static_cast<int>(t)) && !found; ++level) {
            const double scaled = level < 0 ? x[t] : (x[t] * std::ldexp(1.0, level + 1) - 1) / 2;
            const double last = level < 0 ? 1 : std::ldexp(1.0, level) - 1;
            const double position = std::round(scaled);
            if (!(position >= 0 && position <= last))
                continue;
            levels[t] = static_cast<sparse::Level>(level);
            positions[t] = static_cast<std::uint32_t>(position);
            found = std::abs(sparse::pointCoordinate(levels[t], positions[t]) - x[t]) <= tolerance;
        }
        if (!found)
            return std::nullopt;
    }
    if (!grid.findBlock(levels))
        return std::nullopt;
    return grid.gp2idx(levels, positions);
}

ImportReport importFiles(StudyWriter &writer, std::span<const ImportRow> rows,
                         const std::vector<std::string> &fields, const SnapshotReader &reader)
{
    ImportReport report;
    const auto space = writer.description().space;
    const auto grid = writer.grid();
    const auto time = space.timeLike();
    std::vector<bool> there(grid->points(), !writer.fields().empty());
    for (FieldIndex field = 0; field < writer.fields().size(); ++field) {
        const auto has = writer.pointsWithSnapshots(field);
        for (std::size_t i = 0; i < there.size(); ++i)
            there[i] = there[i] && has[i];
    }
    auto holdOuts = writer.holdOuts();

    const auto store = [&](std::vector<double> values, const RunSnapshot &snapshot) {
        if (time && std::isnan(values[*time])) {
            if (!snapshot.time)
                throw Error("it does not say its time; add a column " + space[*time].name
                            + " to the table");
            values[*time] = *snapshot.time;
        }
        const auto point = pointAt(*grid, space.toUnit(values));
        const bool known =
            point ? static_cast<bool>(there[*point])
                  : std::any_of(holdOuts.begin(), holdOuts.end(),
                                [&](const auto &one) { return one.parameters == values; });
        if (known) {
            ++report.alreadyThere;
            return;
        }
        if (!point)
            space.requireInside(values);
        writer.setMesh(snapshot.mesh); // throws if there is another one
        std::vector<FieldIndex> indices;
        for (const auto &field : snapshot.fields)
            indices.push_back(writer.addField(field));
        const auto id = point ? 0 : writer.addHoldOut(values);
        for (std::size_t i = 0; i < indices.size(); ++i) {
            if (point)
                writer.putSnapshot(*point, indices[i], snapshot.values[i]);
            else
                writer.putHoldOut(id, indices[i], snapshot.values[i]);
        }
        if (point) {
            there[*point] = true;
            ++report.stored;
        } else {
            holdOuts.push_back({id, values});
            ++report.holdOuts;
        }
    };

    for (const auto &row : rows) {
        try {
            auto transaction = writer.transaction();
            const bool byTime = time && std::isnan(row.parameters[*time]);
            int snapshots = 0;
            reader(row.file, [&](RunSnapshot snapshot) {
                if (++snapshots > 1 && !byTime)
                    throw Error("it holds several times, but the table gives one; take the column "
                                "out, or name a file of one time");
                store(row.parameters, keepFields(std::move(snapshot), fields));
            });
            if (snapshots == 0)
                throw Error("it holds no snapshot; name a file with fields");
            transaction.commit();
        } catch (const Error &error) {
            throw Error("The file " + row.file.string() + " cannot be imported: " + error.what());
        }
    }
    report.jobsDone = writer.finishDeliveredJobs("imported");
    for (std::uint64_t point = 0; point < grid->points(); ++point) {
        if (!there[point])
            report.missing.push_back(point);
    }
    return report;
}

} // namespace gridhelm::data
