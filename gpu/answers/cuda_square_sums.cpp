// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/answers/cuda_square_sums.h"

#include "gpu/answers/square_sums.h"
#include "gpu/support/buffer.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/require_gpu.h"
#include "gpu/support/stream.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace gridhelm::gpu {
namespace {

/// Weights and signs of all passes, on the GPU.
class LoadedPasses
{
public:
    explicit LoadedPasses(const answers::SquareSums &sums)
    {
        std::vector<float> weights, signs;
        std::vector<std::uint32_t> begins;
        addPass(sums, 0, 1, 0, weights, signs);
        for (std::size_t s = 0; s < sums.sums(); ++s) {
            begins.push_back(static_cast<std::uint32_t>(signs.size() / squaresTogether));
            const auto end = sums.begins[s + 1];
            const auto positive = sums.begins[s] + sums.negative[s];
            for (auto i = sums.begins[s]; i < end; i += squaresTogether)
                addPass(sums, i, std::min<std::size_t>(i + squaresTogether, end), positive, weights,
                        signs);
        }
        begins.push_back(static_cast<std::uint32_t>(signs.size() / squaresTogether));
        m_weights = DeviceBuffer<float>(std::span<const float>(weights));
        m_signs = DeviceBuffer<float>(std::span<const float>(signs));
        m_begins = DeviceBuffer<std::uint32_t>(std::span<const std::uint32_t>(begins));
        m_passes = {m_weights.data(), m_signs.data(), m_begins.data(),
                    static_cast<std::uint32_t>(sums.rows), static_cast<std::uint32_t>(sums.sums())};
    }

    const SquarePasses &passes() const { return m_passes; }

private:
    /// Of combinations begin to end - 1; those before `positive` are taken away.
    static void addPass(const answers::SquareSums &sums, std::size_t begin, std::size_t end,
                        std::size_t positive, std::vector<float> &weights,
                        std::vector<float> &signs)
    {
        const auto at = weights.size();
        weights.resize(at + sums.rows * squaresTogether);
        for (std::size_t b = 0; b < sums.rows; ++b)
            for (auto i = begin; i < end; ++i)
                weights[at + b * squaresTogether + (i - begin)] = sums.weights[i * sums.rows + b];
        for (std::size_t i = begin; i < begin + squaresTogether; ++i)
            signs.push_back(i < positive ? -1.0F : 1.0F);
    }

    DeviceBuffer<float> m_weights, m_signs;
    DeviceBuffer<std::uint32_t> m_begins;
    SquarePasses m_passes;
};

std::size_t paddedColumns(std::size_t columns)
{
    return (columns + squareColumns - 1) / squareColumns * squareColumns;
}

/// Columns that are taken together: while one lot is computed, the other one travels.
class Lot
{
public:
    Lot(const answers::SquareSums &sums, std::size_t columns)
        : m_columns(columns)
        , m_matrix(sums.rows * columns)
        , m_out((sums.sums() + 1) * columns)
    {
    }

    void begin(const SquarePasses &passes, linalg::MatrixView<const float> matrix,
               std::size_t first)
    {
        m_first = first;
        m_count = std::min(m_columns, matrix.columns - first);
        const auto padded = paddedColumns(m_count);
        for (std::uint32_t b = 0; b < passes.rows; ++b) {
            float *const row = m_matrix.data() + b * padded;
            check(cudaMemcpyAsync(row, matrix.row(b) + first, m_count * sizeof(float),
                                  cudaMemcpyHostToDevice, m_stream),
                  "take data");
            if (padded > m_count)
                check(
                    cudaMemsetAsync(row + m_count, 0, (padded - m_count) * sizeof(float), m_stream),
                    "clear its memory");
        }
        sumSquares(passes, m_matrix.data(), padded, m_out.data(), m_stream);
    }

    /// Without effect if nothing was begun.
    void finish(const answers::SquareSumsOutput &out)
    {
        if (m_count == 0)
            return;
        const auto padded = paddedColumns(m_count);
        const auto fetch = [&](std::size_t row, std::span<float> to) {
            check(cudaMemcpyAsync(to.data() + m_first, m_out.data() + row * padded,
                                  m_count * sizeof(float), cudaMemcpyDeviceToHost, m_stream),
                  "give data");
        };
        fetch(0, out.first);
        for (std::size_t s = 0; s < out.sums.size(); ++s)
            fetch(1 + s, out.sums[s]);
        m_stream.wait("sum squares");
        m_count = 0;
    }

private:
    std::size_t m_columns;
    DeviceBuffer<float> m_matrix, m_out;
    Stream m_stream;
    std::size_t m_first = 0, m_count = 0;
};

/// So many columns that two lots take at most a half of the memory that is free.
std::size_t columnsOfLot(const answers::SquareSums &sums, std::size_t columns)
{
    constexpr std::size_t most = std::size_t{1} << 18;
    const std::size_t bytesOfColumn = sizeof(float) * (sums.rows + sums.sums() + 1);
    requireDeviceMemory(2 * squareColumns * bytesOfColumn, "maps");
    const auto fitting = freeDeviceBytes() / 4 / bytesOfColumn / squareColumns * squareColumns;
    return std::clamp(std::min(fitting, paddedColumns(columns)), squareColumns, most);
}

} // namespace

ComputedOn sumSquares(const answers::SquareSums &sums, linalg::MatrixView<const float> matrix,
                      const answers::SquareSumsOutput &out, const ExecutionContext &context)
{
    answers::requireFitting(sums, matrix, out);
    const auto &gpu = requireGpu(context);
    const OnGpu onGpu(gpu);
    const LoadedPasses loaded(sums);
    const auto columns = columnsOfLot(sums, matrix.columns);
    std::vector<Lot> lots;
    for (std::size_t i = 0; i < 2 && i * columns < matrix.columns; ++i)
        lots.emplace_back(sums, columns);
    std::size_t next = 0;
    for (std::size_t first = 0; first < matrix.columns; first += columns, ++next) {
        auto &lot = lots[next % lots.size()];
        lot.finish(out);
        lot.begin(loaded.passes(), matrix, first);
    }
    for (auto &lot : lots)
        lot.finish(out);
    return ComputedOn::gpu(gpu.index);
}

} // namespace gridhelm::gpu
