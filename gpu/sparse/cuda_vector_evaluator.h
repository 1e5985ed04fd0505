// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"

#include <memory>

namespace gridhelm::gpu {

/// Rows go to the device when they are first named, and stay there. If not all columns fit, the
/// CPU combines the others at the same time.
std::unique_ptr<sparse::VectorEvaluator>
makeCudaVectorEvaluator(sparse::MatrixView<const float> matrix, const GpuDevice &gpu,
                        const ExecutionContext &context);

} // namespace gridhelm::gpu
