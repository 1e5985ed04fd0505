// SPDX-License-Identifier: GPL-3.0-or-later
//
// Jacobi at the speed of memory. A warp has 128 unknowns of each of a few rows: all of them are
// asked for at once, in loads of 16 bytes, which keeps memory busy, and each row serves three rows
// from registers. The rows that two warps need are read at nearly the same time, so that the second
// one finds them in the cache.
#include "gpu/poisson/block_reduction.cuh"
#include "gpu/poisson/jacobi/kernels.h"
#include "gpu/poisson/jacobi/updated_quad.h"
#include "gpu/support/dependent_launch.cuh"

#include <algorithm>
#include <cstdint>

namespace gridhelm::gpu::jacobi {
namespace {

constexpr int threadsOfBlock = 256;

/// Rows of a warp.
template <typename T>
constexpr int rowsOfWarp2D = 8;
template <>
constexpr int rowsOfWarp2D<double> = 4;
/// Small grids need more warps than that.
constexpr int rowsOfWarpSmall = 4;
/// As many as registers allow: a row beside the warp's is read twice.
template <typename T>
constexpr int rowsOfWarp3D = 4;
template <>
constexpr int rowsOfWarp3D<double> = 2;
constexpr int rowsOfWarpSmall3D = 2;
/// Few: blocks that run together should be near each other.
constexpr int planesOfBlock3D = 16;
constexpr int planesOfBlockSmall3D = 8;

/// Blocks of a multiprocessor, which limits the registers of a thread.
template <typename T, int Rows>
constexpr int blocksAtOnce2D = sizeof(T) == 8            ? 2
                               : Rows == rowsOfWarpSmall ? 4
                                                         : 3;
template <typename T, int Rows>
constexpr int blocksAtOnce3D = sizeof(T) == 4 && Rows > rowsOfWarpSmall3D ? 2 : 1;

/// How the blocks cover the grid.
struct Cover
{
    dim3 threads;        ///< warps beside each other in x, the others in y
    unsigned across = 1; ///< blocks in x
    unsigned up = 1;     ///< in y
    unsigned deep = 1;   ///< in z
    int rows = 1;        ///< of a warp
    int planes = 1;      ///< of a block

    unsigned blocks() const { return across * up * deep; }
    TunedTiles tiles(bool is3D) const
    {
        if (is3D)
            return {static_cast<std::size_t>(planes), static_cast<int>(deep), across * up};
        return {rows * std::size_t{threads.y}, static_cast<int>(up), across};
    }
};

template <typename T>
Cover coverOf(const GridView<T> &grid, const TunedLaunch &launch = {})
{
    Cover cover;
    const auto divide = [](int a, unsigned b) { return (static_cast<unsigned>(a) + b - 1) / b; };
    const unsigned strips = divide(grid.nx, stripSize);
    constexpr unsigned warps = threadsOfBlock / 32;
    const bool is3D = grid.is3D;
    unsigned beside = 1; // in 3D more rows are read twice than columns
    while (!is3D && beside < warps && beside < strips)
        beside *= 2;
    cover.threads = dim3(32 * beside, warps / beside);
    cover.across = divide(static_cast<int>(strips), beside);
    const auto count = static_cast<std::int64_t>(grid.nx) * grid.ny * grid.nz;
    const bool isSmall = count <= std::int64_t{1} << (is3D ? 24 : 22);
    const bool isFew =
        launch.rows == TunedLaunch::chosen ? isSmall : launch.rows == TunedLaunch::few;
    cover.rows = is3D ? (isFew ? rowsOfWarpSmall3D : rowsOfWarp3D<T>)
                      : (isFew ? rowsOfWarpSmall : rowsOfWarp2D<T>);
    cover.up = divide(grid.ny, static_cast<unsigned>(cover.rows) * cover.threads.y);
    if (is3D) {
        constexpr unsigned maxPlanes = 65535; // of a launch
        const int planes = launch.planes > 0 ? launch.planes
                           : isSmall         ? planesOfBlockSmall3D
                                             : planesOfBlock3D;
        cover.planes = std::max(planes, static_cast<int>(divide(grid.nz, maxPlanes)));
        cover.deep = divide(grid.nz, static_cast<unsigned>(cover.planes));
    }
    return cover;
}

/// One warp's place in the grid.
struct Place
{
    int lane, column, stripBegin, firstRow;
    int edgeColumn; ///< of the value beside the strip that this lane looks after, or -1
    bool isInside;

