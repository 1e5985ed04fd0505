// SPDX-License-Identifier: GPL-3.0-or-later
//
// Growing a grid keeps its coefficients: a point's coefficient depends only on blocks below it.
#pragma once

#include "core/sparse/backend.h"
#include "core/sparse/sparse_grid.h"

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace gridhelm::sparse {

/// The hierarchical coefficient of one point as a combination of the coefficients below it:
/// coefficient = value - sum_b weights[b] coefficients[points[b]]. The points are in storage order,
/// all weights nonzero, so the sum does not depend on what else the grid holds.
struct AncestorWeights
{
    std::vector<std::uint64_t> points;
    std::vector<double> weights;
};
AncestorWeights ancestorWeights(const SparseGrid &grid, std::uint64_t point);

/// Coefficients of `grown` (which must contain `grid`, with the same treatments) from those of
/// `grid`: old ones are copied bit by bit, new ones computed from the values that `valueAt` gives
/// for their indices in `grown`. Throws gridhelm::Error if `grown` does not contain `grid`.
template <typename T>
std::vector<T> growCoefficients(const Backend &backend, const SparseGrid &grid,
                                std::span<const T> coefficients,
                                const std::shared_ptr<const SparseGrid> &grown,
                                const std::function<T(std::uint64_t)> &valueAt);

/// The smallest downward-closed set that holds `grid` and the level vectors in `added`.
SparseGrid withLevelVectors(const SparseGrid &grid, std::span<const Level> added);

} // namespace gridhelm::sparse
