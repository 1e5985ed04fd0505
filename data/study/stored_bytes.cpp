// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/stored_bytes.h"

#include "data/study/study_file.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gridhelm::data {

namespace {

constexpr std::size_t askedAll = 4096;
constexpr std::size_t asked = 1024;

/// Literals, see StudyFile::query().
struct Queries
{
    const char *sum; ///< of a field
    const char *ids; ///< of its parts, from an index alone
    const char *one; ///< of a part
};

Queries queriesOf(PartsTable table)
{
    switch (table) {
    case PartsTable::snapshots:
        return {"SELECT sum(length(bytes)) FROM snapshots WHERE field = ?",
                "SELECT id FROM snapshots WHERE field = ? ORDER BY part, point",
                "SELECT length(bytes) FROM snapshots WHERE id = ?"};
    case PartsTable::coefficients:
        return {"SELECT sum(length(bytes)) FROM coefficients WHERE field = ?",
                "SELECT id FROM coefficients WHERE field = ? ORDER BY part, point",
                "SELECT length(bytes) FROM coefficients WHERE id = ?"};
    case PartsTable::modes:
        return {"SELECT sum(length(bytes)) FROM modes WHERE field = ?",
                "SELECT id FROM modes WHERE field = ? ORDER BY part, mode",
                "SELECT length(bytes) FROM modes WHERE id = ?"};
    case PartsTable::quantisedCoefficients:
        return {"SELECT sum(length(bytes)) FROM quantised_coefficients WHERE field = ?",
                "SELECT id FROM quantised_coefficients WHERE field = ? ORDER BY part, point",
                "SELECT length(bytes) FROM quantised_coefficients WHERE id = ?"};
    }
    return {};
}

std::uint64_t numberOf(const StudyFile &file, const char *sql, std::int64_t bound)
{
    auto row = file.query(sql);
    row.bind(bound).step();
    return static_cast<std::uint64_t>(std::max<std::int64_t>(row.integer(0), 0));
}

} // namespace

StoredBytes storedBytes(const StudyFile &file, PartsTable table, FieldIndex field)
{
    const auto queries = queriesOf(table);
    const auto key = static_cast<std::int64_t>(field);
    std::vector<std::int64_t> ids;
    {
        auto row = file.query(queries.ids);
        for (row.bind(key); row.step();)
            ids.push_back(row.integer(0));
    }
    if (ids.size() <= askedAll)
        return {numberOf(file, queries.sum, key), false};
    // One of each of `asked` stretches, at changing places in them: no number of points or parts
    // is in step with that.
    const double stretch = static_cast<double>(ids.size()) / asked;
    double sum = 0;
    for (std::size_t i = 0; i < asked; ++i) {
        constexpr double golden = 0.6180339887498949;
        const double within = std::fmod(golden * static_cast<double>(i), 1.0);
        const auto place = static_cast<std::size_t>(stretch * (static_cast<double>(i) + within));
        sum +=
            static_cast<double>(numberOf(file, queries.one, ids[std::min(place, ids.size() - 1)]));
    }
    return {static_cast<std::uint64_t>(std::llround(sum * stretch)), true};
}

} // namespace gridhelm::data
