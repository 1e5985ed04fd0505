// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the columns of a table of runs are: guessed, as far as a person does not say it.
#pragma once

#include "data/campaign/scattered_cells.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

enum class ColumnRole : std::uint8_t {
    parameter,
    time,     ///< a parameter, too; rows that differ in it alone are one run, at several times
    file,     ///< names of result files
    response, ///< a result of a run, a number
    ignored
};
/// "parameter", "time", "file", "response", "ignored".
std::string_view toString(ColumnRole role);

/// Names of columns; what is empty is guessed.
struct ScatteredChoice
{
    std::vector<std::string> parameters = {};
    std::vector<std::string> ignored = {};
    std::vector<std::string> responses = {};
    std::string file = {};
    std::string time = {};
};

struct ScatteredRoles
{
    std::vector<ColumnRole> roles;  ///< of each of ScatteredCells::columns
    std::vector<std::string> notes; ///< sentences about columns that are ignored unasked
};

/// As they are chosen; else a column `file` names files, and parameters are all columns of numbers
/// that are left, but without files the last one; one of them that is called `t` or `time` is the
/// time. The others are responses if there are no files,
/// else ignored, as are columns of words. Whether that can be a study is for scatteredProblems() to
/// say. Throws gridhelm::Error if the choice names a column that is not there, or names one twice.
ScatteredRoles scatteredRoles(const ScatteredCells &cells, const ScatteredChoice &choice);

/// The choice that gives these roles, without guesses where there is a parameter.
ScatteredChoice choiceOf(const ScatteredCells &cells, const std::vector<ColumnRole> &roles);

} // namespace gridhelm::data
