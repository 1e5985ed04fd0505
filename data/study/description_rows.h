// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows that say what a study is, in all versions from 1 on. Private to data.
#pragma once

#include "data/study/study_types.h"

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace gridhelm::data {

/// One generation of a study's grid.
struct GridRow
{
    int level = 0; ///< of the smallest truncated grid that holds it; for people
    std::vector<int> caps;
    std::uint64_t points = 0;
    std::uint64_t blocks = 0;
    bool leavesLast = false; ///< its sparse::Grouping

    bool operator==(const GridRow &) const = default;
};

// All throw gridhelm::Error for what no study has.
StudyKind parseStudyKind(std::string_view text);
std::vector<Parameter> readParameterRows(const SQLite::Database &database);
/// By their numbers, which are 0, 1, ...
std::vector<GridRow> readGridRows(const SQLite::Database &database);

} // namespace gridhelm::data
