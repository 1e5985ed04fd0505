// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables of runs at any places: their runs, and which rows are of use.
#pragma once

#include "core/parameters/parameter_space.h"
#include "data/campaign/scattered_columns.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace gridhelm::data {

/// Runs are the same if all parameters are, to this part of their ranges (on a logarithmic scale,
/// of the logarithm's): what is nearer together would make kriging singular.
constexpr double sameRun = 1e-5;

struct ScatteredRun
{
    std::vector<double> parameters;
    std::filesystem::path file;    ///< of the results; empty if there are responses
    std::vector<double> responses; ///< finite, or NaN if it is missing; one is there
    std::string place;             ///< "runs.csv, line 3"
};

struct ScatteredTable
{
    std::vector<Parameter> parameters; ///< ranges are those of the runs
    struct Response
    {
        std::string name, unit;
    };
    std::vector<Response> responses;             ///< none: the runs have files
    std::vector<std::vector<ScatteredRun>> runs; ///< of each place: those that are the same
    std::vector<std::string> notes;              ///< sentences about what was left out or merged
};

/// Left out are parameters that are the same in all rows, rows outside a range that was given, and
/// rows in which a parameter, all responses or the file are missing, or no finite numbers; it is
/// said. Throws gridhelm::Error with the first of columnProblems(), and if there are not more runs
/// than parameters; times of a run count once.
ScatteredTable scatteredTable(const TextTable &table, const ScatteredReading &reading);

/// All that scatteredTable() would throw for: problems of columns, or else that of the table.
std::vector<ColumnProblem> scatteredProblems(const TextTable &table,
                                             const ScatteredReading &reading);

} // namespace gridhelm::data
