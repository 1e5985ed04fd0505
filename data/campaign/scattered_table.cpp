// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/scattered_table.h"

#include "core/support/csv_line.h"
#include "core/support/error.h"
#include "data/campaign/csv_lines.h"
#include "data/campaign/fill_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace gridhelm::data {

namespace {

constexpr const char *fileColumn = "file";

struct Line
{
    std::vector<std::string> cells;
    std::string place;
};

struct Column
{
    std::size_t index = 0;
    std::string name, unit;
    bool hasNumbers = false;
    bool isTaken = false;
};

/// "length [m]" as its name and unit.
Column columnOf(std::size_t index, const std::string &cell)
{
    Column column{index, cell, {}};
    const auto bracket = cell.rfind(" [");
    if (bracket != std::string::npos && cell.ends_with(']')) {
        column.unit = cell.substr(bracket + 2, cell.size() - bracket - 3);
        column.name = cell.substr(0, cell.find_last_not_of(' ', bracket) + 1);
    }
    return column;
}

/// "line 3, line 7, line 9 ..."
std::string listed(const std::vector<std::string> &places)
{
    constexpr std::size_t most = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, places.size()); ++i)
        text += (i > 0 ? "; " : "") + places[i];
    return text + (places.size() > most ? " ..." : "");
}

class TableReader
{
public:
    TableReader(std::string_view csv, std::string_view source, std::filesystem::path folder)
        : m_source(source)
        , m_folder(std::move(folder))
    {
        CsvLines lines(csv, source);
        const auto header = lines.next();
        if (!header)
            throw Error(m_source + " is empty; its first line holds the names of the columns");
        readHeader(csvCells(*header, lines.place()), lines.place());
        while (const auto line = lines.next()) {
            m_lines.push_back({csvCells(*line, lines.place()), lines.place()});
            if (m_lines.back().cells.size() != m_width)
                throw Error(fmt::format("{}: there are {} cells, but the first line has {}; "
                                        "correct the line",
                                        lines.place(), m_lines.back().cells.size(), m_width));
            if (m_lines.size() > mostScatteredRows)
                throw Error(fmt::format("{} has more than {} rows: kriging is made of {} runs at "
                                        "most, so choose some",
                                        m_source, mostScatteredRows, 4000));
        }
        if (m_lines.empty())
            throw Error(m_source + " has no rows below its first line; add one for each run");
        for (auto &column : m_columns)
            column.hasNumbers = std::ranges::any_of(m_lines, [&](const Line &line) {
                return numberIn(line.cells[column.index]).has_value();
            });
    }

    ScatteredTable read(const std::vector<std::string> &wanted)
    {
        chooseParameters(wanted);
        chooseResponses();
        std::vector<ScatteredRun> runs;
        std::vector<std::string> failed;
        for (const auto &line : m_lines) {
            if (auto run = runOf(line))
                runs.push_back(std::move(*run));
            else
                failed.push_back(line.place);
        }
        if (!failed.empty())
            note(fmt::format("{} left out, for a response is missing or no finite number there: {}",
                             failed.size() == 1 ? "a row is"
                                                : fmt::format("{} rows are", failed.size()),
                             listed(failed)));
        if (runs.empty())
            throw Error(m_source + " has no row all of whose responses are numbers; correct it");
        findRanges(runs);
        merge(std::move(runs));
        sayConstantResponses();
        if (m_table.runs.size() <= m_table.parameters.size())
            throw Error(fmt::format("{} has {} different runs for {} parameters, and kriging needs "
                                    "more runs than parameters: add runs, or leave parameters out "
                                    "with --parameters",
                                    m_source, m_table.runs.size(), m_table.parameters.size()));
        return std::move(m_table);
    }

private:
    void note(std::string sentence) { m_table.notes.push_back(std::move(sentence)); }

