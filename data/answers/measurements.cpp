// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/answers/measurements.h"

#include "core/support/error.h"
#include "core/support/text_table.h"
#include "data/answers/default_responses.h"
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
    Reader(const TextTable &table, const Study &study)
        : m_table(table)
        , m_study(study)
        , m_responses(responsesOf(study))
    {
        const auto &parameters = study.description().space.parameters();
        for (const auto &[name, unit] : table.columns()) {
            const auto isOf = [&name = name](const Parameter &parameter) {
                return columnOf(parameter.name) == name;
            };
            if (!std::ranges::any_of(parameters, isOf)
                && std::ranges::find(ownColumns, name) == ownColumns.end())
                failHeader(
                    fmt::format("a column \"{}\" means nothing here: there may be value, "
                                "sd, response, quantity, x, y, z, unit, and names of parameters",
                                name));
        }
        for (const auto *needed : {"value", "sd"})
            if (!has(needed))
                failHeader(fmt::format(
                    "there is no column \"{}\": add one (sd is the standard deviation of the "
                    "measurement)",
                    needed));
        if (has("response") == has("quantity"))
            failHeader("there must be either a column \"response\", or \"quantity\" with x, y, z");
        if (has("quantity") && (!has("x") || !has("y") || !has("z")))
            failHeader("there is a column \"quantity\", and so there must be x, y and z");
    }

    Measurement read(std::size_t row)
    {
        m_row = row;
        Measurement measurement;
        measurement.line = m_table.line(row);
        measurement.value = number("value");
        measurement.deviation = number("sd");
        if (!(measurement.deviation > 0))
            fail("the standard deviation is not above 0, which no instrument has: give the one "
                 "that it has");
        measurement.response = response();
        requireUnit(has("unit") ? std::string(cell("unit")) : "", measurement.response.unit);
        requireUnit(unitOf("value"), measurement.response.unit);
        for (const auto &parameter : m_study.description().space.parameters()) {
            auto &known = measurement.known.emplace_back();
            const auto column = columnOf(parameter.name);
            if (!has(column) || cell(column).empty())
                continue;
            known = number(column);
            requireUnit(unitOf(column), parameter.unit);
            if (!(*known >= parameter.low && *known <= parameter.high))
                fail(fmt::format(
                    "it was measured at {} = {}, which is outside of the study's range {} "
                    "to {}: leave it out",
                    parameter.name, *known, parameter.low, parameter.high));
        }
        return measurement;
    }

private:
    [[noreturn]] void fail(const std::string &sentence) const
    {
        throw Error(m_table.place(m_row) + ": " + sentence);
    }
    [[noreturn]] void failHeader(const std::string &sentence) const
    {
        throw Error(m_table.headerPlace() + ": " + sentence);
    }
    bool has(std::string_view column) const { return m_table.find(column).has_value(); }
    /// "t", or where that is a column of the table's own: "parameter.x".
    static std::string columnOf(const std::string &parameter)
    {
        return std::ranges::find(ownColumns, parameter) == ownColumns.end()
                   ? parameter
                   : "parameter." + parameter;
    }
    std::string_view cell(std::string_view column) const
    {
        return m_table.cell(m_row, *m_table.find(column));
    }
    const std::string &unitOf(std::string_view column) const
    {
        return m_table.columns()[*m_table.find(column)].unit;
    }
    double number(std::string_view column) const
    {
        return m_table.finiteNumber(m_row, *m_table.find(column));
    }

    ResponseDefinition response() const
    {
        if (has("response"))
            return m_responses[responseIndex(m_responses, std::string(cell("response")))];
        ResponseDefinition made;
        made.name = fmt::format("line-{}", m_table.line(m_row));
        made.expression = cell("quantity");
        made.reduction = "value";
        made.place = fmt::format("point {},{},{}", number("x"), number("y"), number("z"));
        const auto &fields = m_study.fields();
        const auto field = std::ranges::find(fields, made.expression, &Field::name);
        if (field != fields.end())
            made.unit = field->unit;
        return made;
    }

    void requireUnit(const std::string &found, const std::string &wanted) const
    {
        if (!found.empty() && !wanted.empty() && found != wanted)
            fail(fmt::format("it is in {}, and the study has {}: convert it", found, wanted));
    }

    const TextTable &m_table;
    const Study &m_study;
    std::vector<ResponseDefinition> m_responses;
    std::size_t m_row = 0;
};

std::vector<Measurement> measurementsOf(const TextTable &table, const Study &study)
{
    if (table.rows() > mostMeasurements)
        throw Error(fmt::format("{} has more than {} measurements: take fewer", table.source(),
                                mostMeasurements));
    Reader reader(table, study);
    std::vector<Measurement> measurements;
    for (std::size_t row = 0; row < table.rows(); ++row)
        measurements.push_back(reader.read(row));
    return measurements;
}

} // namespace

std::vector<Measurement> readMeasurements(const std::string &path, const Study &study)
{
    return measurementsOf(readTextTable(path), study);
}

std::vector<Measurement> parseMeasurements(std::string_view text, const std::string &name,
                                           const Study &study)
{
    return measurementsOf(TextTable(text, name), study);
}

} // namespace gridhelm::data
