// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulations/simulation.h"

#include <string>
#include <utility>
#include <vector>

namespace gridhelm::data {

/// A built-in simulation.
struct BuiltInPlan
{
    std::string name;
    simulations::Setup setup;
    std::vector<std::pair<std::string, double>> fixed; ///< parameters that are not varied
};

} // namespace gridhelm::data
