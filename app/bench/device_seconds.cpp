// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/device_seconds.h"

#include "app/bench/cuda_sparse_cases.h"

namespace gridhelm::bench {
namespace {

double secondsOf(const nlohmann::json &rate)
{
    return rate["seconds"].get<double>();
}

} // namespace

std::optional<double> secondsOnDevice(const dispatch::Workload &work,
                                      const ExecutionContext &context,
                                      const gpu::DeviceLimits &limits)
{
    CudaSparseOptions options;
    options.context = context;
    if (const auto *transform = std::get_if<dispatch::TransformWork>(&work))
        return secondsOf(benchCudaHierarchization({transform->dimension, transform->level}, options,
                                                  limits)["hierarchize"]);
    if (const auto *interpolation = std::get_if<dispatch::InterpolationWork>(&work)) {
        options.points = interpolation->points;
        return secondsOf(benchCudaInterpolation({interpolation->dimension, interpolation->level},
                                                options)["device"]);
    }
    if (const auto *combination = std::get_if<dispatch::CombinationWork>(&work)) {
        options.rows = combination->rows;
        options.columns = combination->columns;
        return secondsOf(benchCudaSpvm(options, limits)["device"]);
    }
    if (const auto *picture = std::get_if<dispatch::CartesianWork>(&work)) {
        options.side = picture->side; // its grid is always this one
        if (picture->dimension == 6 && picture->level == 8)
            return secondsOf(benchCudaCartesian(options, limits)["device"]);
    }
    return std::nullopt;
}

} // namespace gridhelm::bench
