// SPDX-License-Identifier: GPL-3.0-or-later
//
// Generated code for several iterations in one pass through a GPU's memory: radius 1 in 2D. It is
// the same for all such stencils, but for what a row adds to the results.
#pragma once

#include <string_view>

namespace gridhelm::stencil {

/// After the kernel of one iteration; marks as in passKernel().
inline constexpr std::string_view cudaPassText = R"(
// ---- several iterations in one pass ------------------------------------------------------------

// A warp marches upwards through a strip of columns with all iterations at once: with row y of the
// present values, row y - 1 of the next ones is complete, with that row y - 2 of those behind them.
// What is kept of each lies in registers, and goes to the threads beside by shuffles. At the ends
// of a strip, and of the rows that a warp makes, an iteration loses one value: strips overlap.
constexpr int levels = @LEVELS@; // iterations
constexpr int stripHalo = (levels + width - 1) / width * width;
constexpr int stripWidth = 32 * width - 2 * stripHalo; // columns that a warp makes
constexpr int warpsOfBlock = 4;
constexpr bool isRingInX = @RINGX@, isRingInY = @RINGY@;

// What a warp makes, and where a thread is in it.
struct Patch
{
    int column; // the thread's first one
    int first; // rows
    int last;
    int points[2];
    Index stride;
    int spike[2]; // column and row; -1: none
};

// Where place p is, of n, if it may be beyond a side.
__device__ __forceinline__ int imageOf(int p, int n, bool isRing)
{
    return isRing ? (p % n + n) % n : p;
}

// Those beyond sides that have no image are nothing in particular.
__device__ __forceinline__ Lane loadLane(const Value *list, int row, const Patch &at, bool isSpecial)
{
    const int n = at.points[0];
    const int j = !isSpecial  ? row
                  : isRingInY ? imageOf(row, at.points[1], true)
                              : max(0, min(row, at.points[1] - 1));
    const Value *const values = list + j * at.stride;
    if (!isSpecial || (at.column >= 0 && at.column + width <= n))
        return *reinterpret_cast<const Lane *>(values + at.column);
    Lane lane;
#pragma unroll
    for (int v = 0; v < width; ++v) {
        const int i = imageOf(at.column + v, n, isRingInX);
        lane.at[v] = i >= 0 && i < n ? values[i] : 0;
    }
    return lane;
}

// With the values beside them, which are ghosts at a side.
__device__ __forceinline__ Window windowOf(const Lane &row, const Patch &at, bool isSpecial)
{
    Window window;
    window.lanes[1] = row;
    Value left = __shfl_up_sync(0xFFFFFFFF, row.at[width - 1], 1);
    Value right = __shfl_down_sync(0xFFFFFFFF, row.at[0], 1);
    if (isSpecial && !isRingInX) {
        const int end = at.points[0] - at.column; // the place of the ghost behind the last value
        if (at.column == 0)
            left = ghost(sides[0], 0, row.at[0], 0);
        if (end == width)
            right = ghost(sides[1], 0, row.at[width - 1], 0);
#pragma unroll
        for (int v = 1; v < width; ++v) {
            if (end == v)
                window.lanes[1].at[v] = ghost(sides[1], 0, row.at[v - 1], 0);
        }
    }
    window.lanes[0].at[width - 1] = left;
    window.lanes[2].at[0] = right;
    return window;
}

// The row of ghosts beyond a side, from the row before it.
__device__ __forceinline__ Window ghostsOf(const Window &row, const Side &side)
{
    Window ghosts;
    ghosts.lanes[0].at[width - 1] = ghost(side, 0, row.lanes[0].at[width - 1], 0);
    ghosts.lanes[2].at[0] = ghost(side, 0, row.lanes[2].at[0], 0);
#pragma unroll
    for (int v = 0; v < width; ++v)
        ghosts.lanes[1].at[v] = ghost(side, 0, row.lanes[1].at[v], 0);
    return ghosts;
}

// To the results that it is a neighbour of: the row above it, itself, the one below it.
__device__ __forceinline__ void addRow(Value (&sums)[3][width], const Window &row)
{
    const Window(&r0)[1] = reinterpret_cast<const Window(&)[1]>(row);
    constexpr int a = 0;
#pragma unroll
    for (int v = 0; v < width; ++v) {
@SUMS@
    }
}

__device__ __forceinline__ void shift(Value (&sums)[3][width])
{
#pragma unroll
    for (int v = 0; v < width; ++v) {
        sums[0][v] = sums[1][v];
        sums[1][v] = sums[2][v];
        sums[2][v] = 0;
    }
}

__device__ __forceinline__ void addSource(Lane &result, int row, const Lists &lists,
                                          const Patch &at, bool isSpecial)
{
@SOURCE@
    if (!isSpecial || at.spike[0] < 0 || imageOf(row, at.points[1], isRingInY) != at.spike[1])
        return;
#pragma unroll
    for (int v = 0; v < width; ++v) {
        if (imageOf(at.column + v, at.points[0], isRingInX) == at.spike[0])
            result.at[v] += lists.factor;
    }
}

__device__ __forceinline__ void store(Value *to, const Lane &result, const Patch &at, int lane)
{
    const bool isOwn = lane >= stripHalo / width && lane < 32 - stripHalo / width;
    if (!isOwn || at.column >= at.points[0])
        return;
    if (at.column + width <= at.points[0]) {
        stream(to, result);
        return;
    }
#pragma unroll
    for (int v = 0; v < width; ++v) {
        if (at.column + v < at.points[0])
            to[v] = result.at[v];
    }
}

// isSpecial: near a side, or the spike.
__device__ __forceinline__ void march(const Value *__restrict__ u, Value *__restrict__ to,
                                      const Lists &lists, const Patch &at, int lane, bool isSpecial)
{
    constexpr int rowsAhead = 4; // that are on their way from memory
    Value sums[levels][3][width] = {};
    Lane before[levels] = {}; // the last row of each, where sides are near
    Lane coming[rowsAhead];
    const int end = at.last + levels; // rows that are needed
    int y = isSpecial && !isRingInY ? max(at.first - levels, 0) : at.first - levels;
#pragma unroll
    for (int a = 0; a < rowsAhead; ++a)
        coming[a] = loadLane(u, min(y + a, end - 1), at, isSpecial);
    for (; y < end; y += rowsAhead) {
#pragma unroll
        for (int a = 0; a < rowsAhead; ++a) {
            Lane row = coming[a];
            coming[a] = loadLane(u, min(y + a + rowsAhead, end - 1), at, isSpecial);
#pragma unroll
            for (int t = 0; t < levels; ++t) {
                const int p = y + a - t;
                const bool isBehind = isSpecial && !isRingInY && p == at.points[1];
                Window window = windowOf(isBehind ? before[t] : row, at, isSpecial);
                if (isBehind)
                    window = ghostsOf(window, sides[3]);
                if (isSpecial && !isRingInY && p == 0) {
#pragma unroll
                    for (int v = 0; v < width; ++v)
                        sums[t][0][v] = sums[t][1][v] = sums[t][2][v] = 0;
                    addRow(sums[t], ghostsOf(window, sides[2]));
                    shift(sums[t]);
                }
                addRow(sums[t], window);
                if (isSpecial)
                    before[t] = row;
#pragma unroll
                for (int v = 0; v < width; ++v)
                    row.at[v] = sums[t][0][v];
                addSource(row, p - 1, lists, at, isSpecial);
                shift(sums[t]);
            }
            const int done = y + a - levels;
            if (done >= at.first && done < at.last)
                store(to + done * at.stride + at.column, row, at, lane);
        }
    }
}

// A warp makes so many rows of a strip. Ghosts in memory are neither read nor written.
__global__ void __launch_bounds__(32 * warpsOfBlock, @BLOCKS@)
    iterateSeveral(const Value *__restrict__ u, Value *__restrict__ to, Grid grid, Lists lists,
                   int rows)
{
    const int lane = threadIdx.x;
    Patch at;
    at.points[0] = static_cast<int>(grid.points[0]);
    at.points[1] = static_cast<int>(grid.points[1]);
    at.stride = grid.strides[1];
    const int strips = (at.points[0] + stripWidth - 1) / stripWidth;
    const int warp = static_cast<int>(blockIdx.x) * warpsOfBlock + static_cast<int>(threadIdx.y);
    const int begin = warp % strips * stripWidth - stripHalo, end = begin + 32 * width;
    at.column = begin + lane * width;
    at.first = warp / strips * rows;
    at.last = min(at.first + rows, at.points[1]);
    if (at.first >= at.points[1])
        return;
    at.spike[0] = lists.spike < 0 ? -1 : static_cast<int>(lists.spike % at.stride);
    at.spike[1] = lists.spike < 0 ? -1 : static_cast<int>(lists.spike / at.stride);
    const bool isNearSide = begin < 0 || end > at.points[0] || at.first <= levels
                            || at.last + levels >= at.points[1];
    const bool isNearSpike = at.spike[0] >= begin && at.spike[0] < end
                             && at.spike[1] >= at.first - levels && at.spike[1] < at.last + levels;
    if (isNearSide || isNearSpike)
        march(u, to, lists, at, lane, true);
    else
        march(u, to, lists, at, lane, false);
}
)";

} // namespace gridhelm::stencil
