// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/cuda_sparse_cases.h"

#include <nlohmann/json.hpp>

namespace gridhelm::bench {

/// Modes in few bits, combined on the device: more than its cache holds, and those of a picture;
/// with the indicator and without; beside reading the codes once, and beside the same rows as
/// float32.
nlohmann::json benchCudaQuantised(const CudaSparseOptions &options,
                                  const gpu::DeviceLimits &limits);

} // namespace gridhelm::bench
