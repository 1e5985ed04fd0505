// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/cuda_quantised_evaluator.h"

#include "gpu/sparse/combined_values.h"
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

using codec::groupValues;
using codec::QuantisedRows;
using sparse::SparseWeights;

class CudaQuantisedEvaluator final : public OnGpuEvaluator
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
        linalg::requireFitting<float>(weights, m_matrix.shape(), firstColumn, y, indicator);
        if (y.empty())
            return {};
        const std::lock_guard lock(m_mutex);
        const OnGpu scope(m_gpu);
        const auto combination = upload(weights);
        m_results.reserve(y.size(), !indicator.empty());
        // In pieces, so that one goes to the CPU while the next is combined.
        Readback readback(m_route);
        const auto piece = combinedAtOnce(y.size(), groupValues);
        for (std::size_t begin = 0, end; begin < y.size(); begin = end) {
            const auto groupEnd = (firstColumn + begin) / groupValues * groupValues + piece;
            end = std::min(groupEnd - firstColumn, y.size());
            combineQuantised(combination, firstColumn + begin, end - begin, m_results.y(begin),
                             m_results.indicator(begin), m_stream);
            m_results.deliver(readback, begin, partOf(y, sparse::Share{begin, end}),
                              partOf(indicator, sparse::Share{begin, end}), m_stream);
        }
        readback.finish();
        return ComputedOn::gpu(m_gpu.index);
    }

    void combine(const SparseWeights &weights, const ValuesOnGpu &to,
                 std::size_t first) const override
    {
        const auto columns = m_matrix.shape().columns;
        float *const y = requireRoom(to, first, columns, m_gpu);
        linalg::requireFitting<float>(weights, m_matrix.shape(), 0, {y, columns}, {});
        const std::lock_guard lock(m_mutex);
        const OnGpu scope(m_gpu);
        const auto combination = upload(weights);
        m_results.reserve(columns, false);
        combineQuantised(combination, 0, columns, m_results.y(), nullptr, m_stream);
        m_results.copyThere(y, columns, m_stream);
        m_stream.wait("combine rows");
    }

    ComputedOn combineColumns(const SparseWeights &weights, std::span<const std::uint32_t> columns,
                              std::span<float> y, std::span<float> indicator) const override
    {
        linalg::requireFitting<float>(weights, m_matrix.shape(), columns, y, indicator);
        if (columns.empty())
            return {};
        const std::lock_guard lock(m_mutex);
        const OnGpu scope(m_gpu);
        const auto combination = upload(weights);
        m_results.reserve(columns.size(), !indicator.empty());
        combineQuantisedColumns(combination, m_results.upload(columns, m_stream), columns.size(),
                                m_results.y(), m_results.indicator(), m_stream);
        Readback readback(m_route);
        m_results.deliver(readback, 0, y, indicator, m_stream);
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

    GpuDevice m_gpu;
    QuantisedRows m_matrix;

    mutable std::mutex m_mutex; ///< of everything below
    mutable std::vector<std::unique_ptr<const DeviceQuantisedRow>> m_there;
    mutable PinnedBuffer<WeightedQuantisedRow> m_stagedRows;
    mutable DeviceBuffer<WeightedQuantisedRow> m_rows;
    mutable CombinedValues m_results;
    mutable Stream m_stream;
    mutable ReadbackRoute m_route;
};

} // namespace

std::unique_ptr<OnGpuEvaluator>
makeCudaQuantisedEvaluator(const QuantisedRows &matrix, const GpuDevice &gpu, const CpuDevice &host)
{
    const OnGpu scope(gpu);
    return std::make_unique<CudaQuantisedEvaluator>(matrix, gpu, host);
}

} // namespace gridhelm::gpu
