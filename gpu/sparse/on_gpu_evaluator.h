// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"
#include "gpu/sparse/rows_on_gpu.h"

namespace gridhelm::gpu {

/// Whose results go to the CPU, or stay where they are.
class OnGpuEvaluator : public sparse::VectorEvaluator, public RowsOnGpu
{
public:
    using RowsOnGpu::combine;
    using VectorEvaluator::combine;
};

} // namespace gridhelm::gpu