    template <typename T>
    __device__ Place(const GridView<T> &grid, unsigned across, int firstTiles, int rows)
        : lane(threadIdx.x % 32)
        , column(((blockIdx.x % across) * blockDim.x + threadIdx.x) * quadSize)
        , stripBegin(column - lane * quadSize)
        , firstRow(((firstTiles + blockIdx.x / across) * blockDim.y + threadIdx.y) * rows)
        , edgeColumn(lane == 0    ? stripBegin - 1
                     : lane == 31 ? stripBegin + stripSize
                                  : -1)
        , isInside(stripBegin < grid.nx && firstRow < grid.ny)
    {
        if (edgeColumn >= grid.nx)
            edgeColumn = -1;
    }
};

template <typename T, int Rows, bool WithReduction>
__global__ void __launch_bounds__(threadsOfBlock, (blocksAtOnce2D<T, Rows>))
    iterate2D(const GridView<T> grid, const T *__restrict__ from, T *__restrict__ to,
              unsigned across, int firstTiles, ReductionSlots reduction)
{
    waitForKernelBefore();
    const Place place(grid, across, firstTiles, Rows);
    Found<T> found;
    if (place.isInside) {
        const auto readable =
            min(static_cast<std::ptrdiff_t>(place.column), grid.rowStride - quadSize);
        Quad<T> rows[Rows + 2];
        T edges[Rows];
#pragma unroll
        for (int r = 0; r < Rows + 2; ++r) {
            const int j = min(max(place.firstRow + r - 1, 0), grid.ny - 1);
            const T *row = from + j * grid.rowStride;
            rows[r] = loadQuad(row + readable);
            if (r > 0 && r <= Rows)
                edges[r - 1] = place.edgeColumn >= 0 ? row[place.edgeColumn] : T(0);
        }
        const bool atSide = stripMeetsSide(grid, place.stripBegin);
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
            const int j = place.firstRow + r;
            const auto &centre = rows[r + 1];
            auto beside = besideInStrip(centre, edges[r], place.lane);
            if (atSide)
                setXGhosts(beside, centre, grid, place.column);
            Across<T> neighbours{rows[r], rows[r + 2]};
            if (j == 0)
                neighbours.below = ghost(grid.sides[2], centre);
            if (j == grid.ny - 1)
                neighbours.above = ghost(grid.sides[3], centre);
            if (j >= grid.ny)
                break;
            const auto f = sourceQuad(grid, place.column, j, 0);
            const auto updated = updatedQuad<T, false>(beside, neighbours, f);
            if (WithReduction)
                examine<T, false>(found, centre, updated, beside, neighbours, f, place.column,
                                  grid.nx);
            if (place.column < grid.rowStride && (!WithReduction || to != nullptr))
                streamQuad(to + j * grid.rowStride + place.column, updated);
        }
    }
    if (WithReduction)
        reduceInBlock(found.squaredResidual, found.largestChange, reduction.blockSums + blockIdx.x,
                      reduction.largest);
}

/// The same, marching through some planes: each one is read once and kept for the next two.
template <typename T, int Rows, bool WithReduction>
__global__ void __launch_bounds__(threadsOfBlock, (blocksAtOnce3D<T, Rows>))
    iterate3D(const GridView<T> grid, const T *__restrict__ from, T *__restrict__ to,
              unsigned across, int firstTiles, int planes, ReductionSlots reduction)
{
    waitForKernelBefore();
    const Place place(grid, across, 0, Rows);
    const int firstPlane = (firstTiles + blockIdx.y) * planes;
    const int endPlane = min(firstPlane + planes, grid.nz);
    Found<T> found;
    if (place.isInside) {
        const auto readable =
            min(static_cast<std::ptrdiff_t>(place.column), grid.rowStride - quadSize);
        const auto row = [&](int r, int k) {
            const int j = min(max(place.firstRow + r, 0), grid.ny - 1);
            return from + min(max(k, 0), grid.nz - 1) * grid.planeStride + j * grid.rowStride;
        };
        Quad<T> front[Rows], centre[Rows], back[Rows];
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
            front[r] = loadQuad(row(r, firstPlane - 1) + readable);
            centre[r] = loadQuad(row(r, firstPlane) + readable);
        }
        const bool atSide = stripMeetsSide(grid, place.stripBegin);
        for (int k = firstPlane; k < endPlane; ++k) {
            T edges[Rows];
            const auto lowest = loadQuad(row(-1, k) + readable);
            const auto highest = loadQuad(row(Rows, k) + readable);
#pragma unroll
            for (int r = 0; r < Rows; ++r) {
                back[r] = loadQuad(row(r, k + 1) + readable);
                edges[r] = place.edgeColumn >= 0 ? row(r, k)[place.edgeColumn] : T(0);
            }
#pragma unroll
            for (int r = 0; r < Rows; ++r) {
                const int j = place.firstRow + r;
                auto beside = besideInStrip(centre[r], edges[r], place.lane);
                if (atSide)
                    setXGhosts(beside, centre[r], grid, place.column);
                Across<T> neighbours{r == 0 ? lowest : centre[r > 0 ? r - 1 : 0],
                                     r == Rows - 1 ? highest : centre[r < Rows - 1 ? r + 1 : r],
                                     front[r], back[r]};
                if (j == 0)
                    neighbours.below = ghost(grid.sides[2], centre[r]);
                if (j == grid.ny - 1)
                    neighbours.above = ghost(grid.sides[3], centre[r]);
                if (k == 0)
                    neighbours.front = ghost(grid.sides[4], centre[r]);
                if (k == grid.nz - 1)
                    neighbours.back = ghost(grid.sides[5], centre[r]);
                if (j >= grid.ny)
                    break;
                const auto f = sourceQuad(grid, place.column, j, k);
                const auto updated = updatedQuad<T, true>(beside, neighbours, f);
                if (WithReduction)
                    examine<T, true>(found, centre[r], updated, beside, neighbours, f, place.column,
                                     grid.nx);
                if (place.column < grid.rowStride && (!WithReduction || to != nullptr))
                    streamQuad(to + k * grid.planeStride + j * grid.rowStride + place.column,
                               updated);
            }
#pragma unroll
            for (int r = 0; r < Rows; ++r) {
                front[r] = centre[r];
                centre[r] = back[r];
            }
        }
    }
    if (WithReduction)
        reduceInBlock(found.squaredResidual, found.largestChange,
                      reduction.blockSums + blockIdx.y * gridDim.x + blockIdx.x, reduction.largest);
}

