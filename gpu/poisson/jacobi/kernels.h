// SPDX-License-Identifier: GPL-3.0-or-later
//
// Jacobi's iterations as they are launched. All kernels write the values of the next iterate from
// those of the present one, but for the padding.
#pragma once

#include "gpu/poisson/block_reduction.h"
#include "gpu/poisson/grid_view.h"
#include "gpu/poisson/tile_range.h"
#include "gpu/support/kernel_variant.h"

#include "core/solvers/jacobi/async_options.h"

namespace gridhelm::gpu::jacobi {

/// What iterateTuned() does at once, which changes its time alone.
struct TunedLaunch
{
    int rows = 0;               ///< of a warp; 0: by the grid's size
    int planes = 0;             ///< of a block, in 3D; 0: by the grid's size
    KernelVariant variant = {}; ///< for these rows; none: they are compiled in, or 0
};

/// One iteration, 2D or 3D: every value is read from memory once and written once. With
/// `reduction`, as many slots as tunedBlocks(), also the squared residual of `from` in double and
/// the largest change; if `to` is null nothing else. The order of that sum is the same, whatever
/// `launch` says: it is not for a reduction.
template <typename T>
void iterateTuned(const GridView<T> &grid, const T *from, T *to, const ReductionSlots *reduction,
                  cudaStream_t stream, const TunedLaunch &launch = {});
template <typename T>
std::size_t tunedBlocks(const GridView<T> &grid);

/// How iterateTuned() divides a grid, whichever part of it is asked for.
struct TunedTiles
{
    std::size_t thickness = 1; ///< rows (2D) or planes (3D) of each, but for the last
    int count = 1;
    std::size_t blocks = 1; ///< of each: slots of a reduction
};
template <typename T>
TunedTiles tunedTiles(const GridView<T> &grid);
/// As iterateTuned(), with slots for these tiles alone. `from` and `to` are where the whole grid's
/// first value would be; only the tiles, and one row or plane beyond them, need be there.
template <typename T>
void iterateTunedTiles(const GridView<T> &grid, TileRange tiles, const T *from, T *to,
                       const ReductionSlots *reduction, cudaStream_t stream);

/// How many iterations one pass can do, at most so many: 1, which is iterateTuned()'s, or more.
template <typename T>
int passDepth(int most);
/// How many a pass does best.
template <typename T>
int defaultDepth(const GridView<T> &grid);

/// `depth` iterations in 2D, as from passDepth(), in one pass over memory. It adds neighbours in
/// another order than iterateTuned(), and depths round differently. With `reduction`, also the
/// largest change of the last of them; its blockSums are not used.
template <typename T>
void iterateTemporal(const GridView<T> &grid, int depth, const T *from, T *to,
                     const ReductionSlots *reduction, cudaStream_t stream);

/// The same for these rows alone. `from` and `to` are where the whole grid's first value would be;
/// of the present values and of h^2 f, only these rows and `depth` beyond them need be there.
template <typename T>
void iterateTemporalRows(const GridView<T> &grid, LayerRange rows, int depth, const T *from, T *to,
                         const ReductionSlots *reduction, cudaStream_t stream);

/// The columns at which strips of tiles meet, as their neighbours see them, in some rows, which
/// begin at a multiple of a tile's.
template <typename T>
class Fringes
{
public:
    /// `values` as for iterateTunedTiles().
    Fringes(const GridView<T> &grid, LayerRange rows, const T *values, cudaStream_t stream);

    /// Where the first column's row 0 would be.
    T *origin() const { return m_values.data() - m_first; }
    std::ptrdiff_t rows() const { return m_rows; }

private:
    std::ptrdiff_t m_first; ///< row
    std::ptrdiff_t m_rows;  ///< of a column
    DeviceBuffer<T> m_values;
};

struct AsyncChoice
{
    solvers::jacobi::AsyncVariant variant;
    int alpha;
    int tileRows; ///< as from asyncTileRows()
};

/// One launch of an asynchronous method in 2D, for these tile rows: alpha iterations of every tile
/// on its own, and one more into `to`. Tiles show each other their fringes in `shared`, which holds
/// the present values, and in `fringes`, made from them before the first launch. `shared` and `to`
/// are where the whole grid's first value would be; one row beyond the tiles is read, too, and
/// stays as it is.
template <typename T>
void launchAsync(const GridView<T> &grid, TileRange tiles, const AsyncChoice &choice,
                 const Fringes<T> &fringes, T *shared, T *to, cudaStream_t stream);
/// All of a grid.
template <typename T>
TileRange asyncTiles(const GridView<T> &grid, const AsyncChoice &choice)
{
    return {0, (grid.ny + choice.tileRows - 1) / choice.tileRows};
}
/// The rows of a tile that come nearest to those wished for; 0 chooses.
int asyncTileRows(std::size_t wanted);

} // namespace gridhelm::gpu::jacobi