    void readHeader(const std::vector<std::string> &names, const std::string &place)
    {
        m_width = names.size();
        for (std::size_t c = 0; c < names.size(); ++c) {
            if (names[c].empty())
                continue;
            auto column = columnOf(c, names[c]);
            const bool isThere =
                std::ranges::find(m_columns, column.name, &Column::name) != m_columns.end()
                || (column.name == fileColumn && m_file);
            if (isThere)
                throw Error(place + ": the column " + column.name
                            + " stands there twice; take one of them out");
            if (column.name == fileColumn)
                m_file = c;
            else
                m_columns.push_back(std::move(column));
        }
    }

    void chooseParameters(const std::vector<std::string> &wanted)
    {
        std::vector<Column *> chosen;
        for (const auto &name : wanted) {
            const auto found = std::ranges::find(m_columns, name, &Column::name);
            if (found == m_columns.end())
                throw Error(fmt::format("{} has no column {}; its columns are: {}", m_source, name,
                                        namesOfColumns()));
            if (!found->hasNumbers)
                throw Error(fmt::format("{}: the column {} holds words ('{}'), so it cannot be a "
                                        "parameter: leave it out of --parameters",
                                        m_lines.front().place, name,
                                        m_lines.front().cells[found->index].substr(0, 40)));
            if (found->isTaken)
                throw Error("--parameters names " + name + " twice: name it once");
            found->isTaken = true;
            chosen.push_back(&*found);
        }
        if (wanted.empty()) {
            for (auto &column : m_columns)
                if (column.hasNumbers)
                    chosen.push_back(&column);
            if (!m_file && !chosen.empty())
                chosen.pop_back(); // the response
            for (auto *column : chosen)
                column->isTaken = true;
        }
        if (chosen.empty())
            throw Error(m_source
                        + " has no column of numbers that could be a parameter; add one for each "
                          "parameter");
        m_parameters = std::move(chosen);
    }

    std::string namesOfColumns() const
    {
        std::string names;
        for (const auto &column : m_columns)
            names += (names.empty() ? "" : ", ") + column.name;
        return names;
    }

    void chooseResponses()
    {
        for (auto &column : m_columns) {
            if (column.isTaken)
                continue;
            if (!column.hasNumbers)
                note("the column " + column.name + " is left out, for it holds no numbers");
            else if (m_file)
                note("the column " + column.name
                     + " is left out, for it is no parameter, and results are in the files");
            else
                m_responses.push_back(&column);
        }
        if (!m_file && m_responses.empty())
            throw Error(m_source
                        + " has no column 'file' and no responses: add a column with the names of "
                          "result files, or columns of numbers that are no --parameters");
        for (const auto *column : m_responses)
            m_table.responses.push_back({column->name, column->unit});
    }

    /// None if a response is missing.
    std::optional<ScatteredRun> runOf(const Line &line) const
    {
        ScatteredRun run;
        run.place = line.place;
        for (const auto *column : m_parameters)
            run.parameters.push_back(
                finiteNumberIn(line.cells[column->index], line.place, column->name));
        for (const auto *column : m_responses) {
            const auto &cell = line.cells[column->index];
            const auto value = numberIn(cell);
            if (!value && !cell.empty())
                throw Error(fmt::format("{}: '{}' is not a number for {}; correct it, or leave the "
                                        "cell empty if the run has failed",
                                        line.place, cell.substr(0, 40), column->name));
            if (!value || !std::isfinite(static_cast<float>(*value)))
                return std::nullopt;
            run.responses.push_back(*value);
        }
        if (!m_file)
            return run;
        const auto &name = line.cells[*m_file];
        if (name.empty() || name.find('\0') != std::string::npos)
            throw Error(line.place + ": there is no file name; add it");
        run.file = m_folder / name;
        std::error_code code;
        if (!std::filesystem::is_regular_file(run.file, code))
            throw Error(line.place + ": there is no file " + run.file.string()
                        + "; correct its name (it is relative to the table)");
        return run;
    }

