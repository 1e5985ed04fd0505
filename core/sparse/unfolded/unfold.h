// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/unfolded/unfolded_grid.h"

#include <hwy/aligned_allocator.h>

#include <span>
#include <vector>

namespace gridhelm::sparse {

/// Values of all nodes, aligned for SIMD, with readable padding behind the last one.
template <typename T>
using NodeValues = hwy::AlignedFreeUniquePtr<T[]>;

template <typename T>
NodeValues<T> allocateNodeValues(const UnfoldedGrid &nodes);

/// Coefficients in storage order to node values: a copy, and the Haar transform along paired
/// levels.
template <typename T>
NodeValues<T> unfold(const SparseGrid &grid, const UnfoldedGrid &nodes,
                     std::span<const T> coefficients);

} // namespace gridhelm::sparse
