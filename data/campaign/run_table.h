// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/plan_table.h"
#include "data/campaign/runner_type.h"

#include <string_view>
#include <vector>

namespace gridhelm::data {

/// Values of all options: those of the table, else their defaults. Throws PlanError for keys that
/// are none of them, and values of another type or out of range; `source`: see PlanTable.
std::map<std::string, RunSetting> readRunSettings(PlanTable &table,
                                                  const std::vector<RunnerOption> &options,
                                                  std::string_view source = {});

/// A plan's [run]; throws PlanError.
RunPlan readRun(PlanTable &root, std::string_view source);

} // namespace gridhelm::data
