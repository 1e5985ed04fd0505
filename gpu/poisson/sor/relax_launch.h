// SPDX-License-Identifier: GPL-3.0-or-later
//
// The constants of red-black sweeps that may be tuned, on a GPU that has the whole grid.
#pragma once

#include "core/execution/tunable.h"
#include "core/solvers/poisson_problem.h"
#include "gpu/poisson/sor/kernels.h"

#include <cstddef>

namespace gridhelm::gpu::sor {

extern const TunableOperation redBlackTunable;

/// What the table has for it, on the GPU that is current.
RelaxLaunch relaxLaunch(const TuningTable &table, std::size_t valueBytes,
                        const solvers::PoissonProblem &problem);

/// What would be compiled for warps of so many rows and blocks of so many threads.
template <typename T>
KernelSource relaxSource(bool is3D, int rows, int threads);

} // namespace gridhelm::gpu::sor
