// SPDX-License-Identifier: GPL-3.0-or-later
//
// The constants of kernels on sparse grids that may be tuned.
#pragma once

#include "core/execution/tunable.h"
#include "core/sparse/sparse_grid.h"
#include "core/sparse/unfolded/unfolded_grid.h"
#include "gpu/support/kernel_variant.h"

#include <cstddef>

namespace gridhelm::gpu {

extern const TunableOperation interpolationTunable;
extern const TunableOperation fewPointsTunable;
extern const TunableOperation hierarchizationTunable;
extern const TunableOperation combinationTunable;

/// Of interpolation at scattered points.
struct PointLaunch
{
    unsigned threads = 128;    ///< of a block
    unsigned fewThreads = 128; ///< likewise, where points are too few for clusters
    /// In which the work of a point is cut where points do not fill the device (*wu*); 0: as suits.
    /// Sums are then added up in another order.
    unsigned parts = 0;

    PointLaunch() = default;
    PointLaunch(const TuningTable &table, std::size_t valueBytes,
                const sparse::UnfoldedGrid &nodes);
};

/// Of hierarchization.
struct PoleLaunch
{
    unsigned threads = 128;       ///< of a block whose warps have a pole each
    unsigned threadsOfPole = 512; ///< of a block that has one

    PoleLaunch() = default;
    PoleLaunch(const TuningTable &table, std::size_t valueBytes, const sparse::SparseGrid &grid);
};

/// Of a weighted sum of rows.
struct RowLaunch
{
    unsigned threads = 128; ///< of a block
    int rows = 10;          ///< whose loads are under way together
    KernelVariant variant;  ///< for these rows, unless they are compiled in

    RowLaunch() = default;
    /// On the GPU that is current.
    RowLaunch(const TuningTable &table, std::size_t columns);

    static bool isCompiledIn(int rows) { return rows == 5 || rows == 10 || rows == 20; }
    /// What would be compiled for them.
    static KernelSource source(int rows);
};

} // namespace gridhelm::gpu
