// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/sparse/on_gpu_evaluator.h"

#include <cstddef>
#include <memory>

namespace gridhelm::gpu {

/// Columns of the matrix that the current GPU has room for, beside what an evaluation needs.
std::size_t columnsThatFit(const linalg::MatrixView<const float> &matrix);

/// Rows go to the device when they are first named, and stay there. Throws gridhelm::BackendError
/// if not all columns fit.
std::unique_ptr<OnGpuEvaluator> makeCudaVectorEvaluator(linalg::MatrixView<const float> matrix,
                                                        const GpuDevice &gpu,
                                                        const ExecutionContext &context);

} // namespace gridhelm::gpu
