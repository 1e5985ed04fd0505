// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `bench cuda-sparse` measures on the first CUDA device: work on data that is there, and work
// with its delivery to the CPU, beside base lines and limits measured in the same run.
// Compiled with CUDA only.
#pragma once

#include "app/bench/sparse_cases.h"
#include "core/execution/execution_context.h"
#include "gpu/support/device_limits.h"

#include <nlohmann/json.hpp>

#include <cstddef>

namespace gridhelm::bench {

struct CudaSparseOptions
{
    ExecutionContext context{CpuDevice{}}; ///< with a GPU
    std::size_t points = 1000000;
    std::size_t rows = 250;
    std::size_t columns = 1000000;
    std::size_t side = 256;
    int repeats = 15;
};

/// Random points of a regular grid of treatment `zero`, float: the algorithm of [Murarasu2013] done
/// simply, ours (sorting counted), and ours with points and values of the CPU.
nlohmann::json benchCudaInterpolation(const GridCase &gridCase, const CudaSparseOptions &options);

/// Beside copying the values once for each dimension.
nlohmann::json benchCudaHierarchization(const GridCase &gridCase, const CudaSparseOptions &options,
                                        const gpu::DeviceLimits &limits);

/// Beside reading the matrix once.
nlohmann::json benchCudaSpvm(const CudaSparseOptions &options, const gpu::DeviceLimits &limits);

/// A cube of side^3 values out of a grid of 6 dimensions and level 8, beside copying it to the
/// CPU once.
nlohmann::json benchCudaCartesian(const CudaSparseOptions &options,
                                  const gpu::DeviceLimits &limits);

} // namespace gridhelm::bench
