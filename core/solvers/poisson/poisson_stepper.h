// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/computed_on.h"
#include "core/execution/execution_context.h"
#include "core/solvers/poisson/poisson_iterations.h"
#include "core/solvers/poisson/poisson_settings.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/stepper.h"

#include <functional>
#include <memory>

namespace gridhelm::solvers {

/// A stepper for any of poissonMethods(), on the context's CPU. Its live parameters are the
/// method's live options and those of poissonParameters().
///
/// Counted for each unknown and iteration: as the method's family says (PoissonFamily::count). A
/// stop is noticed between iterations, or between what the method does in one go.
///
/// With ranks (ExecutionContext::withRanks()) all of a stepper's calls are collective, a stop has
/// been requested on all of them or on none, and field() has values on the first one alone.
///
/// Throws gridhelm::Error, before it allocates, for what requireSoluble() and requireOptions()
/// refuse, for names that no method has, for 3D problems with methods that are 2D, and for methods
/// that cannot use the context's team, or ranks.
std::unique_ptr<Stepper> makePoissonStepper(PoissonProblem problem, const PoissonSettings &settings,
                                            const ExecutionContext &context);

template <typename T>
using IterationsMaker = std::function<std::unique_ptr<PoissonIterations<T>>(
    const PoissonProblem &problem, const OptionValues &options)>;

/// With the iterations of another back end, which are computed `where`.
std::unique_ptr<Stepper> makePoissonStepper(PoissonProblem problem, const PoissonSettings &settings,
                                            ComputedOn where,
                                            const IterationsMaker<float> &makeFloat,
                                            const IterationsMaker<double> &makeDouble);

} // namespace gridhelm::solvers
