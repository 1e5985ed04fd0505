// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/modes/block_pass.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace gridhelm::modes {

/// Inner products of all pairs of rows: entry (i, j) is at i * stride + j, filled for i <= j.
struct GramMatrix
{
    std::size_t size = 0;
    std::size_t stride = 0;
    std::vector<double> entries;
    bool cancelled = false;

    double operator()(std::size_t i, std::size_t j) const
    {
        return i <= j ? entries[i * stride + j] : entries[j * stride + i];
    }
};

/// In double, strip after strip of columns, each sum in one thread: the same, bit by bit, for any
/// number of threads and any blockBytes. `progress` is told the share of columns; false stops.
/// Throws gridhelm::Error for rows that are not finite, and if memory does not suffice.
GramMatrix gramMatrix(SnapshotBlocks &rows, const NodeWeights &weights, double blockBytes,
                      const CpuDevice &cpu, const std::function<bool(double)> &progress);

} // namespace gridhelm::modes
