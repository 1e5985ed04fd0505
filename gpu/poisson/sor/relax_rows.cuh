// SPDX-License-Identifier: GPL-3.0-or-later
//
// Half a sweep of red-black SOR at the speed of memory. As Jacobi's tuned_rows.cuh: a warp asks for
// some rows of 128 values of a colour at once. Neighbours in y and z have the same place in their
// rows, those in x that place and the one before or after it.
//
// Also compiled while the program runs (gpu/support/kernel_variant.h).
#pragma once

#include "gpu/poisson/quad.h"
#include "gpu/poisson/tile_range.h"
#include "gpu/support/kernel_order.cuh"

#include <cstddef>

namespace gridhelm::gpu::sor {

/// h^2 f of the values m ... m + 3 of a row (j, k) of the grid's colour, which begins at unknown
/// `start`.
template <typename T>
__device__ Quad<T> sourceOf(const GridView<T> &grid, int m, int start, int j, int k)
{
    Quad<T> f{};
    if (grid.source != nullptr && m < grid.rowStride)
        f = loadQuad(grid.source + k * grid.planeStride + j * grid.rowStride + m);
    if (j == grid.spikeY && k == grid.spikeZ) {
#pragma unroll
        for (int q = 0; q < quadSize; ++q) {
            if (2 * (m + q) + start == grid.spikeX)
                f.v[q] = grid.spike;
        }
    }
    return f;
}

/// Blocks have as many threads, or fewer.
template <typename T, int Rows, bool Is3D, int Threads>
__global__ void __launch_bounds__(Threads)
    relaxRows(const GridView<T> grid, LayerRange layers, T *__restrict__ own,
              const T *__restrict__ other, int colour, unsigned across, T keep, T weight)
{
    waitForKernelBefore();
    const int lane = threadIdx.x % 32;
    const int m = ((blockIdx.x % across) * blockDim.x + threadIdx.x) * quadSize;
    // In 2D these are rows; one beyond them on each side is there, too.
    const int beginOfRows = Is3D ? 0 : layers.first;
    const int endOfRows = Is3D ? grid.ny : layers.end;
    const int firstRow = beginOfRows + (blockIdx.x / across * blockDim.y + threadIdx.y) * Rows;
    const int k = Is3D ? layers.first + blockIdx.y : 0;
    const int stripBegin = m - lane * quadSize;
    if (2 * stripBegin >= grid.nx || firstRow >= endOfRows)
        return;
    const auto readable = min(static_cast<std::ptrdiff_t>(m), grid.rowStride - quadSize);
    const int lowest = max(beginOfRows - 1, 0);
    const int highest = min(endOfRows, grid.ny - 1);
    const auto offset = [&](int j, int plane) {
        return min(max(plane, 0), grid.nz - 1) * grid.planeStride
               + min(max(j, lowest), highest) * grid.rowStride;
    };
    Quad<T> rows[Rows + 2], values[Rows], front[Rows], back[Rows];
    T edges[Rows];
#pragma unroll
    for (int r = 0; r < Rows + 2; ++r)
        rows[r] = loadQuad(other + offset(firstRow + r - 1, k) + readable);
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
        const int j = firstRow + r;
        values[r] = loadQuad(own + offset(j, k) + readable);
        if (Is3D) {
            front[r] = loadQuad(other + offset(j, k - 1) + readable);
            back[r] = loadQuad(other + offset(j, k + 1) + readable);
        }
        // Beside the strip: before it, or after it.
        const bool beginsOdd = (colour + j + k) % 2 != 0;
        const int edge = beginsOdd ? stripBegin + stripSize : stripBegin - 1;
        const bool isMine = lane == (beginsOdd ? 31 : 0) && edge >= 0 && edge < grid.rowStride;
        edges[r] = isMine ? other[offset(j, k) + edge] : T(0);
    }
    const bool atSide = stripBegin == 0 || 2 * (stripBegin + stripSize) >= grid.nx;
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
        const int j = firstRow + r;
        if (j >= endOfRows)
            break;
        const int start = (colour + j + k) % 2;
        const auto &centre = rows[r + 1];
        const auto &old = values[r];
        Quad<T> left = centre, right = centre;
        const auto beside = besideInStrip(centre, edges[r], lane);
        if (start == 0)
            left = beside.left;
        else
            right = beside.right;
        if (atSide) {
#pragma unroll
            for (int q = 0; q < quadSize; ++q) {
                const int i = 2 * (m + q) + start;
                if (i == 0)
                    left.v[q] = ghost(grid.sides[0], old.v[q]);
                if (i == grid.nx - 1)
                    right.v[q] = ghost(grid.sides[1], old.v[q]);
            }
        }
        const auto below = j == 0 ? ghost(grid.sides[2], old) : rows[r];
        const auto above = j == grid.ny - 1 ? ghost(grid.sides[3], old) : rows[r + 2];
        const auto f = sourceOf(grid, m, start, j, k);
        Quad<T> result;
#pragma unroll
        for (int q = 0; q < quadSize; ++q) {
            T sum = (left.v[q] + right.v[q]) + (below.v[q] + above.v[q]);
            if (Is3D)
                sum += (k == 0 ? ghost(grid.sides[4], old.v[q]) : front[r].v[q])
                       + (k == grid.nz - 1 ? ghost(grid.sides[5], old.v[q]) : back[r].v[q]);
            // Rounded in one way, whichever compiler makes it.
            result.v[q] = fma(keep, old.v[q], weight * (sum + f.v[q]));
        }
        if (m < grid.rowStride)
            streamQuad(own + offset(j, k) + m, result);
    }
}

} // namespace gridhelm::gpu::sor
