// SPDX-License-Identifier: GPL-3.0-or-later
//
// Code that is made for GPUs, run by the CPU: all of its kernels' arithmetic can be checked where
// there is no GPU. The threads of a warp are fibers that change places at each shuffle.
#pragma once

#include <string_view>

namespace gridhelm::test {

/// Before the code.
inline constexpr std::string_view emulatedGpu = R"(
#include <algorithm>
#include <cmath>
#include <cstring>
#include <ucontext.h>
#include <vector>
#define __device__
#define __global__
#define __constant__ static const
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __restrict__
struct dim3 { unsigned x = 1, y = 1, z = 1; };
struct float4 { float x, y, z, w; };
static dim3 threadIdx, blockIdx, blockDim, gridDim;
static inline long long min(long long a, long long b) { return a < b ? a : b; }
static inline long long max(long long a, long long b) { return a > b ? a : b; }
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }
static inline void __stcs(float4 *to, float4 value) { std::memcpy(to, &value, sizeof value); }

namespace emulated {
constexpr int lanes = 32;
ucontext_t back, contexts[lanes];
double slots[2][lanes];
int turn[lanes];
dim3 place[lanes];
bool isOver[lanes];
int lane = 0;
inline void pass()
{
    const int own = lane;
    place[own] = threadIdx;
    swapcontext(&contexts[own], &back);
    lane = own;
    threadIdx = place[own];
}
// Slots are written by all before one of them is read, and those of the next shuffle are others.
template <typename T>
T shuffled(T value, int from)
{
    const int now = turn[lane]++ % 2;
    slots[now][lane] = value;
    pass();
    return static_cast<T>(slots[now][from < 0 || from >= lanes ? lane : from]);
}
void (*body)();
inline void begin()
{
    body();
    isOver[lane] = true;
    swapcontext(&contexts[lane], &back);
}
inline void runWarp(void (*work)())
{
    static std::vector<std::vector<char>> stacks(lanes, std::vector<char>(1 << 18));
    body = work;
    for (int l = 0; l < lanes; ++l) {
        getcontext(&contexts[l]);
        contexts[l].uc_stack.ss_sp = stacks[l].data();
        contexts[l].uc_stack.ss_size = stacks[l].size();
        contexts[l].uc_link = nullptr;
        makecontext(&contexts[l], begin, 0);
        isOver[l] = false;
        turn[l] = 0;
        place[l] = {unsigned(l), threadIdx.y, 0};
    }
    for (bool isOn = true; isOn;) {
        isOn = false;
        for (int l = 0; l < lanes; ++l) {
            if (isOver[l])
                continue;
            lane = l;
            threadIdx = place[l];
            swapcontext(&back, &contexts[l]);
            isOn = isOn || !isOver[l];
        }
    }
}
// Of all threads of all blocks, one after the other.
template <typename Body>
void launch(dim3 blocks, dim3 block, Body work)
{
    gridDim = blocks;
    blockDim = block;
    for (unsigned z = 0; z < blocks.z; ++z)
        for (unsigned y = 0; y < blocks.y; ++y)
            for (unsigned x = 0; x < blocks.x; ++x)
                for (unsigned ty = 0; ty < block.y; ++ty)
                    for (unsigned tx = 0; tx < block.x; ++tx) {
                        blockIdx = {x, y, z};
                        threadIdx = {tx, ty, 0};
                        work();
                    }
}
}
template <typename T>
T __shfl_up_sync(unsigned, T value, int by) { return emulated::shuffled(value, emulated::lane - by); }
template <typename T>
T __shfl_down_sync(unsigned, T value, int by) { return emulated::shuffled(value, emulated::lane + by); }
)";

/// Behind it: run(u, to, grid, lists, iterations, levels, stripWidth, rows, blocks, block) iterates
/// as gpu/stencil does, and returns the grid that has the values. An odd number of rows a warp.
inline constexpr std::string_view emulatedLaunches = R"(
namespace emulated {
const Value *u_; Value *to_; Grid grid_; Lists lists_; int rows_;
unsigned blocksFor(long long size, long long block) { return unsigned((size + block - 1) / block); }
void setGhosts(Value *u, const Grid &grid)
{
    for (int axis = 0; axis < stencil::dimension; ++axis) {
        const auto across = grid.points[axis == 0 ? 1 : 0] + 2 * radius;
        const auto behind = stencil::dimension == 3 ? grid.points[axis == 2 ? 1 : 2] + 2 * radius : 1;
        launch({blocksFor(across, 32), blocksFor(behind, 4), 1}, {32, 4, 1},
               [&] { setGhostsAlong(u, grid, axis); });
    }
}
}
extern "C" Value *run(Value *u, Value *to, const Grid *grid, const Lists *lists, long long iterations)
{
    using namespace emulated;
    const bool is3D = stencil::dimension == 3;
    const auto rows = is3D ? grid->points[1] : (grid->points[1] + unknowns - 1) / unknowns;
    const dim3 blocks{blocksFor(grid->points[0], blockX * width),
                      blocksFor(rows, blockY * rowsAtOnce),
                      is3D ? blocksFor(grid->points[2], unknowns) : 1};
    setGhosts(u, *grid);
    setGhosts(to, *grid);
#ifdef PASSES
    rows_ = ROWS;
    bool areOld = false;
    for (; iterations >= levels; iterations -= levels) {
        u_ = u; to_ = to; grid_ = *grid; lists_ = *lists;
        const auto strips = blocksFor(grid->points[0], stripWidth);
        const auto warps = strips * blocksFor(grid->points[1], rows_);
        for (unsigned b = 0; b < blocksFor(warps, warpsOfBlock); ++b)
            for (unsigned w = 0; w < unsigned(warpsOfBlock); ++w) {
                blockIdx = {b, 0, 0};
                threadIdx = {0, w, 0};
                blockDim = {32, 4, 1};
                runWarp([] { iterateSeveral(u_, to_, grid_, lists_, rows_); });
            }
        std::swap(u, to);
        areOld = true;
    }
    if (areOld)
        setGhosts(u, *grid);
#endif
    for (; iterations > 0; --iterations) {
        launch(blocks, {unsigned(blockX), unsigned(blockY), 1}, [&] { iterate(u, to, *grid, *lists); });
        std::swap(u, to);
        if (ghostsMove) {
            const auto lines = is3D ? max(grid->points[1], grid->points[2]) : 1;
            launch({blocksFor((grid->points[0] + 2 * radius) * 2 * radius * lines, 256),
                    is3D ? 2U : 1U, 1}, {256, 1, 1}, [&] { followValues(u, *grid); });
        }
    }
    return u;
}
)";

} // namespace gridhelm::test
