// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/scattered_table.h"

#include "core/support/error.h"
#include "data/campaign/fill_template.h"
#include "data/study/study_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

namespace gridhelm::data {

namespace {

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
    /// There are no columnProblems().
    TableReader(const TextTable &cells, const ScatteredReading &reading)
        : m_cells(cells)
        , m_reading(reading)
    {
        for (std::size_t c = 0; c < cells.columns().size(); ++c) {
            if (reading.roles[c] == ColumnRole::time)
                m_time = c;
            if (reading.roles[c] == ColumnRole::parameter || reading.roles[c] == ColumnRole::time)
                m_parameters.push_back(c);
            else if (reading.roles[c] == ColumnRole::response)
                m_responses.push_back(c);
            else if (reading.roles[c] == ColumnRole::file)
                m_file = c;
        }
        if (m_parameters.empty())
            throw Error(cells.source()
                        + " has no column of numbers that could be a parameter; add one for each "
                          "parameter");
        if (!m_file && m_responses.empty())
            throw Error(cells.source()
                        + " has no column of files and no responses: add a column 'file' with the "
                          "names of result files, or columns of numbers that are no parameters");
        for (const auto &[name, range] : reading.ranges)
            requireParameter(name, "range");
        for (const auto &[name, scale] : reading.scales)
            requireParameter(name, "scale");
        for (const auto c : m_responses)
            m_table.responses.push_back({cells.columns()[c].name, cells.columns()[c].unit});
    }

    ScatteredTable read()
    {
        auto runs = usefulRuns();
        try {
            findRanges(runs);
        } catch (const Error &error) {
            if (m_table.notes.empty())
                throw;
            throw Error(error.what() + (" (" + m_table.notes.front() + ")")); // why so few are left
        }
        merge(std::move(runs));
        sayGaps();
        sayConstantResponses();
        requireEnough();
        return std::move(m_table);
    }

private:
    void requireParameter(const std::string &name, const char *what) const
    {
        if (std::ranges::find(m_parameters, m_cells.find(name)) == m_parameters.end())
            throw Error(
                fmt::format("there is a {0} of {1}, which is no parameter of {2}: leave the {0} "
                            "out, or make the column a parameter",
                            what, name, m_cells.source()));
    }

    void note(std::string sentence) { m_table.notes.push_back(std::move(sentence)); }

    /// Runs that are in the ranges that were given, and have all responses.
    std::vector<ScatteredRun> usefulRuns()
    {
        std::vector<ScatteredRun> runs;
        std::vector<std::string> unknown, outside, failed, missing;
        for (std::size_t row = 0; row < m_cells.rows(); ++row) {
            ScatteredRun run;
            run.place = m_cells.place(row);
            for (const auto c : m_parameters)
                run.parameters.push_back(*m_cells.number(row, c));
            if (!std::ranges::all_of(run.parameters,
                                     [](double value) { return std::isfinite(value); }))
                unknown.push_back(run.place);
            else if (!isInside(run.parameters))
                outside.push_back(run.place);
            else if (!takeResponses(run, row))
                failed.push_back(run.place);
            else if (!takeFile(run, row))
                missing.push_back(run.place);
            else
                runs.push_back(std::move(run));
        }
        noteLeftOut(unknown, "a parameter is missing or no finite number there");
        noteLeftOut(outside, "a parameter is outside its range there");
        noteLeftOut(failed,
                    "all responses are missing there, no finite numbers, or beyond what single "
                    "precision holds (3.4e38)");
        noteLeftOut(missing, "the file is not there");
        if (runs.empty())
            throw Error(m_cells.source()
                        + (outside.empty() ? " has no row whose parameters and responses are all "
                                             "numbers below 3.4e38; correct it"
                                           : " has no row of use inside the ranges; widen them"));
        return runs;
    }

    void noteLeftOut(const std::vector<std::string> &places, const char *why)
    {
        if (!places.empty())
            note(fmt::format("{} left out, for {}: {}",
                             places.size() == 1 ? "a row is"
                                                : fmt::format("{} rows are", places.size()),
                             why, listed(places)));
    }

