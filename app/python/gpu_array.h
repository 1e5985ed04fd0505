// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/sparse/rows_on_gpu.h"

#include <nanobind/nanobind.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace gridhelm::python {

/// An array in the memory of a GPU, which other libraries take by DLPack without a copy.
struct GpuArray
{
    std::shared_ptr<const gpu::ValuesOnGpu> values;
    std::vector<std::size_t> shape;

    GpuArray(std::shared_ptr<const gpu::ValuesOnGpu> of, std::vector<std::size_t> shaped)
        : values(std::move(of))
        , shape(std::move(shaped))
    {
    }
    GpuArray(GpuArray &&) = default;
    GpuArray &operator=(GpuArray &&) = delete;
    /// Without the interpreter's lock: giving memory back waits for whatever the GPU does.
    ~GpuArray();
};

void bindGpuArray(nanobind::module_ &module);

} // namespace gridhelm::python
