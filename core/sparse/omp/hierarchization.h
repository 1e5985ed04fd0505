// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/sparse/omp/hierarchization_kernel.h"
#include "core/sparse/sparse_grid.h"

#include <span>

namespace gridhelm::sparse::omp {

/// Dimension by dimension, pole of blocks by pole of blocks; `values` in storage order.
template <typename T>
void transformGrid(Transform transform, const SparseGrid &grid, std::span<T> values,
                   const CpuDevice &cpu);

} // namespace gridhelm::sparse::omp
