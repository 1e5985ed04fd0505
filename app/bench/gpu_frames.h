// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures that a GPU combines, for `bench frame`.
#pragma once

#include "app/bench/combined_rows.h"
#include "app/bench/measure.h"
#include "core/execution/execution_context.h"
#include "core/sparse/backend.h"
#include "gpu/support/device_limits.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::bench {

/// Seconds in which the context's first GPU combines these rows, which are in its memory, and so
/// are the values afterwards: by its own clock, with these weights in turns. Throws gridhelm::Error
/// where CUDA is not built in.
Timing secondsOfCombination(const CombinedRows &rows, const std::vector<SparseWeights> &weights,
                            const ExecutionContext &context, int repeats);

struct GpuFramesOptions
{
    ExecutionContext context{CpuDevice{}}; ///< with a GPU
    std::vector<std::vector<double>> places;
    MeasureOptions measure = {};
    int repeats = 21; ///< of what the device's clock measures
};

/// What makes a picture at a place.
using PictureAt = std::function<void(std::span<const double>, std::span<float>)>;

/// Of a form: bytes that a picture reads, seconds of it with its values in the CPU's memory
/// ("frame") and in the GPU's ("device"), how much of the read bandwidth the latter is, and the
/// error, which `errorOf` measures. Throws as secondsOfCombination().
nlohmann::json gpuFrame(const std::string &form, const CombinedRows &rows,
                        const std::function<double(const PictureAt &)> &errorOf,
                        const sparse::Backend &backend, const gpu::DeviceLimits &limits,
                        const GpuFramesOptions &options);

} // namespace gridhelm::bench
