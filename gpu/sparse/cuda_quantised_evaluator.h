// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/sparse/on_gpu_evaluator.h"

#include <memory>

namespace gridhelm::gpu {

/// Rows go to the device when they are first named, in their codes, and stay there. The rows must
/// outlive it. Evaluations throw DeviceError if rows do not fit.
std::unique_ptr<OnGpuEvaluator> makeCudaQuantisedEvaluator(const codec::QuantisedRows &matrix,
                                                           const GpuDevice &gpu,
                                                           const CpuDevice &host);

} // namespace gridhelm::gpu
