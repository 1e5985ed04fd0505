// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/sor/mlssor_tiling.h"

#include <cstddef>
#include <span>

namespace gridhelm::solvers {

/// One layer of a tile, relative to the tile's footprint.
struct TileLayer
{
    IndexRange y;
    IndexRange x;
};

/// Tiles of one kernel in one row of sub-domains, `tileStride` unknowns apart, all of one shape.
template <typename T>
struct TileRow
{
    T *values;       ///< first unknown of the first tile's footprint
    const T *source; ///< h^2 f there, or null
    std::ptrdiff_t rowStride;
    std::ptrdiff_t tileStride;
    std::size_t tiles;
    std::ptrdiff_t height; ///< of the footprint
    std::ptrdiff_t width;
    std::span<const TileLayer> layers;
    bool isBackward;
};

/// Values that `scratch` must have for tiles of this footprint. It must be aligned for SIMD.
template <typename T>
constexpr std::size_t tileScratchSize(std::size_t height, std::size_t width)
{
    constexpr std::size_t lanes = 64 / sizeof(T); // the widest vectors in use
    return 2 * (height + 2) * (width + 2) * lanes;
}

/// u <- keep u + weight (sum of neighbours + h^2 f), in every tile layer by layer, unknown after
/// unknown. An unknown waits for the one before it, so it is the tiles that are taken side by side:
/// as many as a vector has lanes are copied to the scratch memory with their neighbours, tile
/// fastest, and back after the last layer.
template <typename T>
void relaxTiles(const TileRow<T> &row, T keep, T weight, T *scratch);

} // namespace gridhelm::solvers
