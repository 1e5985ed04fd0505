// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/execution/messages.h"
#include "core/solvers/jacobi/divided_iterations.h"
#include "core/solvers/poisson/team.h"
#include "gpu/poisson/jacobi/kernels.h"
#include "gpu/support/peer_copy.h"

#include <cstddef>
#include <memory>

namespace gridhelm::gpu {

/// The methods `tuned` (depth 1) and in 2D `temporal` (up to `depth` iterations between two
/// exchanges of halos; 0: as many as suit) on the GPUs of the context's team, all of which must be
/// GPUs, or on one of each rank: slabs of whole tile rows of the one-GPU tiling, in equal shares,
/// bit for bit as on one. Several logical GPUs may share one. With fewer tile rows than GPUs the
/// last ones have nothing to do, of which the context is told. Throws DeviceError.
template <typename T>
std::unique_ptr<solvers::jacobi::Shares<T>>
makeCudaShares(const solvers::PoissonProblem &problem, const ExecutionContext &context, int depth,
               PeerRoute route = PeerRoute::best);
/// How GPUs can share a grid with another kind of device: iterations of a pass, which is one
/// between two exchanges, and what slabs begin at multiples of, in rows (2D) or planes (3D).
/// `depth` as above.
struct CudaPart
{
    int depth = 1;
    std::size_t granule = 1;
};
template <typename T>
CudaPart cudaPart(const solvers::PoissonProblem &problem, int depth);
/// The GPUs' part of a grid, its first slabs, with passes of that depth. What comes behind them is
/// with that party of the messages, which are values of unknowns alone; null messages if nothing
/// does. Throws DeviceError.
template <typename T>
std::unique_ptr<solvers::jacobi::Shares<T>>
makeCudaPart(const solvers::PoissonProblem &problem, const solvers::GpuSlabs &slabs, int depth,
             const std::shared_ptr<Messages> &messages, int party);
/// The same as makeCudaShares() for an asynchronous method, 2D, whose tiles are those of one GPU.
/// Halos are exchanged once in a launch, whatever the variant: tiles on both sides of a border hear
/// from each other as those of async2 do. So async2 has bit for bit the values of one GPU.
template <typename T>
std::unique_ptr<solvers::jacobi::Shares<T>>
makeAsyncCudaShares(const solvers::PoissonProblem &problem, const ExecutionContext &context,
                    const jacobi::AsyncChoice &choice, PeerRoute route = PeerRoute::best);

} // namespace gridhelm::gpu
