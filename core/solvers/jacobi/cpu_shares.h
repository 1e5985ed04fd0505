// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/execution/messages.h"
#include "core/solvers/jacobi/async_options.h"
#include "core/solvers/jacobi/divided_iterations.h"
#include "core/solvers/poisson/team.h"

#include <memory>

namespace gridhelm::solvers::jacobi {

/// On the CPUs of the context's team, each with its threads, or on those of all ranks: slabs in
/// proportion to threads, with so many iterations between two exchanges of halos: 1, as `tuned`
/// does them, or in 2D more, as `temporal` does. With fewer rows or planes than CPUs the last ones
/// have nothing to do, of which the context is told. Throws gridhelm::Error if there is another
/// device in the team.
template <typename T>
std::unique_ptr<Shares<T>> makeCpuShares(const PoissonProblem &problem,
                                         const ExecutionContext &context, int depth);
/// One CPU's part of a grid, of which the rest is on another kind of device: the neighbour is that
/// party of the messages, which are values of unknowns alone. Null messages if there is no rest.
template <typename T>
std::unique_ptr<Shares<T>> makeCpuPart(const PoissonProblem &problem, const CpuSlab &slab,
                                       int depth, const std::shared_ptr<Messages> &messages,
                                       int party);
/// The same as makeCpuShares() for an asynchronous method, 2D, in slabs of whole tile rows. Halos
/// are exchanged once in a launch, whatever the variant: tiles on both sides of a border hear from
/// each other as those of async2 do. So async2 has bit for bit the values of one CPU, and the
/// others' depend on the number of CPUs.
template <typename T>
std::unique_ptr<Shares<T>> makeAsyncCpuShares(const PoissonProblem &problem,
                                              const ExecutionContext &context, AsyncVariant variant,
                                              const AsyncOptions &options);

} // namespace gridhelm::solvers::jacobi
