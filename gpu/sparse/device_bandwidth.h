// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the device's memory can do at most: the limit beside which kernels are measured.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace gridhelm::gpu {

/// Reads `bytes` (a multiple of 16) at `data`; `sink` (one float) keeps the compiler honest.
void readOnce(const void *data, std::size_t bytes, float *sink, cudaStream_t stream);

/// Copies `bytes` (a multiple of 16), 16 of them a thread at a time.
void copyOnce(const void *from, void *to, std::size_t bytes, cudaStream_t stream);

} // namespace gridhelm::gpu
