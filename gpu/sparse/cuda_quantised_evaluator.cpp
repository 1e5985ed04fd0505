// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/cuda_quantised_evaluator.h"

#include "gpu/sparse/device_quantised_row.h"
#include "gpu/sparse/quantised_combination.h"
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

using sparse::groupValues;
using sparse::QuantisedRows;
using sparse::SparseWeights;

/// Whole groups, of those that are combined: few enough that most of them are on their way while
/// the last ones are combined, and enough to fill the device.
std::size_t pieceOf(std::size_t columns)
{
    constexpr std::size_t pieces = 8, smallest = std::size_t{1} << 18;
    const auto piece = std::max((columns + pieces - 1) / pieces, smallest);
    return (piece + groupValues - 1) / groupValues * groupValues;
}

class CudaQuantisedEvaluator final : public sparse::VectorEvaluator
{
public:
    /// Made while the GPU is current.
    CudaQuantisedEvaluator(const QuantisedRows &matrix, const GpuDevice &gpu, const CpuDevice &host)
        : m_gpu(gpu)
        , m_matrix(matrix)
        , m_there(matrix.rows.size())
        , m_route{host}
    {
    }

    ComputedOn combine(const SparseWeights &weights, std::size_t firstColumn, std::span<float> y,
                       std::span<float> indicator) const override
    {
        sparse::requireFitting<float>(weights, m_matrix.shape(), firstColumn, y, indicator);
        if (y.empty())
            return {};
        const std::lock_guard lock(m_mutex);
        const OnGpu scope(m_gpu);
        const auto combination = upload(weights);
        reserveResults(y.size(), !indicator.empty());
        // In pieces, so that one goes to the CPU while the next is combined.
        Readback readback(m_route);
        const auto piece = pieceOf(y.size());
        for (std::size_t begin = 0, end; begin < y.size(); begin = end) {
            const auto groupEnd = (firstColumn + begin) / groupValues * groupValues + piece;
            end = std::min(groupEnd - firstColumn, y.size());
            combineQuantised(combination, firstColumn + begin, end - begin, m_y.data() + begin,
                             indicator.empty() ? nullptr : m_indicator.data() + begin, m_stream);
            addResults(readback, begin, partOf(y, sparse::Share{begin, end}),
                       partOf(indicator, sparse::Share{begin, end}));
        }
        readback.finish();
        return ComputedOn::gpu(m_gpu.index);
    }

    ComputedOn combineColumns(const SparseWeights &weights, std::span<const std::uint32_t> columns,
                              std::span<float> y, std::span<float> indicator) const override
    {
        sparse::requireFitting<float>(weights, m_matrix.shape(), columns, y, indicator);
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
        combineQuantisedColumns(combination, m_list.data(), columns.size(), m_y.data(),
                                indicator.empty() ? nullptr : m_indicator.data(), m_stream);
        Readback readback(m_route);
        addResults(readback, 0, y, indicator);
        readback.finish();
        return ComputedOn::gpu(m_gpu.index);
    }

private:
    const DeviceQuantisedRow &there(std::size_t row) const
    {
        auto &found = m_there[row];
        if (!found)
            found = std::make_unique<const DeviceQuantisedRow>(m_matrix.rows[row]);
        return *found;
    }

    /// Rows that are not there yet, and the weights.
    QuantisedCombination upload(const SparseWeights &weights) const
    {
        QuantisedCombination combination;
        combination.isTwice = namesRowsTwice(weights);
        const auto count = combination.isTwice ? weights.lastGroupBegin : weights.rows.size();
        m_stagedRows.reserve(count);
        m_rows.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            const auto index = static_cast<std::size_t>(weights.rows[i]);
            m_stagedRows.data()[i] = there(index).weighted(
                weights.weights[i], combination.isTwice ? weights.weights[count + i] : 0);
        }
        if (count > 0)
            check(cudaMemcpyAsync(m_rows.data(), m_stagedRows.data(),
                                  count * sizeof(WeightedQuantisedRow), cudaMemcpyHostToDevice,
                                  m_stream),
                  "take weights");
        combination.rows = m_rows.data();
        combination.count = static_cast<std::uint32_t>(count);
        combination.lastGroupBegin = static_cast<std::uint32_t>(weights.lastGroupBegin);
        return combination;
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
    QuantisedRows m_matrix;

    mutable std::mutex m_mutex; ///< of everything below
    mutable std::vector<std::unique_ptr<const DeviceQuantisedRow>> m_there;
    mutable PinnedBuffer<WeightedQuantisedRow> m_stagedRows;
    mutable DeviceBuffer<WeightedQuantisedRow> m_rows;
    mutable DeviceBuffer<std::uint32_t> m_list;
    mutable DeviceBuffer<float> m_y, m_indicator;
    mutable Stream m_stream;
    mutable ReadbackRoute m_route;
};

} // namespace

std::unique_ptr<sparse::VectorEvaluator>
makeCudaQuantisedEvaluator(const QuantisedRows &matrix, const GpuDevice &gpu, const CpuDevice &host)
{
    const OnGpu scope(gpu);
    return std::make_unique<CudaQuantisedEvaluator>(matrix, gpu, host);
}

} // namespace gridhelm::gpu
