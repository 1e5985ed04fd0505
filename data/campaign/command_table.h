// SPDX-License-Identifier: GPL-3.0-or-later
//
// The [simulation] of a plan that names a command.
#pragma once

#include "data/campaign/command_plan.h"
#include "data/campaign/plan_place.h"
#include "data/campaign/plan_table.h"
#include "data/study/study_types.h"

#include <filesystem>
#include <string_view>

namespace gridhelm::data {

/// Refuses names that cannot stand in braces, or mean something else there. These throw PlanError.
void requirePlaceholder(const Parameter &parameter, const PlanTable &table);
/// `folder`: where templates' names begin.
CommandPlan readCommand(PlanTable &table, std::string_view source,
                        const std::filesystem::path &folder, PlanPlace place,
                        const ParameterSpace &space);

} // namespace gridhelm::data
