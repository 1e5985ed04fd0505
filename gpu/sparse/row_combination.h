// SPDX-License-Identifier: GPL-3.0-or-later
//
// `spvm` on the device: weighted sums of rows of a matrix (core/linalg/combination.h). Device
// pointers throughout.
#pragma once

#include "gpu/sparse/launch_constants.h"
#include "gpu/sparse/weighted_rows.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace gridhelm::gpu {

/// y[i] = sum of weights * rows at column firstColumn + i, for i < count rounded up to a multiple
/// of four; `firstColumn` is one, too. indicator, unless null: |the part of the last group|.
void combineRows(const RowCombination &combination, std::size_t firstColumn, std::size_t count,
                 float *y, float *indicator, cudaStream_t stream, const RowLaunch &launch = {});

/// The same for a list of columns.
void combineColumns(const RowCombination &combination, const std::uint32_t *columns,
                    std::size_t count, float *y, float *indicator, cudaStream_t stream);

} // namespace gridhelm::gpu
