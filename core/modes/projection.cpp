// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/parallel_for.h"
#include "core/modes/block_pass.h"
#include "core/modes/modes.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace gridhelm::modes {

namespace {

constexpr auto panelSize = panelWidth * stripColumns;

/// Inner products of rows with modes, of modes with modes, and of each row with itself.
class Products
{
public:
    Products(std::size_t rows, std::size_t modes, const CpuDevice &cpu)
        : m_rows(rows)
        , m_modes(modes)
        , m_cpu(cpu)
        , m_rowPanels(panelsFor(rows))
        , m_modePanels(panelsFor(modes))
        , m_stride(m_modePanels * panelWidth)
        , m_packedModes(m_modePanels * panelSize)
        , m_ofRows(m_rowPanels * panelWidth * m_stride, 0.0)
        , m_ofModes(m_stride * m_stride, 0.0)
        , m_squares(m_rowPanels * panelWidth, 0.0)
    {
    }

    void add(MatrixView<const float> rows, MatrixView<const float> modes, const Strip &strip,
             std::span<const double> roots)
    {
        parallelFor(m_modePanels, m_cpu, 1, [&](std::size_t p) {
            packColumns(modes, strip, p * panelWidth, roots, m_packedModes.data() + p * panelSize);
        });
        parallelFor(m_rowPanels + m_modePanels, m_cpu, 1, [&](std::size_t task) {
            if (task >= m_rowPanels) {
                const auto p = task - m_rowPanels;
                multiplyByModes(m_packedModes.data() + p * panelSize, strip.size(),
                                m_ofModes.data() + p * panelWidth * m_stride);
                return;
            }
            static thread_local std::vector<double> packed;
            packed.resize(panelSize);
            packColumns(rows, strip, task * panelWidth, roots, packed.data());
            multiplyByModes(packed.data(), strip.size(),
                            m_ofRows.data() + task * panelWidth * m_stride);
            addSquares(packed.data(), strip.size(), m_squares.data() + task * panelWidth);
        });
    }

    Projection result() const
    {
        // Round-off of the difference of squares, and of modes that are orthonormal in single
        // precision only.
        constexpr double known = 1e-7;
        Projection projection;
        for (std::size_t i = 0; i < m_rows; ++i) {
            const double *of = m_ofRows.data() + i * m_stride;
            projection.coefficients.insert(projection.coefficients.end(), of, of + m_modes);
            double square = m_squares[i];
            for (std::size_t m = 0; m < m_modes; ++m) {
                double ofMode = -2 * of[m];
                for (std::size_t n = 0; n < m_modes; ++n)
                    ofMode += m_ofModes[m * m_stride + n] * of[n];
                square += of[m] * ofMode;
            }
            projection.norms.push_back(std::sqrt(m_squares[i]));
            projection.residuals.push_back(std::sqrt(std::max(square, 0.0))
                                           + known * projection.norms.back());
        }
        return projection;
    }

private:
    void multiplyByModes(const double *panel, std::size_t depth, double *to)
    {
        for (std::size_t p = 0; p < m_modePanels; ++p)
            multiplyPanels(panel, m_packedModes.data() + p * panelSize, depth, to + p * panelWidth,
                           m_stride);
    }

    static void addSquares(const double *panel, std::size_t depth, double *to)
    {
        std::array<double, panelWidth> sums{};
        for (std::size_t k = 0; k < depth; ++k)
            for (std::size_t i = 0; i < panelWidth; ++i)
                sums[i] += panel[k * panelWidth + i] * panel[k * panelWidth + i];
        for (std::size_t i = 0; i < panelWidth; ++i)
            to[i] += sums[i];
    }

    std::size_t m_rows, m_modes;
    CpuDevice m_cpu;
    std::size_t m_rowPanels, m_modePanels, m_stride;
    std::vector<double> m_packedModes;
    std::vector<double> m_ofRows, m_ofModes, m_squares;
};

void requireFinite(const Projection &projection)
{
    for (std::size_t i = 0; i < projection.norms.size(); ++i) {
        if (!std::isfinite(projection.norms[i]))
            throw Error("row number " + std::to_string(i + 1)
                        + " has values that are not finite numbers, so that POD modes cannot "
                          "represent it: leave it out, or compute it again");
    }
}

} // namespace

Projection projectOnModes(SnapshotBlocks &rows, SnapshotBlocks &modes, const NodeWeights &weights,
                          const ModesOptions &options)
{
    requireSound(weights, rows.values());
    if (modes.values() != rows.values())
        throw Error("POD modes of " + std::to_string(modes.values())
                    + " values cannot represent rows of " + std::to_string(rows.values())
                    + " values: give POD modes of the same field");
    const auto columns = blockColumns(rows, options.blockBytes);
    const auto count = modes.snapshots();
    requireMemory(static_cast<double>(count) * static_cast<double>(columns) * sizeof(float)
                      + static_cast<double>(rows.snapshots()) * static_cast<double>(count)
                            * sizeof(double),
                  "a block of " + std::to_string(count) + " POD modes", "close other programs");
    std::vector<float> memory(count * columns);
    Products products(rows.snapshots(), count, options.cpu);
    const bool isWhole = forBlocks(
        rows, columns, "a block of " + std::to_string(rows.snapshots()) + " rows",
        [&](std::size_t first, MatrixView<const float> block) {
            modes.read(first, {memory.data(), count, block.columns, columns});
            const MatrixView<const float> modesBlock{memory.data(), count, block.columns, columns};
            const auto roots = weightRoots(weights, first, block.columns);
            for (std::size_t strip = 0; strip < stripsOf(block.columns); ++strip)
                products.add(block, modesBlock, stripOf(block.columns, strip), roots);
            return !options.progress
                   || options.progress(static_cast<double>(first + block.columns)
                                       / static_cast<double>(rows.values()));
        });
    Projection projection;
    if (isWhole) {
        projection = products.result();
        requireFinite(projection);
    }
    projection.cancelled = !isWhole;
    return projection;
}

} // namespace gridhelm::modes
