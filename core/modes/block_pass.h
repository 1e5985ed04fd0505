// SPDX-License-Identifier: GPL-3.0-or-later
//
// What passes over snapshots have in common: blocks as large as memory allows, strips of columns
// whose places do not depend on that, and panels of both.
#pragma once

#include "core/modes/panel_product.h"
#include "core/modes/snapshot_blocks.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::modes {

/// Columns whose terms are added up before anything else is: sums do not depend on how columns
/// come in blocks, as long as blocks begin at multiples of this.
inline constexpr std::size_t stripColumns = 256;

/// Begin and end of strip number `strip` of a block.
struct Strip
{
    std::size_t begin, end;

    std::size_t size() const { return end - begin; }
};
constexpr std::size_t stripsOf(std::size_t columns)
{
    return (columns + stripColumns - 1) / stripColumns;
}
constexpr Strip stripOf(std::size_t columns, std::size_t strip)
{
    return {strip * stripColumns, std::min((strip + 1) * stripColumns, columns)};
}

/// Columns of a block that takes no more than this, as far as that is possible.
std::size_t blockColumns(const SnapshotBlocks &snapshots, double blockBytes);

/// read(first, block) for all blocks in their order, until it returns false; whether it never did.
/// `what` is what memory is needed for, if there is not enough.
bool forBlocks(SnapshotBlocks &snapshots, std::size_t columns, const std::string &what,
               const std::function<bool(std::size_t, MatrixView<const float>)> &action);

/// Square roots of the weights of the values [first, first + columns).
std::vector<double> weightRoots(const NodeWeights &weights, std::size_t first, std::size_t columns);

/// Rows side by side, with the strip's columns as depth: panel[k * panelWidth + i] = roots[k]
/// row_(firstRow + i)[k], 0 where there are no more rows.
void packColumns(MatrixView<const float> block, const Strip &strip, std::size_t firstRow,
                 std::span<const double> roots, double *panel);
/// Columns side by side, with all rows as depth: panel[k * panelWidth + j] = row_k[firstColumn +
/// j], 0 from endColumn on.
void packRows(MatrixView<const float> block, std::size_t firstColumn, std::size_t endColumn,
              double *panel);

} // namespace gridhelm::modes
