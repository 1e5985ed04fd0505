// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables of runs at any places: what their columns are, and which rows are of use.
#pragma once

#include "core/parameters/parameter_space.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

/// Runs are the same if all parameters are, to this part of their ranges: what is nearer together
/// would make kriging singular.
constexpr double sameRun = 1e-5;

/// More rows than this are no table of runs.
constexpr std::size_t mostScatteredRows = 100'000;

struct ScatteredRun
{
    std::vector<double> parameters;
    std::filesystem::path file;    ///< of the results; empty if there are responses
    std::vector<double> responses; ///< finite
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

/// CSV with a header of names, "Re" or "length [m]". A column `file` names result files, relative
/// to `folder`; without it there are columns of responses. `parameters` names the columns that are
/// parameters; empty: all but `file`, or without that all but the last one. All others are
/// responses if there are no files, else they are left out, as are columns of words, parameters
/// that are the same in all rows, and rows in which a response is missing or no finite number; it
/// is said. Throws gridhelm::Error with the line of what is wrong, and if there are not more runs
/// than parameters.
ScatteredTable parseScatteredTable(std::string_view csv, std::string_view source,
                                   const std::filesystem::path &folder,
                                   const std::vector<std::string> &parameters);

} // namespace gridhelm::data