    bool isInside(const std::vector<double> &parameters) const
    {
        for (std::size_t t = 0; t < parameters.size(); ++t) {
            const auto range = m_reading.ranges.find(nameOf(m_parameters[t]));
            if (range != m_reading.ranges.end()
                && !(range->second.low <= parameters[t] && parameters[t] <= range->second.high))
                return false;
        }
        return true;
    }

    /// False if all of them are missing.
    bool takeResponses(ScatteredRun &run, std::size_t row) const
    {
        for (const auto c : m_responses) {
            const auto value = m_cells.number(row, c);
            run.responses.push_back(value && std::abs(*value) <= mostScale
                                        ? *value
                                        : std::numeric_limits<double>::quiet_NaN());
        }
        return m_responses.empty() || !std::ranges::all_of(run.responses, [](double value) {
                   return std::isnan(value);
               });
    }

    /// Each response is made of the runs that have it.
    void sayGaps()
    {
        for (std::size_t r = 0; r < m_table.responses.size(); ++r) {
            std::vector<std::string> gaps;
            for (const auto &group : m_table.runs)
                for (const auto &run : group)
                    if (std::isnan(run.responses[r]))
                        gaps.push_back(run.place);
            if (!gaps.empty())
                note(fmt::format("{} has no value in {}, and is made of the others: {}",
                                 m_table.responses[r].name,
                                 gaps.size() == 1 ? "a row" : fmt::format("{} rows", gaps.size()),
                                 listed(gaps)));
        }
    }

    /// False if it is not there.
    bool takeFile(ScatteredRun &run, std::size_t row) const
    {
        if (!m_file)
            return true;
        const auto name = m_cells.cell(row, *m_file);
        run.file = m_reading.folder / name;
        return isFile(m_reading.folder, name);
    }

    const std::string &nameOf(std::size_t column) const { return m_cells.columns()[column].name; }

    /// Parameters that are the same everywhere are none.
    void findRanges(std::vector<ScatteredRun> &runs)
    {
        std::vector<std::size_t> varying;
        for (std::size_t t = 0; t < m_parameters.size(); ++t) {
            const auto &column = m_cells.columns()[m_parameters[t]];
            const auto by = [t](const ScatteredRun &run) { return run.parameters[t]; };
            const auto [least, most] = std::ranges::minmax(runs, {}, by);
            ScatteredRange range{by(least), by(most)};
            if (range.low == range.high) {
                note(fmt::format("the parameter {} is left out, for it is {} in all runs",
                                 column.name, numberText(range.low)));
                continue;
            }
            const auto given = m_reading.ranges.find(column.name);
            if (given != m_reading.ranges.end())
                range = given->second;
            varying.push_back(t);
            Parameter parameter{column.name, column.unit, range.low, range.high};
            parameter.scale = scaleOf(m_parameters[t], range);
            m_table.parameters.push_back(std::move(parameter));
        }
        if (varying.empty())
            throw Error(m_cells.source()
                        + " has no parameter that differs from run to run, so there is nothing to "
                          "be steered: add runs with other parameters");
        if (m_time && varying.size() > 1)
            markTime();
        for (auto &run : runs) {
            std::vector<double> kept;
            for (const auto t : varying)
                kept.push_back(run.parameters[t]);
            run.parameters = std::move(kept);
        }
    }

    /// As it was chosen, or else as the column shows it, which is said.
    ParameterScale scaleOf(std::size_t column, const ScatteredRange &range)
    {
        const auto chosen = m_reading.scales.find(nameOf(column));
        if (chosen != m_reading.scales.end())
            return chosen->second;
        if (column == m_time || !(range.low > 0))
            return ParameterScale::linear;
        const auto scale = recognisedScale(m_cells, column);
        if (scale == ParameterScale::logarithmic)
            note(
                fmt::format("the scale of {} is logarithmic, for its values are spread evenly over "
                            "the decades from {} to {}: choose a linear one if that is wrong",
                            nameOf(column), numberText(range.low), numberText(range.high)));
        return scale;
    }

