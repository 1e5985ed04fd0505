// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/solver_backend.h"

namespace gridhelm::gpu {

/// `cuda`: the solvers on the context's first GPU. Their steppers throw gridhelm::Error if there is
/// none, or if CUDA was not built in (see listDevices()).
const solvers::SolverBackend &cudaSolvers();

} // namespace gridhelm::gpu
