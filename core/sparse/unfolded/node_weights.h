// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/unfolded/unfolded_grid.h"
#include "core/surrogate/sparse_weights.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridhelm::sparse {

/// One value of a node set, and its weight.
struct WeightedValue
{
    std::uint64_t offset;
    double weight;
};

/// Sum of weight * values[offset]; the terms from lastGroupBegin on are the last group's part.
struct NodeWeights
{
    std::vector<WeightedValue> terms;
    std::size_t lastGroupBegin = 0;
};

/// Weights over the coefficients of `grid` as weights over the values that unfold() makes of them;
/// `nodes` must be the unfolded `grid`, and all rows points of it.
NodeWeights nodeWeights(const SparseGrid &grid, const UnfoldedGrid &nodes,
                        const SparseWeights &weights);

} // namespace gridhelm::sparse
