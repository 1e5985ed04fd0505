// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/description_rows.h"

#include "core/support/checked_math.h"
#include "core/support/error.h"
#include "data/study/query.h"

#include <SQLiteCpp/Statement.h>

#include <charconv>

namespace gridhelm::data {

namespace {

constexpr char degreeMark = ':';

} // namespace

StudyKind parseStudyKind(std::string_view text)
{
    for (auto kind : {StudyKind::vector, StudyKind::scalar}) {
        if (text == toString(kind))
            return kind;
    }
    throw Error("there is no kind of study \"" + std::string(text) + "\"");
}

std::optional<std::string> treatmentText(const Parameter &parameter)
{
    if (!parameter.treatment && parameter.degree == 1)
        return std::nullopt;
    std::string text(parameter.treatment ? toString(*parameter.treatment) : "");
    if (parameter.degree != 1)
        text += degreeMark + std::to_string(parameter.degree);
    return text;
}

namespace {

void readTreatment(std::string_view text, Parameter &parameter)
{
    const auto mark = text.find(degreeMark);
    if (mark != 0)
        parameter.treatment = sparse::parseBoundaryTreatments(text.substr(0, mark), 1).front();
    if (mark == std::string_view::npos)
        return;
    const auto degrees = sparse::parseDegrees(text.substr(mark + 1));
    if (degrees.size() != 1 || degrees.front() == 1)
        throw Error("a parameter of it has a degree that is none");
    parameter.degree = degrees.front();
}

} // namespace

std::vector<Parameter> readParameterRows(const SQLite::Database &database)
{
    SQLite::Statement rows(database, "SELECT name, unit, low, high, scale, kind, treatment, "
                                     "level_cap FROM parameters ORDER BY dimension");
    std::vector<Parameter> parameters;
    for (Query row(rows); row.step();) {
        Parameter parameter;
        parameter.name = row.text(0);
        parameter.unit = row.text(1);
        parameter.low = row.real(2);
        parameter.high = row.real(3);
        parameter.scale = parseParameterScale(row.text(4));
        parameter.kind = parseParameterKind(row.text(5));
        if (!row.isNull(6))
            readTreatment(row.text(6), parameter);
        if (!row.isNull(7))
            parameter.levelCap = narrow<int>(row.integer(7));
        parameters.push_back(parameter);
    }
    return parameters;
}

namespace {

std::vector<int> parseCaps(const std::string &text)
{
    std::vector<int> caps;
    const char *next = text.data(), *end = text.data() + text.size();
    while (next < end) {
        int cap = 0;
        const auto result = std::from_chars(next, end, cap);
        if (result.ec != std::errc{} || (result.ptr != end && *result.ptr != ','))
            throw Error("a level cap is not a number");
        caps.push_back(cap);
        next = result.ptr == end ? end : result.ptr + 1;
    }
    return caps;
}

} // namespace

std::vector<GridRow> readGridRows(const SQLite::Database &database)
{
    SQLite::Statement rows(database, "SELECT generation, level, caps, points, blocks FROM grids "
                                     "ORDER BY generation");
    std::vector<GridRow> grids;
    for (Query row(rows); row.step();) {
        if (row.integer(0) != static_cast<std::int64_t>(grids.size()))
            throw Error("the generations of its grid have a gap");
        grids.push_back({narrow<int>(row.integer(1)), parseCaps(row.text(2)),
                         narrow<std::uint64_t>(row.integer(3)),
                         narrow<std::uint64_t>(row.integer(4))});
    }
    return grids;
}

} // namespace gridhelm::data
