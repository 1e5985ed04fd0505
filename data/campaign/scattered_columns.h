// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether the columns of a table of runs can be what they are to be.
#pragma once

#include "core/parameters/parameter_space.h"
#include "data/campaign/scattered_roles.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

struct ScatteredRange
{
    double low = 0, high = 0;

    bool operator==(const ScatteredRange &) const = default;
};

/// What a table of runs is read as.
struct ScatteredReading
{
    std::vector<ColumnRole> roles; ///< of each of TextTable::columns()
    /// Of parameters, by name; the others' are those of the table. Runs outside are left out.
    std::map<std::string, ScatteredRange, std::less<>> ranges;
    std::filesystem::path folder; ///< that names of files are relative to
    /// Of parameters, by name; the others' are recognised, see recognisedScale().
    std::map<std::string, ParameterScale, std::less<>> scales = {};
};

struct ColumnProblem
{
    std::optional<std::size_t> column; ///< of TextTable::columns(); none: it is of the table
    std::string sentence;

    bool operator==(const ColumnProblem &) const = default;
};

/// What is wrong with single columns, each once, in their order: words in a column of numbers,
/// no file that is there, a range without an inside.
std::vector<ColumnProblem> columnProblems(const TextTable &table, const ScatteredReading &reading);

/// Logarithmic if all numbers of a column are above 0, the largest is 100 times the least or more,
/// and they are spread more evenly over their logarithms than over themselves.
ParameterScale recognisedScale(const TextTable &table, std::size_t column);

/// Of the finite numbers of a column; none if it has none.
std::optional<ScatteredRange> rangeIn(const TextTable &table, std::size_t column);

} // namespace gridhelm::data
