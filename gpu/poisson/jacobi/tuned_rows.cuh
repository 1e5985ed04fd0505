// SPDX-License-Identifier: GPL-3.0-or-later
//
// Jacobi at the speed of memory. A warp has 128 unknowns of each of a few rows: all of them are
// asked for at once, in loads of 16 bytes, which keeps memory busy, and each row serves three rows
// from registers. The rows that two warps need are read at nearly the same time, so that the second
// one finds them in the cache.
//
// Also compiled while the program runs (gpu/support/kernel_variant.h).
#pragma once

#include "gpu/poisson/block_reduction.cuh"
#include "gpu/poisson/jacobi/updated_quad.h"
#include "gpu/support/kernel_order.cuh"

#include <cstddef>

namespace gridhelm::gpu::jacobi {

inline constexpr int threadsOfBlock = 256;

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

/// One iteration in 2D. `Blocks` of a multiprocessor limit the registers of a thread.
template <typename T, int Rows, int Blocks, bool WithReduction>
__global__ void __launch_bounds__(threadsOfBlock, Blocks)
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
template <typename T, int Rows, int Blocks, bool WithReduction>
__global__ void __launch_bounds__(threadsOfBlock, Blocks)
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

} // namespace gridhelm::gpu::jacobi
