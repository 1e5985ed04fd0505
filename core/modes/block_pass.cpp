// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/modes/block_pass.h"

#include "core/support/error.h"
#include "core/support/memory_check.h"

#include <cmath>

namespace gridhelm::modes {

void SnapshotsInMemory::read(std::size_t first, MatrixView<float> block)
{
    for (std::size_t i = 0; i < m_matrix.rows; ++i)
        std::copy_n(m_matrix.row(i) + first, block.columns, block.row(i));
}

void requireSound(const NodeWeights &weights, std::size_t values)
{
    if (weights.components < 1 || weights.values() != values)
        throw Error(std::to_string(weights.ofNodes.size()) + " weights of nodes with "
                    + std::to_string(weights.components) + " components do not fit snapshots of "
                    + std::to_string(values) + " values: give one for each node");
    double sum = 0;
    for (const double weight : weights.ofNodes) {
        if (!std::isfinite(weight) || weight < 0)
            throw Error("a node has the weight " + std::to_string(weight)
                        + ", which is no volume: give finite weights, none of them negative");
        sum += weight;
    }
    if (!(sum > 0))
        throw Error("all nodes have the weight 0, so that nothing would count: give the volumes "
                    "of the cells around them, or the same weight to all");
}

std::size_t blockColumns(const SnapshotBlocks &snapshots, double blockBytes)
{
    auto columns = snapshots.columnsAtOnce();
    const auto rowsBytes = static_cast<double>(snapshots.snapshots()) * sizeof(float);
    // Halved, so that every block begins where one of another size does.
    while (columns % (2 * stripColumns) == 0
           && rowsBytes * static_cast<double>(columns) > blockBytes)
        columns /= 2;
    return std::min(columns, snapshots.values());
}

bool forBlocks(SnapshotBlocks &snapshots, std::size_t columns, const std::string &what,
               const std::function<bool(std::size_t, MatrixView<const float>)> &action)
{
    const auto rows = snapshots.snapshots();
    requireMemory(static_cast<double>(rows) * static_cast<double>(columns) * sizeof(float), what,
                  "close other programs");
    std::vector<float> memory(rows * columns);
    for (std::size_t first = 0; first < snapshots.values(); first += columns) {
        const auto count = std::min(columns, snapshots.values() - first);
        snapshots.read(first, {memory.data(), rows, count, columns});
        if (!action(first, {memory.data(), rows, count, columns}))
            return false;
    }
    return true;
}

std::vector<double> weightRoots(const NodeWeights &weights, std::size_t first, std::size_t columns)
{
    std::vector<double> roots(columns);
    for (std::size_t k = 0; k < columns; ++k)
        roots[k] = std::sqrt(weights.of(first + k));
    return roots;
}

void packColumns(MatrixView<const float> block, const Strip &strip, std::size_t firstRow,
                 std::span<const double> roots, double *panel)
{
    const auto rows = std::min(panelWidth, block.rows - firstRow);
    for (std::size_t i = 0; i < rows; ++i) {
        const float *row = block.row(firstRow + i);
        for (std::size_t k = strip.begin; k < strip.end; ++k)
            panel[(k - strip.begin) * panelWidth + i] = roots[k] * static_cast<double>(row[k]);
    }
    for (std::size_t k = 0; rows < panelWidth && k < strip.size(); ++k)
        std::fill(panel + k * panelWidth + rows, panel + (k + 1) * panelWidth, 0.0);
}

void packRows(MatrixView<const float> block, std::size_t firstColumn, std::size_t endColumn,
              double *panel)
{
    const auto columns = std::min(panelWidth, endColumn - firstColumn);
    for (std::size_t k = 0; k < block.rows; ++k) {
        const float *row = block.row(k) + firstColumn;
        double *to = panel + k * panelWidth;
        for (std::size_t j = 0; j < columns; ++j)
            to[j] = static_cast<double>(row[j]);
        std::fill(to + columns, to + panelWidth, 0.0);
    }
}

} // namespace gridhelm::modes
