// SPDX-License-Identifier: GPL-3.0-or-later
//
// The file that a command's result is in, as the plan names it.
#pragma once

#include "core/parameters/parameter_space.h"
#include "data/campaign/fill_template.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gridhelm::data {

/// A parameter's value in a run, as a file's name may hold it.
struct NamedNumber
{
    Parameter parameter;
    double value = 0;
};

/// The one file in `folder` that `pattern` names: `values` filled in, * and ? as the shell has
/// them. Programs print numbers as they like: if no file has exactly this name, the placeholders of
/// `numbers` stand for any number within numberTolerance(), written in any way (0.6, 0.600000,
/// 6e-01), and the nearest one is taken. Throws gridhelm::Error if there is none, or more than one.
std::filesystem::path resultFile(const std::filesystem::path &folder, const std::string &pattern,
                                 const PlaceholderValues &values,
                                 const std::vector<NamedNumber> &numbers);

} // namespace gridhelm::data
