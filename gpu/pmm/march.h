// SPDX-License-Identifier: GPL-3.0-or-later
//
// A sub-sweep of the parallel marching method on the device: one launch for all its planes.
//
// A warp owns a tile of the plane, 32 nodes wide and a few rows high, and marches with it from
// plane to plane. A node depends on 9 nodes of the previous plane only, so a tile waits for its 8
// neighbours alone: for the times at their edges, which they send (tile_march.cuh), or, where tiles
// take turns, for their words of `progress`, in which they publish the plane that they have
// finished (tile_step.cuh). Nothing waits for the whole plane, and nothing is launched in between.
//
// Tiles whose surroundings did not change since they were last updated in this direction keep their
// values: an update is a minimum over candidates, and the same candidates again are of no use. Per
// brick of 8 x 8 x 8 nodes is known in which sub-sweep it last changed.
//
// Several devices march side by side, each through its rows; their kernels run at the same time. A
// tile at a border stores the edge row of each plane into a halo in the neighbour's memory. Nothing
// says that a value is there but the value itself: the halo is empty (haloIsEmpty) before. A word
// that follows the values would have to wait until they have arrived. If one of the devices fails,
// its neighbours would wait for ever: those that wait look now and then at a flag in the host's
// memory, and once it is raised they end, with times that are of no use.
#pragma once

#include "core/solvers/pmm/medium_coefficients.h"

#include <cuda_runtime.h>

#include <array>
#include <cstddef>

namespace gridhelm::gpu {

constexpr int brickEdge = 8;
/// Along an axis of so many nodes.
constexpr std::size_t bricksIn(std::size_t nodes)
{
    return (nodes + brickEdge - 1) / brickEdge;
}
/// In a sweep: what changed more sub-sweeps ago than this has been seen by every direction.
constexpr int subSweepsPerSweep = 6;

/// What a sweep reports.
struct MarchOutcome
{
    unsigned long long largestChange; ///< the bits of a double
    int lastChange;                   ///< the last sub-sweep that changed anything
};

/// The byte that an empty halo is filled with: no time is the NaN that it makes.
constexpr int haloIsEmpty = 0xff;

/// A border to the rows of another device. Halos have a row of `width` for each plane, in the order
/// of the march, and are empty before the sub-sweep.
template <typename T>
struct MarchBorder
{
    T *halo = nullptr;            ///< the row beyond the border; null: the grid ends here
    unsigned *progress = nullptr; ///< of the tiles there
    T *sentHalo = nullptr;        ///< the neighbour's, and likewise
    unsigned *sentProgress = nullptr;
    int *sentChanges = nullptr; ///< where MarchPlanes::changes points to
};

/// Planes in the order in which they are visited; the first is given. Rows of nodes lie next to
/// each other.
template <typename T>
struct MarchPlanes
{
    T *times = nullptr;                      ///< of the first plane's first node
    std::array<const T *, 2> coefficients{}; ///< of a varying medium, laid out likewise; or null
    int width = 0;
    int rows = 0;
    int planes = 0;
    std::ptrdiff_t columnStride = 1; ///< only 1 is fast
    std::ptrdiff_t rowStride = 0;
    std::ptrdiff_t planeStride = 0; ///< negative if the last plane comes first

    int *changes = nullptr; ///< per brick: the sub-sweep in which it last changed
    bool skips = true;      ///< otherwise every tile is updated
    bool backwards = false;
    std::array<int, 3> bricks{}; ///< along u, v and n
    std::array<std::ptrdiff_t, 3> brickStrides{};
    int subSweep = 0;

    unsigned *progress = nullptr; ///< per tile: 4 times the finished plane, counted from
                                  ///< `beginning`, and whether it and the one before it changed
    unsigned beginning = 0;       ///< beyond all that tiles have published before
    void *messages = nullptr;     ///< of tiles to each other: messageBytes(), which 0 does not fill
                                  ///< with words of planes to come
    MarchOutcome *outcome = nullptr;

    std::array<MarchBorder<T>, 2> borders{}; ///< before the first row, and behind the last one
    MarchOutcome *const *others = nullptr;   ///< of the other devices
    int otherCount = 0;                      ///< 0: there is one device
    const int *abandoned = nullptr;          ///< with others: as Abandonment::flag()
};

/// How a sub-sweep is launched.
struct MarchLaunch
{
    /// For devices that cannot keep all tiles resident, and to measure what that costs.
    bool perPlane = false;
    /// Logical devices that share the device, and have to march at the same time.
    int parts = 1;
    /// Rows of a tile, where one device marches alone: a power of 2 up to brickEdge. 0, and where
    /// tiles would be too many to march together: as few as all tiles can be resident with.
    int rowsOfTile = 0;
    /// Of the largest of all parts; 0: this one's.
    int mostRows = 0;
};

template <typename T>
struct MarchMedium
{
    bool anisotropic = false;
    solvers::MediumCoefficients<T> constant{};
    std::array<T, 3> direction{}; ///< a along the row, across the rows, and from plane to plane
};

/// What a sub-sweep through so many planes adds to `beginning`.
constexpr unsigned progressOf(int planes)
{
    return 4 * static_cast<unsigned>(planes);
}

/// Tiles of a plane, at most: the words of `progress`.
std::size_t maxTiles(std::size_t width, std::size_t rows);
/// Of MarchPlanes::messages where planes have so many tiles at most, on the calling thread's
/// device.
template <typename T>
std::size_t messageBytes(std::size_t tiles);

/// Enqueues the sub-sweep. With borders: the neighbours' must be enqueued, too, before anyone waits
/// for this one, or `abandoned` be raised. T: float or double.
template <typename T>
void march(const MarchPlanes<T> &planes, const MarchMedium<T> &medium, const MarchLaunch &how,
           cudaStream_t stream);

} // namespace gridhelm::gpu
