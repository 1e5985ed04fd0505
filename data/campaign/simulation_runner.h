// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/built_in_plan.h"
#include "data/campaign/runner_type.h"

#include <string>
#include <vector>

namespace gridhelm::data {

/// The built-in simulations, in this process.
const RunnerType &simulationRunner();

/// Fields of a built-in simulation that the plan keeps, and its mesh.
RunSnapshot describeBuiltIn(const BuiltInPlan &plan, const std::vector<std::string> &fields);

} // namespace gridhelm::data
