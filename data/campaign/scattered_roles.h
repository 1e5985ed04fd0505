// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the columns of a table of runs are: guessed, as far as a person does not say it.
#pragma once

#include "core/support/text_table.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

/// More rows than this are no table of runs.
constexpr std::size_t mostScatteredRows = 100'000;

/// A table of runs. Throws gridhelm::Error for what is none.
TextTable readScatteredTable(const std::filesystem::path &path, const TableReading &reading = {});

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
    std::vector<ColumnRole> roles;  ///< of each of TextTable::columns()
    std::vector<std::string> notes; ///< sentences about columns that are ignored unasked
};

/// Whether it is the name of a file in the folder.
bool isFile(const std::filesystem::path &folder, std::string_view name);

/// As they are chosen; else a column `file` names files, or one of words that name files in
/// `folder`. Without files the last column is the response, whatever it holds; parameters are all
/// others of numbers, and those that look like numbers and cannot be read, but for running numbers
/// (0, 1, 2 ... of ten runs, or called so) and, where there are parameters before them, what stands
/// behind the files. One that is called `t` or `time` is the time. Where parameters are chosen the
/// others are responses if there are no files, else ignored, as are columns of words. Whether that
/// can be a study is for scatteredProblems() to say. Throws gridhelm::Error if the choice names a
/// column that is not there, or names one twice.
ScatteredRoles scatteredRoles(const TextTable &table, const ScatteredChoice &choice,
                              const std::filesystem::path &folder = {});

/// "semicolons, decimal commas; a, b: parameters; y: response".
std::string readingText(const TextTable &table, const std::vector<ColumnRole> &roles);

/// The choice that gives these roles, without guesses where there is a parameter.
ScatteredChoice choiceOf(const TextTable &table, const std::vector<ColumnRole> &roles);

} // namespace gridhelm::data
