// SPDX-License-Identifier: GPL-3.0-or-later
//
// What has become of a study's error with more runs, and why they were made.
#pragma once

#include "data/study/study.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace gridhelm::cli {

/// Runs by rows, kinds of errors by columns; the last ones, if there are many. Empty with less than
/// two numbers of runs.
std::string historyText(const data::Study &study);
nlohmann::json historyJson(const data::Study &study);

/// Empty if the grid was never refined.
std::string refinementText(const data::Study &study);
nlohmann::json refinementsJson(const data::Study &study);

/// How many runs this error would take, by what the error was with fewer.
std::string runsForErrorText(const data::Study &study, double error);
nlohmann::json runsForErrorJson(const data::Study &study, double error);

} // namespace gridhelm::cli
