// SPDX-License-Identifier: GPL-3.0-or-later
//
// Nodal values to hierarchical coefficients on the device, in place, and back. The blocks that
// differ in one component of their level vectors form a pole of blocks; poles are independent of
// each other, and inside one the levels follow each other, finest first (back: coarsest first).
#pragma once

#include "core/sparse/sparse_grid.h"
#include "gpu/support/buffer.h"

#include <cstdint>
#include <vector>

namespace gridhelm::gpu {

enum class Transform { hierarchize, dehierarchize };

/// Blocks that differ in their level in one dimension only; see PoleSet.
struct BlockPole
{
    std::uint32_t firstOffset; ///< among PoleSet::offsets: of the end points if any, then by level
    std::uint8_t levels;       ///< how many, from level 0 on
    std::uint8_t outerBits;    ///< of an index, above those of the dimension
    std::uint8_t strideBits;   ///< below
    std::uint8_t unused;
};

/// What the transform of a grid needs on the device.
class HierarchizationPlan
{
public:
    explicit HierarchizationPlan(const sparse::SparseGrid &grid);

    /// `values`: on the device, in storage order.
    template <typename T>
    void run(Transform transform, T *values, cudaStream_t stream) const;

    /// Bytes that the constructor takes on the device, at most.
    static std::size_t bytesFor(const sparse::SparseGrid &grid);

private:
    struct PoleSet
    {
        sparse::BoundaryTreatment treatment = sparse::BoundaryTreatment::zero;
        DeviceBuffer<BlockPole> poles;
        DeviceBuffer<std::uint64_t> offsets;
        std::uint64_t largestPole = 0; ///< points
    };
    std::vector<PoleSet> m_dimensions;
};

} // namespace gridhelm::gpu
