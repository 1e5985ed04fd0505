// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/cuda_sparse_cases.h"

#include <nlohmann/json.hpp>

namespace gridhelm::bench {

/// benchDegrees() on the first CUDA device, of data that is there: evaluation at random points
/// (sorting counted), and hierarchization of a larger grid. Compiled with CUDA only.
nlohmann::json benchCudaDegrees(const CudaSparseOptions &options);

} // namespace gridhelm::bench
