// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/sparse/rows_on_gpu.h"

#include <nanobind/nanobind.h>

#include <cstddef>
#include <vector>

namespace gridhelm::python {

/// An array in the memory of a GPU, which other libraries take by DLPack without a copy.
struct GpuArray
{
    gpu::ValuesOnGpu values;
    std::vector<std::size_t> shape;
};

void bindGpuArray(nanobind::module_ &module);

} // namespace gridhelm::python
