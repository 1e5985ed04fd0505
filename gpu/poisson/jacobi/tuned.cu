// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the kernels of tuned_rows.cuh cover a grid.
#include "gpu/poisson/jacobi/kernels.h"
#include "gpu/poisson/jacobi/tuned_constants.h"
#include "gpu/poisson/jacobi/tuned_rows.cuh"
#include "gpu/support/dependent_launch.cuh"

#include <algorithm>
#include <cstdint>

namespace gridhelm::gpu::jacobi {
namespace {

template <typename T, int Rows, bool WithReduction>
constexpr auto kernel2D = iterate2D<T, Rows, blocksAtOnce2D<T>(Rows), WithReduction>;
template <typename T, int Rows, bool WithReduction>
constexpr auto kernel3D = iterate3D<T, Rows, blocksAtOnce3D<T>(Rows), WithReduction>;

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
    const bool isSmall = count <= std::int64_t{1} << 22;
    if (launch.variant || hasTunedRows<T>(is3D, launch.rows))
        cover.rows = launch.rows;
    else
        cover.rows = is3D ? (isSmall ? rowsOfWarpSmall3D : rowsOfWarp3D<T>)
                          : (isSmall ? rowsOfWarpSmall : rowsOfWarp2D<T>);
    cover.up = divide(grid.ny, static_cast<unsigned>(cover.rows) * cover.threads.y);
    if (is3D) {
        constexpr unsigned maxPlanes = 65535; // of a launch
        const bool hasFewBlocks = count <= std::int64_t{1} << 26;
        const int planes = launch.planes > 0 ? launch.planes
                           : hasFewBlocks    ? std::min(planesOfBlockSmall3D, planesOfBlock3D<T>)
                                             : planesOfBlock3D<T>;
        cover.planes = std::max(planes, static_cast<int>(divide(grid.nz, maxPlanes)));
        cover.deep = divide(grid.nz, static_cast<unsigned>(cover.planes));
    }
    return cover;
}

template <typename T>
void launchTiles(const GridView<T> &grid, const Cover &cover, TileRange tiles, const T *from, T *to,
                 const ReductionSlots *reduction, cudaStream_t stream,
                 const KernelVariant &variant = {})
{
    const auto count = static_cast<unsigned>(tiles.end - tiles.first);
    const auto slots = reduction != nullptr ? *reduction : ReductionSlots{};
    const bool isSmall = cover.rows == (grid.is3D ? rowsOfWarpSmall3D : rowsOfWarpSmall);
    const auto choose = [&](auto small, auto large, auto smallReducing, auto largeReducing) {
        return reduction == nullptr ? variant.orElse(isSmall ? small : large)
                                    : (isSmall ? smallReducing : largeReducing);
    };
    if (grid.is3D)
        launchDependent(
            choose(kernel3D<T, rowsOfWarpSmall3D, false>, kernel3D<T, rowsOfWarp3D<T>, false>,
                   kernel3D<T, rowsOfWarpSmall3D, true>, kernel3D<T, rowsOfWarp3D<T>, true>),
            dim3(cover.across * cover.up, count), cover.threads, stream, "iterate", grid, from, to,
            cover.across, tiles.first, cover.planes, slots);
    else
        launchDependent(
            choose(kernel2D<T, rowsOfWarpSmall, false>, kernel2D<T, rowsOfWarp2D<T>, false>,
                   kernel2D<T, rowsOfWarpSmall, true>, kernel2D<T, rowsOfWarp2D<T>, true>),
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
    const TunedLaunch usual;
    const auto &taken = reduction == nullptr ? launch : usual;
    const auto cover = coverOf(grid, taken);
    launchTiles(grid, cover, {0, cover.tiles(grid.is3D).count}, from, to, reduction, stream,
                taken.variant);
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