    /// If it is not the only parameter. Its grid stays one point, which no treatment with ends has.
    void markTime()
    {
        const auto time = std::ranges::find(m_table.parameters, nameOf(*m_time), &Parameter::name);
        if (time == m_table.parameters.end()) // it was the same in all runs
            return;
        time->kind = ParameterKind::timeLike;
        time->treatment = sparse::BoundaryTreatment::modified;
    }

    /// Times of a run count once, as they do for kriging.
    void requireEnough() const
    {
        auto parameters = m_table.parameters.size();
        const auto time =
            std::ranges::find(m_table.parameters, ParameterKind::timeLike, &Parameter::kind);
        std::set<std::vector<double>> different;
        for (const auto &group : m_table.runs) {
            auto place = group.front().parameters;
            if (time != m_table.parameters.end())
                place.erase(place.begin() + (time - m_table.parameters.begin()));
            different.insert(std::move(place));
        }
        if (time != m_table.parameters.end())
            --parameters;
        if (different.size() <= parameters)
            throw Error(fmt::format("{} has {} different runs for {} parameters, and kriging needs "
                                    "more runs than parameters: add runs, or ignore parameters",
                                    m_cells.source(), different.size(), parameters));
    }

    /// In the order of the table.
    void merge(std::vector<ScatteredRun> runs)
    {
        const ParameterSpace space(m_table.parameters);
        std::vector<std::vector<double>> places; // in the unit cube
        for (const auto &run : runs)
            places.push_back(space.toUnit(run.parameters));
        const auto areSame = [&](std::size_t a, std::size_t b) {
            return std::ranges::equal(places[a], places[b], [](double x, double y) {
                return std::abs(x - y) <= sameRun;
            });
        };
        std::vector<std::size_t> order(runs.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto first = [&](std::size_t i) { return places[i].front(); };
        std::ranges::stable_sort(order, {}, first);
        std::vector<std::size_t> leader(runs.size());
        std::iota(leader.begin(), leader.end(), std::size_t{0});
        for (std::size_t i = 0; i < order.size(); ++i) {
            for (std::size_t j = i; j-- > 0 && first(order[i]) - first(order[j]) <= sameRun;) {
                if (!areSame(order[i], order[j]))
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

    /// The first value of a response; NaN if it has none.
    double firstOf(std::size_t response) const
    {
        for (const auto &group : m_table.runs)
            for (const auto &run : group)
                if (!std::isnan(run.responses[response]))
                    return run.responses[response];
        return std::numeric_limits<double>::quiet_NaN();
    }

    void sayConstantResponses()
    {
        for (std::size_t r = 0; r < m_table.responses.size(); ++r) {
            const double value = firstOf(r);
            const auto &name = m_table.responses[r].name;
            const bool areAll = std::ranges::all_of(m_table.runs, [&](const auto &group) {
                return std::ranges::all_of(group, [&](const ScatteredRun &run) {
                    return std::isnan(run.responses[r]) || run.responses[r] == value;
                });
            });
            if (areAll)
                note(fmt::format("the response {} is {} in all runs", name, numberText(value)));
        }
    }

    const TextTable &m_cells;
    const ScatteredReading &m_reading;
    std::vector<std::size_t> m_parameters, m_responses; ///< columns
    std::optional<std::size_t> m_time;                  ///< one of the parameters
    std::optional<std::size_t> m_file;
    ScatteredTable m_table;
};

} // namespace

ScatteredTable scatteredTable(const TextTable &table, const ScatteredReading &reading)
{
    if (const auto problems = columnProblems(table, reading); !problems.empty())
        throw Error(problems.front().sentence);
    return TableReader(table, reading).read();
}

std::vector<ColumnProblem> scatteredProblems(const TextTable &table,
                                             const ScatteredReading &reading)
{
    auto problems = columnProblems(table, reading);
    if (!problems.empty())
        return problems;
    try {
        TableReader(table, reading).read();
    } catch (const Error &error) {
        problems.push_back({std::nullopt, error.what()});
    }
    return problems;
}

} // namespace gridhelm::data
