// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/jacobi/divided_iterations.h"

#include <memory>

namespace gridhelm::solvers::jacobi {

/// On the CPUs of the context's team, each with its threads, or on those of all ranks: slabs in
/// proportion to threads, with so many iterations between two exchanges of halos: 1, as tuned does
/// them, or in 2D more, as temporal does. With fewer rows or planes than CPUs the last ones have
/// nothing to do, of which the context is told. Throws gridhelm::Error if there is another device
/// in the team.
template <typename T>
std::unique_ptr<Shares<T>> makeCpuShares(const PoissonProblem &problem,
                                         const ExecutionContext &context, int depth);

} // namespace gridhelm::solvers::jacobi
