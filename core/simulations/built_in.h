// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulations/simulation.h"

#include <memory>

namespace gridhelm::simulations {

/// Lid-driven cavity in 2 or 3 dimensions, see cavity/cavity.cpp.
std::unique_ptr<const Simulation> makeCavity(int dimension);
/// Heated plate, see plate.cpp.
std::unique_ptr<const Simulation> makePlate();
/// Geological folds, see folds.cpp.
std::unique_ptr<const Simulation> makeFolds();

} // namespace gridhelm::simulations
