// SPDX-License-Identifier: GPL-3.0-or-later
//
// The [simulation] of a plan that names a built-in one.
#pragma once

#include "data/campaign/built_in_plan.h"
#include "data/campaign/plan_table.h"
#include "data/study/study_types.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

/// Of the mesh; 0 if the plan leaves it to the simulation.
std::size_t resolutionOf(PlanTable &simulation);

/// These throw PlanError.
BuiltInPlan readBuiltIn(PlanTable &table, std::string_view source,
                        const simulations::Simulation &simulation);
/// Refuses what the simulation cannot run anywhere in the box of the ranges.
void requireRunnable(const BuiltInPlan &plan, const ParameterSpace &space, const PlanTable &table);
/// Refuses fields that the simulation does not have.
void requireFields(const std::vector<std::string> &names, const simulations::Simulation &builtIn,
                   const PlanTable &table);

} // namespace gridhelm::data
