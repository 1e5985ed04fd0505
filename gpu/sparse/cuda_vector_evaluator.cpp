// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/cuda_vector_evaluator.h"

#include "core/support/bytes_text.h"
#include "gpu/sparse/row_combination.h"
#include "gpu/support/buffer.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/readback.h"
#include "gpu/support/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

namespace gridhelm::gpu {

namespace {

using sparse::MatrixView;
using sparse::SparseWeights;

/// Rows begin at cache lines of the device.
constexpr std::size_t lineColumns = 32;

std::size_t roundUp(std::size_t columns)
{
    return (columns + lineColumns - 1) / lineColumns * lineColumns;
}

/// Columns of the matrix that the device takes: all, or as many as fit beside what an evaluation
/// needs.
std::size_t columnsThatFit(const MatrixView<const float> &matrix)
{
    if (matrix.rows == 0)
        return matrix.columns;
    const auto bytesPerColumn = (matrix.rows + 2) * sizeof(float); // and the results
    const auto reserve = matrix.rows * sizeof(WeightedRow) + (std::size_t{1} << 16);
    const auto free = freeDeviceBytes();
    const auto fitting = free > reserve ? (free - reserve) / bytesPerColumn : 0;
    return roundUp(matrix.columns) <= fitting ? matrix.columns
                                              : fitting / lineColumns * lineColumns;
}

class CudaVectorEvaluator final : public sparse::VectorEvaluator
{
public:
    /// Made while the GPU is current.
    CudaVectorEvaluator(MatrixView<const float> matrix, const GpuDevice &gpu,
                        const ExecutionContext &context)
        : m_gpu(gpu)
        , m_cpu(context.cpu())
        , m_matrix(matrix)
        , m_route{context.cpu()}
    {
        sparse::requireFitting<float>({}, matrix, 0, {}, {});
        m_columns = std::min(columnsThatFit(matrix), matrix.columns);
        if (m_columns < matrix.columns)
            shareWithCpu(context);
        m_stride = roundUp(m_columns);
        m_device = DeviceBuffer<float>(matrix.rows * m_stride);
        // Rows are read in whole quads; what is beyond their end goes nowhere, but is a number.
        if (m_stride > m_columns)
            check(cudaMemset2DAsync(m_device.data() + m_columns, m_stride * sizeof(float), 0,
                                    (m_stride - m_columns) * sizeof(float), matrix.rows, m_stream),
                  "clear the ends of rows");
        m_isOnDevice.assign(matrix.rows, false);
    }

    ComputedOn combine(const SparseWeights &weights, std::size_t firstColumn, std::span<float> y,
                       std::span<float> indicator) const override
    {
        sparse::requireFitting<float>(weights, m_matrix, firstColumn, y, indicator);
        const std::lock_guard lock(m_mutex);
        const OnGpu scope(m_gpu);
        ComputedOn where;
        const auto end = std::min(firstColumn + y.size(), std::max(firstColumn, m_columns));
        const auto count = end - firstColumn; // on the device
        Readback readback(m_route);
        if (count > 0) {
            // Groups of four columns from a multiple of four on.
            const auto skipped = firstColumn % 4;
            const auto combination = upload(weights);
            reserveResults(roundUp(count + skipped), !indicator.empty());
            combineRows(combination, firstColumn - skipped, count + skipped, m_y.data(),
                        indicator.empty() ? nullptr : m_indicator.data(), m_stream);
            addResults(readback, skipped, y.first(count),
                       indicator.empty() ? indicator : indicator.first(count));
            where |= ComputedOn::gpu(m_gpu.index);
        }
        if (count < y.size()) {
            sparse::combine<float>(weights, m_matrix, end, y.subspan(count),
                                   indicator.empty() ? indicator : indicator.subspan(count), m_cpu);
            where |= ComputedOn::cpu();
        }
        readback.finish();
        return where;
    }

    ComputedOn combineColumns(const SparseWeights &weights, std::span<const std::uint32_t> columns,
                              std::span<float> y, std::span<float> indicator) const override
    {
        sparse::requireFitting<float>(weights, m_matrix, columns, y, indicator);
        if (std::ranges::any_of(columns, [&](auto column) { return column >= m_columns; })) {
            sparse::combineColumns<float>(weights, m_matrix, columns, y, indicator, m_cpu);
            return ComputedOn::cpu();
        }
        if (columns.empty())
            return {};
        const std::lock_guard lock(m_mutex);
        const OnGpu scope(m_gpu);
        const auto combination = upload(weights);
        reserveResults(columns.size(), !indicator.empty());
        m_list.reserve(columns.size());
        check(cudaMemcpyAsync(m_list.data(), columns.data(), columns.size_bytes(),
                              cudaMemcpyHostToDevice, m_stream),
              "take a list of columns");
        gpu::combineColumns(combination, m_list.data(), columns.size(), m_y.data(),
                            indicator.empty() ? nullptr : m_indicator.data(), m_stream);
        Readback readback(m_route);
        addResults(readback, 0, y, indicator);
        readback.finish();
        return ComputedOn::gpu(m_gpu.index);
    }

private:
    /// The columns that do not fit are the CPU's, if that is allowed.
    void shareWithCpu(const ExecutionContext &context) const
    {
        const double share = static_cast<double>(m_columns) / static_cast<double>(m_matrix.columns);
        const auto problem = fmt::format(
            "the GPU's memory holds {:.0f} % of the {} of coefficients", 100 * share,
            memoryText(static_cast<double>(m_matrix.rows * m_matrix.columns * sizeof(float))));
        if (context.fallback() == FallbackPolicy::forbidden)
            throw BackendError(problem
                               + "; close other programs that use it, or choose the back "
                                 "end omp");
        context.report({ExecutionEvent::Kind::fallback, problem + ", the CPU evaluates the rest"});
    }

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
                check(cudaMemcpyAsync(target, m_matrix.row(row), m_columns * sizeof(float),
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

    void reserveResults(std::size_t count, bool withIndicator) const
    {
        m_y.reserve(count);
        if (withIndicator)
            m_indicator.reserve(count);
    }

    void addResults(Readback &readback, std::size_t first, std::span<float> y,
                    std::span<float> indicator) const
    {
        readback.add(m_y.data() + first, y.data(), y.size_bytes(), m_stream);
        if (!indicator.empty())
            readback.add(m_indicator.data() + first, indicator.data(), indicator.size_bytes(),
                         m_stream);
    }

    GpuDevice m_gpu;
    CpuDevice m_cpu;
    MatrixView<const float> m_matrix;
    std::size_t m_columns = 0; ///< the first ones, on the device
    std::size_t m_stride = 0;
    DeviceBuffer<float> m_device;

    mutable std::mutex m_mutex; ///< of everything below
    mutable std::vector<bool> m_isOnDevice;
    mutable PinnedBuffer<WeightedRow> m_stagedRows;
    mutable DeviceBuffer<WeightedRow> m_rows;
    mutable DeviceBuffer<std::uint32_t> m_list;
    mutable DeviceBuffer<float> m_y, m_indicator;
    mutable Stream m_stream;
    mutable ReadbackRoute m_route;
};

} // namespace

std::unique_ptr<sparse::VectorEvaluator> makeCudaVectorEvaluator(MatrixView<const float> matrix,
                                                                 const GpuDevice &gpu,
                                                                 const ExecutionContext &context)
{
    const OnGpu scope(gpu);
    return std::make_unique<CudaVectorEvaluator>(matrix, gpu, context);
}

} // namespace gridhelm::gpu
