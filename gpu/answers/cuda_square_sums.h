// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/square_sums.h"
#include "core/execution/execution_context.h"

namespace gridhelm::gpu {

/// On the context's first GPU, columns by columns, so that the matrix need not fit. Throws
/// gridhelm::Error if it has none, or if CUDA was not built in; BackendError if the GPU has no room
/// for a few columns, or fails.
ComputedOn sumSquares(const answers::SquareSums &sums, linalg::MatrixView<const float> matrix,
                      const answers::SquareSumsOutput &out, const ExecutionContext &context);

} // namespace gridhelm::gpu
