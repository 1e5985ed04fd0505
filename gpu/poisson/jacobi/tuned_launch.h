// SPDX-License-Identifier: GPL-3.0-or-later
//
// The constants of `tuned` that may be tuned, on a GPU that has the whole grid.
#pragma once

#include "core/execution/tunable.h"
#include "core/solvers/poisson_problem.h"
#include "gpu/poisson/jacobi/kernels.h"

#include <cstddef>

namespace gridhelm::gpu::jacobi {

/// In 2D and in 3D, under one name: planes are of 3D alone.
extern const TunableOperation tunedIn2D, tunedIn3D;

/// What the table has for it, on the GPU that is current.
TunedLaunch tunedLaunch(const TuningTable &table, std::size_t valueBytes,
                        const solvers::PoissonProblem &problem);

/// What would be compiled for warps of so many rows, with registers for so many blocks of a
/// multiprocessor; 0: as many as what is compiled in has.
template <typename T>
KernelSource tunedSource(bool is3D, int rows, int blocks);

} // namespace gridhelm::gpu::jacobi
