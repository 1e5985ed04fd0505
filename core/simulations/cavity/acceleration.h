// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulations/cavity/staggered_grid.h"

#include <array>
#include <span>

namespace gridhelm::simulations {

/// One array of a StaggeredGrid for each component; the third one is empty in 2D.
using VelocityView = std::array<const double *, 3>;

/// dU/dt without the pressure, on the inner faces of a component:
///
///     nu Laplace(U) - div(u U)
///
/// by central differences in conservative form (Harlow & Welch, Phys. Fluids 8, 1965): second
/// order, and the advection neither makes nor takes kinetic energy where div u = 0.
void accelerate(const StaggeredGrid &grid, const VelocityView &velocity, int component,
                double viscosity, double *result);

} // namespace gridhelm::simulations
