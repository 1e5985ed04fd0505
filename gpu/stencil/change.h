// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/poisson/block_reduction.h"
#include "gpu/support/stream.h"

#include <cstddef>

namespace gridhelm::gpu {

/// A grid in memory; in values.
struct StencilGrid
{
    long long points[3];
    long long strides[3];
};

/// The squared 2-norm of next - present, and its largest magnitude, over the grid's points; waits
/// for what is in the stream.
template <typename T>
BlockReduction::Values changeBetween(const T *present, const T *next, const StencilGrid &grid,
                                     BlockReduction &reduction, const Stream &stream);

} // namespace gridhelm::gpu
