// SPDX-License-Identifier: GPL-3.0-or-later
//
// Jacobi on GPUs and a CPU at once.
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/jacobi/hybrid_split.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace gridhelm::gpu {

/// A team of GPUs and one CPU.
struct HybridTeam
{
    std::vector<GpuDevice> gpus;
    CpuDevice cpu;
};
/// Of a mixed team. Throws gridhelm::Error if there are several CPUs in it, which one is meant to
/// be.
HybridTeam hybridTeam(const std::vector<Device> &team);

/// The GPUs have the first rows or planes, the CPU the last. `depth`: as makeCudaShares().
template <typename T>
solvers::jacobi::HybridDevices<T> hybridDevices(const solvers::PoissonProblem &problem,
                                                const HybridTeam &team, int depth);

/// The methods `tuned` (depth 1) and in 2D `temporal` on the context's team, divided as was
/// measured; the context is told who has what. Null if the CPU would not make it faster, of which
/// the context is told, too: then the GPUs are meant to compute alone. Values differ from those of
/// GPUs by round-off. Throws DeviceError.
template <typename T>
std::unique_ptr<solvers::jacobi::Shares<T>> makeHybridShares(const solvers::PoissonProblem &problem,
                                                             const ExecutionContext &context,
                                                             int depth);

} // namespace gridhelm::gpu
