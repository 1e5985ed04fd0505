// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/execution/tunable.h"
#include "core/sparse/omp/hierarchization_kernel.h"
#include "core/sparse/sparse_grid.h"

#include <span>

namespace gridhelm::sparse::omp {

/// Operation "hierarchization": size is the number of points of the grid, by dimension.
extern const TunableOperation hierarchizationTunable;

struct HierarchizationConstants
{
    HierarchizationConstants() = default;
    /// Those of a table for this grid.
    HierarchizationConstants(const TuningTable &table, std::size_t valueBytes,
                             const SparseGrid &grid);

    int poles = 16;
    int chunk = 2048;
};

/// Dimension by dimension, pole of blocks by pole of blocks; `values` in storage order.
template <typename T>
void transformGrid(Transform transform, const SparseGrid &grid, std::span<T> values,
                   const CpuDevice &cpu, const HierarchizationConstants &constants = {});

/// Some of it, as Backend::transformPart().
template <typename T>
void transformGridPart(const TransformPart &part, const SparseGrid &grid, std::span<T> values,
                       const CpuDevice &cpu, const HierarchizationConstants &constants = {});

} // namespace gridhelm::sparse::omp
