// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"

#include <memory>

namespace gridhelm::gpu {

/// `cuda`: sparse grids on the context's first GPU. Throws gridhelm::Error if it has none, or if
/// CUDA was not built in (see listDevices()). What does not fit into the GPU's memory budget throws
/// BackendError; only of a matrix of vectors whose columns do not all fit the CPU combines the
/// rest, if the context allows a fallback.
std::unique_ptr<sparse::Backend> makeCudaBackend(const ExecutionContext &context);

} // namespace gridhelm::gpu
