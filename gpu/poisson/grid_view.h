// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the kernels of Jacobi and SOR are told of a problem.
#pragma once

#include "core/solvers/poisson_problem.h"
#include "gpu/poisson/device_grid.h"

#include <array>

namespace gridhelm::gpu {

/// The problem's sizes. Throws gridhelm::Error if there are too many unknowns along an axis.
template <typename T>
GridView<T> gridViewOf(const solvers::PoissonProblem &problem);

/// Boundary values and the spike, if the source is one.
template <typename T>
void setParameters(GridView<T> &view, const solvers::PoissonProblem &problem);

template <typename T>
void setSides(GridView<T> &view, const std::array<solvers::SideCondition, 6> &sides,
              double spacing);

} // namespace gridhelm::gpu
