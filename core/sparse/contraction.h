// SPDX-License-Identifier: GPL-3.0-or-later
//
// Contraction of fixed dimensions (ARCHITECTURE.md, Eq. 17): with the coordinates
// of some dimensions fixed, the d-dimensional interpolant is an interpolant on the grid of the free
// dimensions.
#pragma once

#include "core/execution/device.h"
#include "core/sparse/sparse_grid.h"

#include <memory>
#include <span>
#include <vector>

namespace gridhelm::sparse {

template <typename T>
struct ContractedGrid
{
    std::shared_ptr<const SparseGrid> grid; ///< of the free dimensions, in their original order
    std::vector<T> coefficients;
    /// The part that comes from the full grid's last group, for the indicator; empty if not asked.
    std::vector<T> lastGroup;
};

/// `isFixed[t]` says whether dimension t is fixed at x[t]; at least one dimension must stay free.
template <typename T>
ContractedGrid<T> contract(const SparseGrid &grid, std::span<const T> coefficients,
                           const std::vector<bool> &isFixed, std::span<const T> x,
                           bool withLastGroup, const CpuDevice &cpu);

} // namespace gridhelm::sparse
