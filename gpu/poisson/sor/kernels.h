// SPDX-License-Identifier: GPL-3.0-or-later
//
// The SOR methods as they are launched.
#pragma once

#include "gpu/poisson/grid_view.h"
#include "gpu/poisson/tile_range.h"
#include "gpu/support/kernel_variant.h"

#include <cuda_runtime.h>

namespace gridhelm::gpu::sor {

/// The two colours in an array each: unknown (i, j, k) is value i / 2 of row (j, k) of colour
/// (i + j + k) % 2. The view's strides are those of a colour, its sizes those of the grid. The
/// arrays are where the whole grid's first value would be; only the layers that a kernel is asked
/// for, and one row or plane beyond them, need be there.
template <typename T>
struct Coloured
{
    T *colours[2] = {nullptr, nullptr};
};

/// What a launch of relaxColour() does at once, which changes its time alone.
struct RelaxLaunch
{
    static constexpr int fewRows = 2, manyRows = 4; ///< that are compiled in
    static constexpr int compiledThreads = 256;     ///< of a block, at most, likewise

    int rows = fewRows;            ///< of a warp
    int threads = compiledThreads; ///< of a block
    KernelVariant variant = {};    ///< for these rows and threads, unless they are compiled in
};

/// u <- keep u + weight (sum of neighbours + h^2 f) for the unknowns of a colour in these layers,
/// which in 2D begin at a multiple of redBlackThickness(), or of the rows of a warp. The view's
/// source is this colour's.
template <typename T>
void relaxColour(const GridView<T> &grid, LayerRange layers, const Coloured<T> &values, int colour,
                 T keep, T weight, cudaStream_t stream, const RelaxLaunch &launch = {});
/// Rows (2D) or planes (3D) that a warp has unless it is tuned; where they begin makes no
/// difference to the compiler then, and none to the last bit.
template <typename T>
int redBlackThickness(const GridView<T> &grid);

/// Between the two ways to lay out values; `plain` has rows of paddedRow(nx) values.
template <typename T>
void splitColours(const GridView<T> &grid, LayerRange layers, const T *plain,
                  const Coloured<T> &values, cudaStream_t stream);
template <typename T>
void mergeColours(const GridView<T> &grid, LayerRange layers, const Coloured<T> &values, T *plain,
                  cudaStream_t stream);

/// The tiles that one axis has in one of MLSSOR's four kernels: int2{begin, end} of layer k of
/// sub-domain d at [d * layers + k].
struct TileRanges
{
    const int2 *layers = nullptr;
    int subdomains = 0;
};

/// All tiles of one kernel, 2D. `widest`: the layer that covers all others, of both axes.
struct TileKernel
{
    TileRanges x, y;
    int widestX = 0, widestY = 0;
    int layers = 1;
    int width = 2; ///< of a sub-domain
    bool isBackward = false;
    int threads = 256; ///< of a block, or as many as a layer of a tile has rows
};

template <typename T>
void relaxTiles(const GridView<T> &grid, T *values, const TileKernel &tiles, T keep, T weight,
                cudaStream_t stream);

} // namespace gridhelm::gpu::sor