template <typename T>
void launchTiles(const GridView<T> &grid, const Cover &cover, TileRange tiles, const T *from, T *to,
                 const ReductionSlots *reduction, cudaStream_t stream)
{
    const auto count = static_cast<unsigned>(tiles.end - tiles.first);
    const auto slots = reduction != nullptr ? *reduction : ReductionSlots{};
    const bool isSmall = cover.rows == (grid.is3D ? rowsOfWarpSmall3D : rowsOfWarpSmall);
    const auto choose = [&](auto small, auto large, auto smallReducing, auto largeReducing) {
        return reduction == nullptr ? (isSmall ? small : large)
                                    : (isSmall ? smallReducing : largeReducing);
    };
    if (grid.is3D)
        launchDependent(
            choose(iterate3D<T, rowsOfWarpSmall3D, false>, iterate3D<T, rowsOfWarp3D<T>, false>,
                   iterate3D<T, rowsOfWarpSmall3D, true>, iterate3D<T, rowsOfWarp3D<T>, true>),
            dim3(cover.across * cover.up, count), cover.threads, stream, "iterate", grid, from, to,
            cover.across, tiles.first, cover.planes, slots);
    else
        launchDependent(
            choose(iterate2D<T, rowsOfWarpSmall, false>, iterate2D<T, rowsOfWarp2D<T>, false>,
                   iterate2D<T, rowsOfWarpSmall, true>, iterate2D<T, rowsOfWarp2D<T>, true>),
            dim3(cover.across * count), cover.threads, stream, "iterate", grid, from, to,
            cover.across, tiles.first, slots);
}

} // namespace

template <typename T>
std::size_t tunedBlocks(const GridView<T> &grid)
{
    return coverOf(grid).blocks();
}

template <typename T>
TunedTiles tunedTiles(const GridView<T> &grid)
{
    return coverOf(grid).tiles(grid.is3D);
}

template <typename T>
void iterateTuned(const GridView<T> &grid, const T *from, T *to, const ReductionSlots *reduction,
                  cudaStream_t stream, const TunedLaunch &launch)
{
    const auto cover = coverOf(grid, reduction == nullptr ? launch : TunedLaunch());
    launchTiles(grid, cover, {0, cover.tiles(grid.is3D).count}, from, to, reduction, stream);
}

template <typename T>
void iterateTunedTiles(const GridView<T> &grid, TileRange tiles, const T *from, T *to,
                       const ReductionSlots *reduction, cudaStream_t stream)
{
    launchTiles(grid, coverOf(grid), tiles, from, to, reduction, stream);
}

template void iterateTuned(const GridView<float> &, const float *, float *, const ReductionSlots *,
                           cudaStream_t, const TunedLaunch &);
template void iterateTuned(const GridView<double> &, const double *, double *,
                           const ReductionSlots *, cudaStream_t, const TunedLaunch &);
template void iterateTunedTiles(const GridView<float> &, TileRange, const float *, float *,
                                const ReductionSlots *, cudaStream_t);
template void iterateTunedTiles(const GridView<double> &, TileRange, const double *, double *,
                                const ReductionSlots *, cudaStream_t);
template TunedTiles tunedTiles(const GridView<float> &);
template TunedTiles tunedTiles(const GridView<double> &);
template std::size_t tunedBlocks(const GridView<float> &);
template std::size_t tunedBlocks(const GridView<double> &);

} // namespace gridhelm::gpu::jacobi
