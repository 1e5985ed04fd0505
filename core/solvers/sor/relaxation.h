// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/poisson_problem.h"
#include "core/solvers/sor/sor_settings.h"

namespace gridhelm::solvers {

/// Throws gridhelm::Error unless 0 < w < 2: outside, no SOR method converges.
void requireRelaxation(double w);

/// A good relaxation factor for the method on this grid; relaxation.cpp says how good.
double defaultRelaxation(const PoissonProblem &problem, const SorSettings &settings);

} // namespace gridhelm::solvers
