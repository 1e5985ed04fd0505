// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/poisson_problem.h"
#include "core/solvers/stepper.h"

#include <string_view>
#include <vector>

namespace gridhelm::solvers {

/// What may be changed of a problem while a solver runs: "source x", "source y", "source z",
/// "source strength" of a spike; "boundary x low" ... "boundary z high" (values of u, or of its
/// outward derivative). If all sides are of Neumann type only the position: anything else would
/// upset the balance without which there is no solution.
std::vector<LiveParameter> poissonParameters(const PoissonProblem &problem);

/// Throws gridhelm::Error for a name that poissonParameters() does not list or a value out of its
/// range; the problem is unchanged then.
void setPoissonParameter(PoissonProblem &problem, std::string_view name, double value);

/// The parameter of that name, if the value is in its range; throws gridhelm::Error otherwise.
const LiveParameter &requireLiveParameter(const std::vector<LiveParameter> &parameters,
                                          std::string_view name, double value);

} // namespace gridhelm::solvers
