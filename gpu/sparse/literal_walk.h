// SPDX-License-Identifier: GPL-3.0-or-later
//
// The base line that the interpolation is measured against: the algorithm of [Murarasu2013]
// (Listing 4.3) done simply. One thread a point, coordinates in registers, level vectors in shared
// memory, every block visited with the product over all dimensions. Treatment `zero`.
#pragma once

#include "core/sparse/sparse_grid.h"
#include "gpu/support/buffer.h"

#include <cstdint>
#include <vector>

namespace gridhelm::gpu {

class LiteralWalk
{
public:
    /// Throws gridhelm::Error for other treatments than `zero`, dense dimensions (blocks of a group
    /// have one size here), and more than ten dimensions.
    explicit LiteralWalk(const sparse::SparseGrid &grid);

    /// `coefficients` in storage order, `points` row-major, `values`: on the device.
    void interpolate(const float *coefficients, const float *points, std::uint32_t count,
                     float *values, cudaStream_t stream) const;

private:
    int m_dimension;
    std::vector<std::uint32_t> m_groupFirstBlock; // one more than groups
    DeviceBuffer<std::uint32_t> m_groups;
    DeviceBuffer<std::uint8_t> m_levels; // of block after block
};

} // namespace gridhelm::gpu
