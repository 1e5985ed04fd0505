// SPDX-License-Identifier: GPL-3.0-or-later
//
// The [[parameter]] and [[space]] of a plan.
#pragma once

#include "core/simulations/simulation.h"
#include "data/campaign/plan_table.h"
#include "data/study/study_types.h"

#include <string_view>
#include <vector>

namespace gridhelm::data {

/// These throw PlanError. Ranges and units that are left out are the built-in simulation's own.
Parameter readParameter(PlanTable &table, const simulations::Simulation *simulation);
/// One level is the middle of the range alone, unless the ends are sampled.
void requireSeveralValues(const Parameter &parameter, const PlanTable &table);

/// The directions of a scalar study's space, which its mesh has to have. `mesh`: a built-in
/// simulation's.
std::vector<Parameter> readSpace(const std::vector<const toml::table *> &tables,
                                 const simulations::ImageMesh *mesh, const PlanTable &root,
                                 std::string_view source);

} // namespace gridhelm::data
