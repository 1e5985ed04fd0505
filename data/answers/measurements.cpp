// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/answers/measurements.h"

#include "core/support/csv_line.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "core/support/value_file.h"
#include "data/answers/study_responses.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace gridhelm::data {

namespace {

constexpr std::size_t mostMeasurements = 100'000;
constexpr std::array<std::string_view, 8> ownColumns{"value", "sd", "response", "quantity",
                                                     "x",     "y",  "z",        "unit"};

class Reader
{
public:
    Reader(const std::string &path, const Study &study)
        : m_path(path)
        , m_study(study)
        , m_responses(study.responses())
    {
    }

    void readHeader(const std::vector<std::string> &cells)
    {
        m_columns = cells;
        if (cells.size() == 1 && cells[0].find(';') != std::string::npos)
            fail("has its columns between semicolons: write commas between columns, and points in "
                 "numbers");
        const auto &parameters = m_study.description().space.parameters();
        for (const auto &name : cells) {
            const auto isOf = [&](const Parameter &parameter) {
                return columnOf(parameter.name) == name;
            };
            if (!std::ranges::any_of(parameters, isOf)
                && std::ranges::find(ownColumns, name) == ownColumns.end())
                fail(fmt::format(
                    "has a column \"{}\", which means nothing here: there may be value, "
                    "sd, response, quantity, x, y, z, unit, and names of parameters",
                    name));
            if (std::ranges::count(cells, name) > 1)
                fail(fmt::format("has two columns \"{}\": leave one out", name));
        }
        for (const auto *needed : {"value", "sd"})
            if (!has(needed))
                fail(fmt::format(
                    "has no column \"{}\": add one (sd is the standard deviation of the "
                    "measurement)",
                    needed));
        if (has("response") == has("quantity"))
            fail("needs either a column \"response\", or \"quantity\" with x, y, z");
        if (has("quantity") && (!has("x") || !has("y") || !has("z")))
            fail("has a column \"quantity\", and so needs x, y and z");
    }

    Measurement read(const std::vector<std::string> &cells, std::size_t line)
    {
        m_line = line;
        m_cells = cells;
        if (cells.size() > m_columns.size())
            fail("has more cells than the first line has columns: is that a decimal comma? Write "
                 "numbers with a point, as in 2.5");
        if (cells.size() < m_columns.size())
            fail("has fewer cells than the first line has columns: write all of them");
        Measurement measurement;
        measurement.line = line;
        measurement.value = number("value");
        measurement.deviation = number("sd");
        if (!(measurement.deviation > 0))
            fail("has a standard deviation that is not above 0, which no instrument has: give the "
                 "one "
                 "that it has");
        measurement.response = response();
        requireUnit(measurement.response.unit);
        const auto &parameters = m_study.description().space.parameters();
        for (const auto &parameter : parameters) {
            auto &known = measurement.known.emplace_back();
            const auto column = columnOf(parameter.name);
            if (!has(column) || cell(column).empty())
                continue;
            known = number(column);
            if (!(*known >= parameter.low && *known <= parameter.high))
                fail(
                    fmt::format("was measured at {} = {}, which is outside of the study's range {} "
                                "to {}: leave it out",
                                parameter.name, *known, parameter.low, parameter.high));
        }
        return measurement;
    }

private:
    [[noreturn]] void fail(const std::string &sentence) const
    {
        throw Error(fmt::format("line {} of {} {}", m_line, m_path, sentence));
    }
    bool has(std::string_view column) const
    {
        return std::ranges::find(m_columns, column) != m_columns.end();
    }
    /// "t", or where that is a column of the table's own: "parameter.x".
    static std::string columnOf(const std::string &parameter)
    {
        return std::ranges::find(ownColumns, parameter) == ownColumns.end()
                   ? parameter
                   : "parameter." + parameter;
    }
    const std::string &cell(std::string_view column) const
    {
        return m_cells[static_cast<std::size_t>(std::ranges::find(m_columns, column)
                                                - m_columns.begin())];
    }
    double number(std::string_view column) const
    {
        const auto &text = cell(column);
        if (text.find(',') != std::string::npos)
            fail(fmt::format("has a decimal comma in {} ({}): write a point, as in 2.5", column,
                             text));
        return parseReal(text, fmt::format("{} in line {} of {}", column, m_line, m_path));
    }

    ResponseDefinition response() const
    {
        if (has("response"))
            return m_responses[responseIndex(m_responses, cell("response"))];
        ResponseDefinition made;
        made.name = fmt::format("line-{}", m_line);
        made.expression = cell("quantity");
        made.reduction = "value";
        made.place = fmt::format("point {},{},{}", number("x"), number("y"), number("z"));
        const auto &fields = m_study.fields();
        const auto field = std::ranges::find(fields, made.expression, &Field::name);
        if (field != fields.end())
            made.unit = field->unit;
        return made;
    }

    void requireUnit(const std::string &wanted) const
    {
        if (!has("unit") || cell("unit").empty() || wanted.empty() || cell("unit") == wanted)
            return;
        fail(fmt::format("is in {}, and the study has {}: convert it", cell("unit"), wanted));
    }

    const std::string &m_path;
    const Study &m_study;
    std::vector<ResponseDefinition> m_responses;
    std::vector<std::string> m_columns, m_cells;
    std::size_t m_line = 1;
};

/// Line by line, wherever they come from.
class Table
{
public:
    Table(const std::string &name, const Study &study)
        : m_name(name)
        , m_reader(name, study)
    {
    }

    void add(std::string_view line, std::uint64_t number)
    {
        if (number == 1 && line.starts_with("\xEF\xBB\xBF"))
            line.remove_prefix(3);
        const auto whole = trimmed(line);
        if (whole.empty() || whole[0] == '#')
            return;
        const auto cells = csvCells(whole, fmt::format("line {} of {}", number, m_name));
        if (m_hasHeader)
            m_measurements.push_back(m_reader.read(cells, number));
        else
            m_reader.readHeader(cells);
        m_hasHeader = true;
        if (m_measurements.size() > mostMeasurements)
            throw Error(fmt::format("{} has more than {} measurements: take fewer", m_name,
                                    mostMeasurements));
    }
    std::vector<Measurement> taken()
    {
        if (m_measurements.empty())
            throw Error(fmt::format("{} has no measurements: write one a line, below the names of "
                                    "the columns",
                                    m_name));
        return std::move(m_measurements);
    }

private:
    const std::string &m_name;
    Reader m_reader;
    std::vector<Measurement> m_measurements;
    bool m_hasHeader = false;
};

} // namespace

std::vector<Measurement> readMeasurements(const std::string &path, const Study &study)
{
    Table table(path, study);
    forEachLine(path,
                [&](std::string_view line, std::uint64_t number) { table.add(line, number); });
    return table.taken();
}

std::vector<Measurement> parseMeasurements(std::string_view text, const std::string &name,
                                           const Study &study)
{
    Table table(name, study);
    for (std::uint64_t number = 1; !text.empty(); ++number) {
        const auto end = text.find('\n');
        table.add(text.substr(0, end), number);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return table.taken();
}

} // namespace gridhelm::data
