// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameters/parameter_space.h"
#include "core/support/text_table.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::data {

/// Parameters belong to a grid point if they are that close, as a part of the range.
constexpr double importTolerance = 1e-6;

struct ImportRow
{
    std::filesystem::path file;
    std::vector<double> parameters; ///< one for each; of the time-like one NaN if the file says it
    std::string place;              ///< "params.csv, line 3"
};

/// A table with a header: a column for each parameter (the time-like one may be missing if the
/// files say their time) and `file`, relative to `folder`; or `files`, one for each row. Throws
/// gridhelm::Error with the line of what is wrong: values out of the ranges, too.
std::vector<ImportRow> importRows(const TextTable &table, const std::filesystem::path &folder,
                                  const ParameterSpace &space,
                                  std::span<const std::filesystem::path> files);

} // namespace gridhelm::data
