// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/cuda_quantised_cases.h"

#include "app/bench/device_measure.h"
#include "gpu/sparse/device_quantised_row.h"
#include "gpu/sparse/quantised_combination.h"
#include "gpu/sparse/row_combination.h"
#include "gpu/support/buffer.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/require_gpu.h"
#include "gpu/support/stream.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <span>
#include <vector>

namespace gridhelm::bench {
namespace {

using codec::QuantisedRow;
using nlohmann::json;

struct Size
{
    std::size_t rows, columns;
};

/// As modes are: later ones matter less and may be coarser; in each some parts are smooth.
QuantisedRow modeLike(std::mt19937 &random, std::size_t row, const Size &size)
{
    std::uniform_real_distribution<float> even(-1, 1);
    std::vector<float> values(size.columns);
    float magnitude = 1;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i % (7 * codec::quantisedBlock) == 0)
            magnitude = std::exp2(4 * even(random) - 2);
        values[i] = magnitude * even(random);
    }
    const double share = static_cast<double>(row) / static_cast<double>(size.rows);
    return QuantisedRow::encode(values, std::exp2(7 * share - 8));
}

/// On the device alone.
json measured(const CudaSparseOptions &options, const gpu::DeviceLimits &limits, const Size &size,
              std::span<const QuantisedRow> rows)
{
    const gpu::Stream stream;
    std::vector<std::unique_ptr<gpu::DeviceQuantisedRow>> there;
    SparseWeights weights;
    double bytes = 0;
    for (std::size_t r = 0; r < size.rows; ++r) {
        there.push_back(std::make_unique<gpu::DeviceQuantisedRow>(rows[r]));
        bytes += static_cast<double>(there.back()->bytes());
        weights.rows.push_back(r);
        weights.weights.push_back(std::cos(static_cast<double>(r)));
    }
    weights.lastGroupBegin = size.rows;
    const auto deviceRows = [&](double last) {
        std::vector<gpu::WeightedQuantisedRow> list;
        for (std::size_t r = 0; r < size.rows; ++r)
            list.push_back(there[r]->weighted(weights.weights[r], last));
        return gpu::DeviceBuffer<gpu::WeightedQuantisedRow>(
            std::span<const gpu::WeightedQuantisedRow>(list));
    };
    const auto once = deviceRows(0), twice = deviceRows(0.1);
    const gpu::DeviceBuffer<float> y(size.columns + 4), indicator(size.columns);
    const auto count = static_cast<std::uint32_t>(size.rows);
    const auto alone = timeOnDevice(
        [&] {
            gpu::combineQuantised({once.data(), count, count, false}, 0, size.columns, y.data(),
                                  nullptr, stream);
        },
        stream, options.repeats);
    std::vector<float> result(size.columns), expected(size.columns);
    gpu::check(
        cudaMemcpy(result.data(), y.data(), size.columns * sizeof(float), cudaMemcpyDeviceToHost),
        "return the sums");
    linalg::combine(weights, codec::QuantisedRows{rows, size.columns}, 0, expected, {},
                    options.context.cpu());
    double error = 0;
    for (std::size_t i = 0; i < size.columns; ++i)
        error = std::max(error, static_cast<double>(std::abs(result[i] - expected[i])));
    const auto both = timeOnDevice(
        [&] {
            gpu::combineQuantised({twice.data(), count, count, true}, 0, size.columns, y.data(),
                                  indicator.data(), stream);
        },
        stream, options.repeats);

    const auto stride = (size.columns + 31) / 32 * 32;
    const gpu::DeviceBuffer<float> floats(size.rows * stride);
    gpu::check(cudaMemset(floats.data(), 0, floats.bytes()), "clear its memory");
    std::vector<gpu::WeightedRow> floatRows;
    for (std::size_t r = 0; r < size.rows; ++r)
        floatRows.push_back({floats.data() + r * stride, 1, 0});
    const gpu::DeviceBuffer<gpu::WeightedRow> deviceFloats{
        std::span<const gpu::WeightedRow>(floatRows)};
    const auto asFloats = timeOnDevice(
        [&] {
            gpu::combineRows({deviceFloats.data(), count, count}, 0, size.columns, y.data(),
                             nullptr, stream);
        },
        stream, options.repeats);
    return {{"rows", size.rows},
            {"columns", size.columns},
            {"bits_per_value",
             8 * bytes / static_cast<double>(size.rows) / static_cast<double>(size.columns)},
            {"device", rate(bytes, alone)},
            {"share_of_read", bytes / alone.fastest / limits.readBytesPerSecond},
            {"with_indicator", rate(bytes, both)},
            {"share_of_read_with_indicator", bytes / both.fastest / limits.readBytesPerSecond},
            {"float32_seconds", asFloats.median},
            {"speedup", asFloats.median / alone.median},
            {"error", error}};
}

} // namespace

json benchCudaQuantised(const CudaSparseOptions &options, const gpu::DeviceLimits &limits)
{
    const gpu::OnGpu scope(gpu::requireGpu(options.context));
    json results = json::array();
    for (const auto &size : {Size{60, 5'000'000}, Size{60, 200'000}}) {
        std::mt19937 random(7);
        std::vector<QuantisedRow> rows;
        for (std::size_t r = 0; r < size.rows; ++r)
            rows.push_back(modeLike(random, r, size));
        results.push_back(measured(options, limits, size, rows));
    }
    return results;
}

} // namespace gridhelm::bench
