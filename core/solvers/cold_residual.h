// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/poisson_problem.h"

namespace gridhelm::solvers {

/// The 2-norm of h^2 times the residual of u = 0, in double: what residuals are measured against,
/// whatever a run begins with, so that a cold and a warm start have the same way to go. Works
/// through the grid layer by layer, without a copy of the source. The problem is soluble.
double scaledColdResidual(const PoissonProblem &problem);

} // namespace gridhelm::solvers
