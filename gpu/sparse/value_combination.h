// SPDX-License-Identifier: GPL-3.0-or-later
//
// A weighted sum of single values on the device, in double. Device pointers throughout.
#pragma once

#include "core/sparse/unfolded/node_weights.h"

#include <cuda_runtime.h>

#include <cstdint>

namespace gridhelm::gpu {

/// sums[0] = sum of weight * values[offset] over the terms, sums[1] the same from term
/// `lastGroupBegin` on.
template <typename T>
void combineValues(const T *values, const sparse::WeightedValue *terms, std::uint64_t count,
                   std::uint64_t lastGroupBegin, double *sums, cudaStream_t stream);

} // namespace gridhelm::gpu