    /// Parameters that are the same everywhere are none.
    void findRanges(std::vector<ScatteredRun> &runs)
    {
        std::vector<std::size_t> varying;
        for (std::size_t t = 0; t < m_parameters.size(); ++t) {
            const auto by = [t](const ScatteredRun &run) { return run.parameters[t]; };
            const auto [low, high] = std::ranges::minmax(runs, {}, by);
            Parameter parameter{m_parameters[t]->name, m_parameters[t]->unit, by(low), by(high)};
            if (parameter.low == parameter.high) {
                note(fmt::format("the parameter {} is left out, for it is {} in all runs",
                                 parameter.name, numberText(parameter.low)));
                continue;
            }
            varying.push_back(t);
            m_table.parameters.push_back(std::move(parameter));
        }
        if (varying.empty())
            throw Error(m_source
                        + " has no parameter that differs from run to run, so there is nothing to "
                          "be steered: add runs at other places");
        for (auto &run : runs) {
            std::vector<double> kept;
            for (const auto t : varying)
                kept.push_back(run.parameters[t]);
            run.parameters = std::move(kept);
        }
    }

    bool areSame(const ScatteredRun &a, const ScatteredRun &b) const
    {
        for (std::size_t t = 0; t < m_table.parameters.size(); ++t) {
            const auto &parameter = m_table.parameters[t];
            if (std::abs(a.parameters[t] - b.parameters[t])
                > sameRun * (parameter.high - parameter.low))
                return false;
        }
        return true;
    }

    /// In the order of the table.
    void merge(std::vector<ScatteredRun> runs)
    {
        std::vector<std::size_t> order(runs.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto first = [&](std::size_t i) { return runs[i].parameters.front(); };
        std::ranges::stable_sort(order, {}, first);
        const auto &range = m_table.parameters.front();
        const double reach = sameRun * (range.high - range.low);
        std::vector<std::size_t> leader(runs.size());
        std::iota(leader.begin(), leader.end(), std::size_t{0});
        for (std::size_t i = 0; i < order.size(); ++i) {
            for (std::size_t j = i; j-- > 0 && first(order[i]) - first(order[j]) <= reach;) {
                if (!areSame(runs[order[i]], runs[order[j]]))
                    continue;
                leader[order[i]] = leader[order[j]];
                break;
            }
        }
        constexpr auto none = static_cast<std::size_t>(-1);
        std::vector<std::size_t> groupOf(runs.size(), none); // by leader
        std::vector<std::string> repeated;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            auto &group = groupOf[leader[i]];
            if (group == none) {
                group = m_table.runs.size();
                m_table.runs.emplace_back();
            } else {
                repeated.push_back(runs[i].place);
            }
            m_table.runs[group].push_back(std::move(runs[i]));
        }
        if (!repeated.empty())
            note(fmt::format("{} another one, or nearly so, and {} mean is taken: {}",
                             repeated.size() == 1 ? "a row repeats"
                                                  : fmt::format("{} rows repeat", repeated.size()),
                             repeated.size() == 1 ? "their" : "each time the", listed(repeated)));
    }

    void sayConstantResponses()
    {
        for (std::size_t r = 0; r < m_table.responses.size(); ++r) {
            const double value = m_table.runs.front().front().responses[r];
            const bool isConstant = std::ranges::all_of(m_table.runs, [&](const auto &group) {
                return std::ranges::all_of(
                    group, [&](const ScatteredRun &run) { return run.responses[r] == value; });
            });
            if (isConstant)
                note(fmt::format("the response {} is {} in all runs", m_table.responses[r].name,
                                 numberText(value)));
        }
    }

    std::string m_source;
    std::filesystem::path m_folder;
    std::size_t m_width = 0;
    std::vector<Column> m_columns; ///< but that of files
    std::optional<std::size_t> m_file;
    std::vector<Line> m_lines;
    std::vector<Column *> m_parameters, m_responses;
    ScatteredTable m_table;
};

} // namespace

ScatteredTable parseScatteredTable(std::string_view csv, std::string_view source,
                                   const std::filesystem::path &folder,
                                   const std::vector<std::string> &parameters)
{
    return TableReader(csv, source, folder).read(parameters);
}

} // namespace gridhelm::data
