// SPDX-License-Identifier: GPL-3.0-or-later
//
// Nodal values to hierarchical coefficients on the device, in place, and back. The blocks that
// differ in one component of their level vectors form a pole of blocks; poles are independent of
// each other, and inside one the levels follow each other, finest first (back: coarsest first).
#pragma once

#include "core/sparse/sparse_grid.h"
#include "gpu/sparse/block_pole.h"
#include "gpu/sparse/launch_constants.h"
#include "gpu/support/buffer.h"

#include <cstdint>
#include <vector>

namespace gridhelm::gpu {

/// What the transform of a grid needs on the device.
class HierarchizationPlan
{
public:
    explicit HierarchizationPlan(const sparse::SparseGrid &grid);
    /// Of some dimensions for some blocks, whose values lie behind each other.
    HierarchizationPlan(const sparse::SparseGrid &grid, const sparse::TransformPart &part);

    /// `values`: on the device, in storage order.
    template <typename T>
    void run(Transform transform, T *values, cudaStream_t stream,
             const PoleLaunch &launch = {}) const;

    /// Bytes that the constructor takes on the device, at most.
    static std::size_t bytesFor(const sparse::SparseGrid &grid);

private:
    /// Those of a part begin where blockOffsets say, and none of the others.
    HierarchizationPlan(const sparse::SparseGrid &grid, int firstDimension, int endDimension,
                        const std::vector<std::uint64_t> &blockOffsets);

    struct PoleSet
    {
        sparse::DimensionBasis basis;
        DeviceBuffer<BlockPole> poles;
        DeviceBuffer<std::uint64_t> offsets;
        PoleList list; ///< of these
    };
    std::vector<PoleSet> m_dimensions;
    DeviceBuffer<double> m_lejaFunctions; ///< if a dimension has them
};

} // namespace gridhelm::gpu
