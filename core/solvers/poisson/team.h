// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several devices, or ranks, that share a Poisson problem.
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/poisson/poisson_method.h"
#include "core/solvers/rank_slabs.h"
#include "core/solvers/slab.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::solvers {

/// divided() rows or planes for the devices of the context's team, or its ranks. Tells the context
/// if some of them have nothing to do.
std::vector<Slab> dividedAmongTeam(const PoissonProblem &problem, std::size_t granule,
                                   std::span<const double> weights,
                                   const ExecutionContext &context);

struct CpuSlab
{
    Slab slab;
    CpuDevice cpu;
};
struct CpuSlabs
{
    std::vector<CpuSlab> here;      ///< what this process computes
    std::optional<RankSlabs> ranks; ///< what each one does, if the grid is divided among ranks
};
/// As dividedAmongTeam(), for CPUs as fast as they have threads: those of the team, or one of each
/// rank (collective then). Throws gridhelm::Error if one of the team is no CPU.
CpuSlabs cpuSlabs(const PoissonProblem &problem, std::size_t granule,
                  const ExecutionContext &context);

struct GpuSlabs
{
    std::vector<Slab> here;         ///< what this process computes
    std::vector<GpuDevice> gpus;    ///< one for each of them, or this process' if it has none
    std::optional<RankSlabs> ranks; ///< what each one does, if the grid is divided among ranks
    std::size_t shares = 1;         ///< slabs in all
};
/// As dividedAmongTeam(), for GPUs, which are as fast as each other: those of the team, or the
/// first one of each rank's context. Throws gridhelm::Error if one of the team is no GPU.
GpuSlabs gpuSlabs(const PoissonProblem &problem, std::size_t granule,
                  const ExecutionContext &context);

std::vector<const PoissonMethod *> divisibleMethods();
/// Throws gridhelm::Error, with the methods of its family that can, if the context has a team, or
/// ranks, and the method is none for several devices.
void requireDivisible(const PoissonMethod &method, const ExecutionContext &context);

} // namespace gridhelm::solvers
