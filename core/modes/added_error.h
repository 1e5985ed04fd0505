// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/modes/snapshot_blocks.h"
#include "core/surrogate/sparse_weights.h"

#include <functional>
#include <span>
#include <vector>

namespace gridhelm::modes {

/// Fields as weighted sums of rows: field j is sum_i weights[j].weights[i] row weights[j].rows[i].
struct CombinedFields
{
    SnapshotBlocks &rows;
    std::span<const SparseWeights> weights;
};

struct AddedErrorOptions
{
    double blockBytes = 512e6; ///< for blocks of all rows
    CpuDevice cpu = {};
    /// Told the share of the work that is done, now and then; false stops.
    std::function<bool(double)> progress = {};
};

/// Norms of the differences between the fields of one and those of the other, one by one: both
/// combined in single precision, as pictures are. Reads each row once. The same, bit by bit, for
/// any number of threads and any blockBytes. Empty if it was stopped. Throws gridhelm::Error for
/// different numbers of fields or values, for weights that name no row, and if memory does not
/// suffice. `largestDifference` gets the largest of single values, whatever their weights.
std::vector<double> addedErrors(const CombinedFields &exact, const CombinedFields &changed,
                                const NodeWeights &weights, const AddedErrorOptions &options,
                                double *largestDifference = nullptr);

} // namespace gridhelm::modes
