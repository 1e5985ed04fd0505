// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/cuda_vector_evaluator.h"

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

using sparse::MatrixView;
using sparse::SparseWeights;

/// Rows begin at cache lines of the device.
constexpr std::size_t lineColumns = 32;

std::size_t roundUp(std::size_t columns)
{
    return (columns + lineColumns - 1) / lineColumns * lineColumns;
}

/// Columns, a multiple of lineColumns, of those that are combined: few enough that most of them are
/// on their way while the last ones are combined, and enough to fill the device.
std::size_t pieceOf(std::size_t columns)
{
    constexpr std::size_t pieces = 8, smallest = std::size_t{1} << 18;
    const auto piece = std::max((columns + pieces - 1) / pieces, smallest);
    return roundUp(piece);
}

class CudaVectorEvaluator final : public sparse::VectorEvaluator
{
public:
    /// Made while the GPU is current.
    CudaVectorEvaluator(MatrixView<const float> matrix, const GpuDevice &gpu, const CpuDevice &host)
        : m_gpu(gpu)
        , m_matrix(matrix)
        , m_stride(roundUp(matrix.columns))
        , m_route{host}
    {
        sparse::requireFitting<float>({}, matrix, 0, {}, {});
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
        sparse::requireFitting<float>(weights, m_matrix, firstColumn, y, indicator);
        if (y.empty())
            return {};
        const std::lock_guard lock(m_mutex);
        const OnGpu scope(m_gpu);
        // Groups of four columns from a multiple of four on.
        const auto skipped = firstColumn % 4;
        const auto columns = y.size() + skipped;
        const auto combination = upload(weights);
        reserveResults(roundUp(columns), !indicator.empty());
        // In pieces, so that one goes to the CPU while the next is combined.
        Readback readback(m_route);
        const auto piece = pieceOf(columns);
        for (std::size_t begin = 0; begin < columns; begin += piece) {
            const auto count = std::min(piece, columns - begin);
            combineRows(combination, firstColumn - skipped + begin, count, m_y.data() + begin,
                        indicator.empty() ? nullptr : m_indicator.data() + begin, m_stream);
            const auto first = begin == 0 ? skipped : 0;
            const sparse::Share share{begin + first - skipped, begin + count - skipped};
            addResults(readback, begin + first, partOf(y, share), partOf(indicator, share));
        }
        readback.finish();
        return ComputedOn::gpu(m_gpu.index);
    }

    ComputedOn combineColumns(const SparseWeights &weights, std::span<const std::uint32_t> columns,
                              std::span<float> y, std::span<float> indicator) const override
    {
        sparse::requireFitting<float>(weights, m_matrix, columns, y, indicator);
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
    MatrixView<const float> m_matrix;
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

std::unique_ptr<sparse::VectorEvaluator>
makeCudaVectorEvaluator(MatrixView<const float> matrix, const GpuDevice &gpu, const CpuDevice &host)
{
    const OnGpu scope(gpu);
    return std::make_unique<CudaVectorEvaluator>(matrix, gpu, host);
}

} // namespace gridhelm::gpu
