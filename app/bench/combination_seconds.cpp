// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compiled with CUDA only.
#include "app/bench/device_measure.h"
#include "app/bench/gpu_frames.h"
#include "gpu/sparse/device_quantised_row.h"
#include "gpu/sparse/quantised_combination.h"
#include "gpu/sparse/row_combination.h"
#include "gpu/support/buffer.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/require_gpu.h"
#include "gpu/support/stream.h"

#include <map>
#include <memory>
#include <span>
#include <vector>

namespace gridhelm::bench {
namespace {

/// Columns of a row of floats, which begins at a cache line.
std::size_t lineColumns(std::size_t columns)
{
    return (columns + 31) / 32 * 32;
}

/// A row of either form in the GPU's memory.
struct ThereRow
{
    std::unique_ptr<gpu::DeviceBuffer<float>> floats{};
    std::unique_ptr<gpu::DeviceQuantisedRow> codes{};
};

ThereRow broughtThere(const CombinedRows &rows, std::uint64_t row)
{
    ThereRow there;
    if (rows.areInFewBits()) {
        there.codes = std::make_unique<gpu::DeviceQuantisedRow>(rows.codes.rows[row]);
        return there;
    }
    const auto columns = rows.floats.columns;
    there.floats = std::make_unique<gpu::DeviceBuffer<float>>(lineColumns(columns));
    gpu::check(cudaMemset(there.floats->data(), 0, there.floats->bytes()), "clear its memory");
    gpu::check(cudaMemcpy(there.floats->data(), rows.floats.row(row), columns * sizeof(float),
                          cudaMemcpyHostToDevice),
               "take coefficients");
    return there;
}

} // namespace

Timing secondsOfCombination(const CombinedRows &rows, const std::vector<SparseWeights> &weights,
                            const ExecutionContext &context, int repeats)
{
    const gpu::OnGpu scope(gpu::requireGpu(context));
    const gpu::Stream stream;
    std::map<std::uint64_t, ThereRow> there;
    for (const auto &of : weights)
        for (const auto row : of.rows)
            if (!there.contains(row))
                there.emplace(row, broughtThere(rows, row));

    std::vector<gpu::DeviceBuffer<gpu::WeightedQuantisedRow>> coded;
    std::vector<gpu::DeviceBuffer<gpu::WeightedRow>> plain;
    for (const auto &of : weights) {
        std::vector<gpu::WeightedQuantisedRow> codedList;
        std::vector<gpu::WeightedRow> plainList;
        for (std::size_t i = 0; i < of.rows.size(); ++i) {
            const auto &row = there.at(of.rows[i]);
            if (row.codes)
                codedList.push_back(row.codes->weighted(of.weights[i], 0));
            else
                plainList.push_back({row.floats->data(), static_cast<float>(of.weights[i]), 0});
        }
        coded.emplace_back(std::span<const gpu::WeightedQuantisedRow>(codedList));
        plain.emplace_back(std::span<const gpu::WeightedRow>(plainList));
    }
    const auto columns = rows.areInFewBits() ? rows.codes.columns : rows.floats.columns;
    const gpu::DeviceBuffer<float> y(lineColumns(columns));
    std::size_t next = 0;
    return timeOnDevice(
        [&] {
            const auto place = next++ % weights.size();
            const auto count = static_cast<std::uint32_t>(weights[place].rows.size());
            if (rows.areInFewBits())
                gpu::combineQuantised({coded[place].data(), count, count, false}, 0, columns,
                                      y.data(), nullptr, stream);
            else
                gpu::combineRows({plain[place].data(), count, count}, 0, columns, y.data(), nullptr,
                                 stream);
        },
        stream, repeats);
}

} // namespace gridhelm::bench
