// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/cuda_vector_evaluator.h"

#include "gpu/sparse/combined_values.h"
#include "gpu/sparse/row_combination.h"
#include "gpu/support/buffer.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/readback.h"
#include "gpu/support/stream.h"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

namespace gridhelm::gpu {

namespace {

using linalg::MatrixView;
using sparse::SparseWeights;

/// Rows begin at cache lines of the device.
constexpr std::size_t lineColumns = 32;

std::size_t roundUp(std::size_t columns)
{
    return (columns + lineColumns - 1) / lineColumns * lineColumns;
}

class CudaVectorEvaluator final : public OnGpuEvaluator
{
public:
    /// Made while the GPU is current.
    CudaVectorEvaluator(MatrixView<const float> matrix, const GpuDevice &gpu,
                        const ExecutionContext &context)
        : m_gpu(gpu)
        , m_matrix(matrix)
        , m_stride(roundUp(matrix.columns))
        , m_launch(context.tuning(), matrix.columns)
        , m_route{context.cpu()}
    {
        linalg::requireFitting<float>({}, matrix, 0, {}, {});
        m_device = DeviceBuffer<float>(matrix.rows * m_stride);
        // Rows are read in whole quads; what is beyond their end goes nowhere, but is a number.
        const auto columns = matrix.columns;
        if (m_stride > columns)
            check(cudaMemset2DAsync(m_device.data() + columns, m_stride * sizeof(float), 0,
                                    (m_stride - columns) * sizeof(float), matrix.rows, m_stream),
                  "clear the ends of rows");
        m_isOnDevice.assign(matrix.rows, false);
    }

    ComputedOn combine(const SparseWeights &weights, std::size_t firstColumn, std::span<float> y,
                       std::span<float> indicator) const override
    {
        linalg::requireFitting<float>(weights, m_matrix, firstColumn, y, indicator);
        if (y.empty())
            return {};
        const std::lock_guard lock(m_mutex);
        const OnGpu scope(m_gpu);
        // Groups of four columns from a multiple of four on.
        const auto skipped = firstColumn % 4;
        const auto columns = y.size() + skipped;
        const auto combination = upload(weights);
        m_results.reserve(roundUp(columns), !indicator.empty());
        // In pieces, so that one goes to the CPU while the next is combined.
        Readback readback(m_route);
        const auto piece = combinedAtOnce(columns, lineColumns);
        for (std::size_t begin = 0; begin < columns; begin += piece) {
            const auto count = std::min(piece, columns - begin);
            combineRows(combination, firstColumn - skipped + begin, count, m_results.y(begin),
                        m_results.indicator(begin), m_stream, m_launch);
            const auto first = begin == 0 ? skipped : 0;
            const sparse::Share share{begin + first - skipped, begin + count - skipped};
            m_results.deliver(readback, begin + first, partOf(y, share), partOf(indicator, share),
                              m_stream);
        }
        readback.finish();
        return ComputedOn::gpu(m_gpu.index);
    }

    void combine(const SparseWeights &weights, const ValuesOnGpu &to,
                 std::size_t first) const override
    {
        const auto columns = m_matrix.columns;
        float *const y = requireRoom(to, first, columns, m_gpu);
        linalg::requireFitting<float>(weights, m_matrix, 0, {y, columns}, {});
        const std::lock_guard lock(m_mutex);
        const OnGpu scope(m_gpu);
        const auto combination = upload(weights);
        m_results.reserve(roundUp(columns), false);
        combineRows(combination, 0, columns, m_results.y(), nullptr, m_stream, m_launch);
        m_results.copyThere(y, columns, m_stream);
        m_stream.wait("combine rows");
    }

    ComputedOn combineColumns(const SparseWeights &weights, std::span<const std::uint32_t> columns,
                              std::span<float> y, std::span<float> indicator) const override
    {
        linalg::requireFitting<float>(weights, m_matrix, columns, y, indicator);
        if (columns.empty())
            return {};
        const std::lock_guard lock(m_mutex);
        const OnGpu scope(m_gpu);
        const auto combination = upload(weights);
        m_results.reserve(columns.size(), !indicator.empty());
        gpu::combineColumns(combination, m_results.upload(columns, m_stream), columns.size(),
                            m_results.y(), m_results.indicator(), m_stream);
        Readback readback(m_route);
        m_results.deliver(readback, 0, y, indicator, m_stream);
        readback.finish();
        return ComputedOn::gpu(m_gpu.index);
    }

private:
    /// Rows that are not there yet, and the weights.
    RowCombination upload(const SparseWeights &weights) const
    {
        const auto count = weights.rows.size();
        m_stagedRows.reserve(count);
        m_rows.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            const auto row = static_cast<std::size_t>(weights.rows[i]);
            float *const target = m_device.data() + row * m_stride;
            if (!m_isOnDevice[row]) {
                check(cudaMemcpyAsync(target, m_matrix.row(row), m_matrix.columns * sizeof(float),
                                      cudaMemcpyHostToDevice, m_stream),
                      "take coefficients");
                m_isOnDevice[row] = true;
            }
            m_stagedRows.data()[i] = {target, static_cast<float>(weights.weights[i]), 0};
        }
        if (count > 0)
            check(cudaMemcpyAsync(m_rows.data(), m_stagedRows.data(), count * sizeof(WeightedRow),
                                  cudaMemcpyHostToDevice, m_stream),
                  "take weights");
        return {m_rows.data(), static_cast<std::uint32_t>(count),
                static_cast<std::uint32_t>(weights.lastGroupBegin)};
    }

    GpuDevice m_gpu;
    MatrixView<const float> m_matrix;
    std::size_t m_stride = 0;
    RowLaunch m_launch;
    DeviceBuffer<float> m_device;

    mutable std::mutex m_mutex; ///< of everything below
    mutable std::vector<bool> m_isOnDevice;
    mutable PinnedBuffer<WeightedRow> m_stagedRows;
    mutable DeviceBuffer<WeightedRow> m_rows;
    mutable CombinedValues m_results;
    mutable Stream m_stream;
    mutable ReadbackRoute m_route;
};

} // namespace

std::size_t columnsThatFit(const MatrixView<const float> &matrix)
{
    if (matrix.rows == 0)
        return matrix.columns;
    const auto bytesPerColumn = (matrix.rows + 3) * sizeof(float); // results, a list
    const auto reserve = matrix.rows * sizeof(WeightedRow) + (std::size_t{1} << 16);
    const auto free = freeDeviceBytes();
    const auto fitting = free > reserve ? (free - reserve) / bytesPerColumn : 0;
    return roundUp(matrix.columns) <= fitting ? matrix.columns
                                              : fitting / lineColumns * lineColumns;
}

std::unique_ptr<OnGpuEvaluator> makeCudaVectorEvaluator(MatrixView<const float> matrix,
                                                        const GpuDevice &gpu,
                                                        const ExecutionContext &context)
{
    const OnGpu scope(gpu);
    return std::make_unique<CudaVectorEvaluator>(matrix, gpu, context);
}

} // namespace gridhelm::gpu
