// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/sor/sor_settings.h"
#include "core/solvers/stepper.h"

#include <memory>
#include <string_view>

namespace gridhelm::solvers {

/// "sequential", "red-black" or "mlssor".
std::string_view nameOf(SorMethod method);
/// Whether it uses one thread, whatever the device has.
bool isSerial(SorMethod method);

/// A stepper for one of the SOR methods, on the context's CPU: "sequential", "red-black" or
/// "mlssor". Its live parameters are "relaxation" and those of poissonParameters().
///
/// One iteration relaxes every unknown once; a pair of SSOR sweeps is two. Per unknown and
/// iteration it counts a flop for every neighbour and 2, with f 3, and 3 values moved
/// (one colour read, the other read and written, twice half a grid), 4 with f: 12 and 16 bytes in
/// float. A stop is noticed between iterations, red-black's between passes of up to 8 iterations,
/// MLSSOR's between sweeps of K iterations. MLSSOR does whole sweeps only: what is left of a
/// request is done with the next one.
///
/// Throws gridhelm::Error, before it allocates, for what requireSoluble() and requireRelaxation()
/// refuse, for tiles that are none, and 3D problems with methods that are 2D.
std::unique_ptr<Stepper> makeSorStepper(const PoissonProblem &problem, const SorSettings &settings,
                                        const ExecutionContext &context);

} // namespace gridhelm::solvers
