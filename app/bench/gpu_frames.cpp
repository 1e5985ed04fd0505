// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/gpu_frames.h"

#include <nlohmann/json.hpp>

#include <vector>

namespace gridhelm::bench {

using nlohmann::json;

double bytesOfPicture(const CombinedRows &rows, const std::vector<std::vector<double>> &places)
{
    double bytes = 0;
    for (const auto &x : places)
        for (const auto row : rows.weights(x).rows)
            bytes += rows.areInFewBits() ? static_cast<double>(rows.codes.rows[row].bytes())
                                         : static_cast<double>(rows.floats.columns) * sizeof(float);
    return bytes / static_cast<double>(places.size());
}

json gpuFrame(const std::string &form, const CombinedRows &rows,
              const std::function<double(const PictureAt &)> &errorOf,
              const sparse::Backend &backend, const gpu::DeviceLimits &limits,
              const GpuFramesOptions &options)
{
    const auto evaluator =
        rows.areInFewBits() ? backend.loadQuantised(rows.codes) : backend.loadVectors(rows.floats);
    const PictureAt at = [&](std::span<const double> x, std::span<float> y) {
        evaluator->combine(rows.weights(x), 0, y, {});
    };
    const double error = errorOf(at); // at all places, so that rows are there afterwards
    std::vector<float> values(rows.areInFewBits() ? rows.codes.columns : rows.floats.columns);
    std::size_t next = 0;
    const auto whole = measure([&] { at(options.places[next++ % options.places.size()], values); },
                               options.measure);
    std::vector<SparseWeights> weights;
    for (const auto &x : options.places)
        weights.push_back(rows.weights(x));
    const auto alone = secondsOfCombination(rows, weights, options.context, options.repeats);
    const double bytes = bytesOfPicture(rows, options.places);
    return {{"form", form},
            {"picture_bytes", bytes},
            {"frame", rate(bytes, whole)},
            {"device", rate(bytes, alone)},
            {"share_of_read", bytes / alone.median / limits.readBytesPerSecond},
            {"error", error}};
}

} // namespace gridhelm::bench
