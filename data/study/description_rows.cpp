// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/description_rows.h"

#include "core/support/checked_math.h"
#include "core/support/error.h"
#include "data/study/query.h"

#include <SQLiteCpp/Statement.h>

#include <charconv>

namespace gridhelm::data {

StudyKind parseStudyKind(std::string_view text)
{
    for (auto kind : {StudyKind::vector, StudyKind::scalar}) {
        if (text == toString(kind))
            return kind;
    }
    throw Error("there is no kind of study \"" + std::string(text) + "\"");
}

std::vector<Parameter> readParameterRows(const SQLite::Database &database)
{
    SQLite::Statement rows(database,
                           "SELECT name, unit, low, high, scale, kind, treatment, level_cap, "
                           "dense, degree FROM parameters ORDER BY dimension");
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
            parameter.treatment = sparse::parseBoundaryTreatments(row.text(6), 1).front();
        if (!row.isNull(7))
            parameter.levelCap = narrow<int>(row.integer(7));
        parameter.isDense = row.integer(8) != 0;
        parameter.degree = narrow<int>(row.integer(9));
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
    SQLite::Statement rows(database, "SELECT generation, level, caps, points, blocks, leaves_last "
                                     "FROM grids ORDER BY generation");
    std::vector<GridRow> grids;
    for (Query row(rows); row.step();) {
        if (row.integer(0) != static_cast<std::int64_t>(grids.size()))
            throw Error("the generations of its grid have a gap");
        grids.push_back({narrow<int>(row.integer(1)), parseCaps(row.text(2)),
                         narrow<std::uint64_t>(row.integer(3)),
                         narrow<std::uint64_t>(row.integer(4)), row.integer(5) != 0});
    }
    return grids;
}

} // namespace gridhelm::data
