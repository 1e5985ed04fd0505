// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"

#include <memory>
#include <vector>

namespace gridhelm::gpu {

/// What an evaluator of `grid` takes on the device, about.
template <typename T>
std::size_t evaluatorBytes(const sparse::SparseGrid &grid);

/// The coefficients, taken over, stay on the GPU; the threads of the context's CPU copy results.
/// Throws DeviceError if they do not fit.
template <typename T>
std::unique_ptr<sparse::Evaluator<T>>
makeCudaEvaluator(std::shared_ptr<const sparse::SparseGrid> grid, std::vector<T> coefficients,
                  const GpuDevice &gpu, const ExecutionContext &context);

} // namespace gridhelm::gpu
