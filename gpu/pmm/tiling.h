// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/pmm/march.h"

#include <cuda_runtime.h>

namespace gridhelm::gpu {

inline constexpr int tileWidth = 32;
inline constexpr int warpsPerBlock = 4;

/// How a plane is cut: `rowsPerTile` divides the edge of a brick, so that a tile lies in one row of
/// bricks.
struct Tiling
{
    int rowsPerTile = 1;
    int acrossU = 0;
    int acrossV = 0;

    Tiling(int width, int rows, int rowsPerTile_)
        : rowsPerTile(rowsPerTile_)
        , acrossU((width + tileWidth - 1) / tileWidth)
        , acrossV((rows + rowsPerTile_ - 1) / rowsPerTile_)
    {
    }
    __host__ __device__ int count() const { return acrossU * acrossV; }
};

/// The lowest tiles that are resident all at once, or the highest.
inline Tiling tilingFor(int width, int rows, int residentWarps)
{
    for (int rowsPerTile = 1; rowsPerTile < brickEdge; rowsPerTile *= 2) {
        const Tiling tiling(width, rows, rowsPerTile);
        if (tiling.count() <= residentWarps)
            return tiling;
    }
    return {width, rows, brickEdge};
}

} // namespace gridhelm::gpu
