// SPDX-License-Identifier: GPL-3.0-or-later
//
// The text of a table of runs as columns and lines, before anybody says what they mean.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

/// More rows than this are no table of runs.
constexpr std::size_t mostScatteredRows = 100'000;

struct ScatteredColumn
{
    std::size_t index = 0;   ///< of its cell in each line
    std::string name, unit;  ///< of "length [m]"; the unit may be empty
    bool hasNumbers = false; ///< in one line at least
};

struct ScatteredLine
{
    std::vector<std::string> cells;
    std::string place; ///< "runs.csv, line 3"
};

struct ScatteredCells
{
    std::string source;                   ///< for sentences: "runs.csv"
    std::vector<ScatteredColumn> columns; ///< those with a name, no name twice
    std::vector<ScatteredLine> lines;     ///< at least one, all as long as the header
};

/// CSV with a header of names, "Re" or "length [m]". Throws gridhelm::Error, with the line, for
/// what is no such table.
ScatteredCells parseScatteredCells(std::string_view csv, std::string_view source);

/// The same of a file, which is called by its name; throws gridhelm::Error, too, if it cannot be
/// read.
ScatteredCells readScatteredCells(const std::filesystem::path &path);

} // namespace gridhelm::data
