// SPDX-License-Identifier: GPL-3.0-or-later
//
// What refine and suggest have in common: whose error counts, and where.
#pragma once

#include "data/study/study.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace gridhelm::cli {

/// --field and --at.
void addErrorThatCounts(CLI::App &command, std::string &field, std::string &at);

/// As data::RefineStep::at. Throws gridhelm::Error.
std::vector<double> placeThatMatters(const data::Study &study, const std::string &at);

} // namespace gridhelm::cli
