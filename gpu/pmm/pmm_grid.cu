// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/pmm/pmm_grid.h"

#include "core/solvers/pmm/medium_coefficients.h"
#include "core/solvers/pmm/plane_kernel.h"
#include "gpu/pmm/march.h"
#include "gpu/support/cuda_error.h"

#include <algorithm>
#include <math_constants.h>

namespace gridhelm::gpu {
namespace {

constexpr unsigned blockThreads = 256;
constexpr int tileEdge = 32; ///< of what is transposed at once
constexpr int tileRows = 8;  ///< that a block reads at the same time

/// Blocks for a loop over so many values in steps of the grid.
unsigned blocksFor(std::size_t count)
{
    return static_cast<unsigned>(
        std::clamp<std::size_t>((count + blockThreads - 1) / blockThreads, 1, 1u << 16));
}

__device__ std::size_t gridThread()
{
    return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ std::size_t gridThreads()
{
    return static_cast<std::size_t>(gridDim.x) * blockDim.x;
}

__device__ std::size_t paddedIndex(const PmmLayout &layout, std::size_t node)
{
    const std::size_t row = node / layout.points[0];
    return row * layout.rowStride + node % layout.points[0]; // planes have no padding
}

template <typename Value>
__global__ void fillKernel(Value *values, std::size_t count, Value value)
{
    for (std::size_t i = gridThread(); i < count; i += gridThreads())
        values[i] = value;
}

template <typename T>
__global__ void sourceKernel(const PmmSourceNode<T> *sources, std::size_t count, T *times,
                             const PmmLayout layout, const PmmBricks bricks, int change)
{
    for (std::size_t i = gridThread(); i < count; i += gridThreads()) {
        const auto node = sources[i].node;
        if (i > 0 && sources[i - 1].node == node)
            continue;
        times[paddedIndex(layout, node)] = sources[i].time;
        const std::size_t x = node % layout.points[0] / brickEdge;
        const std::size_t y = node / layout.points[0] % layout.points[1] / brickEdge;
        const std::size_t z = node / layout.points[0] / layout.points[1] / brickEdge;
        atomicExch(&bricks.changes[(z * bricks.count[1] + y) * bricks.count[0] + x], change);
    }
}

/// A block transposes a tile of every plane in a layer of bricks.
template <typename T>
__global__ void __launch_bounds__(tileEdge *tileRows)
    exchangeKernel(const T *from, const PmmLayout fromLayout, T *to, const PmmLayout toLayout,
                   int firstAxis, const PmmBricks bricks, int changedAfter)
{
    constexpr int bricksOfTile = tileEdge / brickEdge;
    __shared__ T tile[tileEdge][tileEdge + 1];
    const unsigned lane = threadIdx.x;
    const unsigned row = threadIdx.y;
    const std::size_t u0 = static_cast<std::size_t>(blockIdx.x) * tileEdge;
    const std::size_t v0 = static_cast<std::size_t>(blockIdx.y) * tileEdge;
    for (std::size_t layer = blockIdx.z; layer < bricks.count[2]; layer += gridDim.z) {
        bool changed = false;
        if (row == 0 && lane < bricksOfTile * bricksOfTile) {
            const std::size_t bu = u0 / brickEdge + lane % bricksOfTile;
            const std::size_t bv = v0 / brickEdge + lane / bricksOfTile;
            const std::size_t bx = firstAxis == 0 ? bu : bv;
            const std::size_t by = firstAxis == 0 ? bv : bu;
            if (bx < bricks.count[0] && by < bricks.count[1])
                changed = bricks.changes[(layer * bricks.count[1] + by) * bricks.count[0] + bx]
                          > changedAfter;
        }
        if (!__syncthreads_or(changed))
            continue;
        const std::size_t end =
            min((layer + 1) * static_cast<std::size_t>(brickEdge), fromLayout.points[2]);
        for (std::size_t plane = layer * brickEdge; plane < end; ++plane) {
            for (unsigned v = row; v < tileEdge; v += tileRows) {
                if (u0 + lane < fromLayout.points[0] && v0 + v < fromLayout.points[1])
                    tile[v][lane] = from[plane * fromLayout.planeStride
                                         + (v0 + v) * fromLayout.rowStride + u0 + lane];
            }
            __syncthreads();
            for (unsigned u = row; u < tileEdge; u += tileRows) {
                if (v0 + lane < toLayout.points[0] && u0 + u < toLayout.points[1])
                    to[plane * toLayout.planeStride + (u0 + u) * toLayout.rowStride + v0 + lane] =
                        tile[lane][u];
            }
            __syncthreads();
        }
    }
}

/// A block copies a row of bricks as wide as a warp.
template <typename T>
__global__ void __launch_bounds__(tileEdge *brickEdge)
    copyKernel(const PmmRows<T> box, const PmmBricks bricks, int changedAfter)
{
    constexpr int bricksOfTile = tileEdge / brickEdge;
    const std::size_t u = static_cast<std::size_t>(blockIdx.x) * tileEdge + threadIdx.x;
    const std::size_t v = static_cast<std::size_t>(blockIdx.y) * brickEdge + threadIdx.y;
    for (std::size_t layer = blockIdx.z; layer * brickEdge < box.planes; layer += gridDim.z) {
        bool changed = false;
        const std::size_t brick = static_cast<std::size_t>(blockIdx.x) * bricksOfTile + threadIdx.x;
        if (threadIdx.y == 0 && threadIdx.x < bricksOfTile && brick < bricks.count[0])
            changed =
                bricks.changes[(layer * bricks.count[1] + blockIdx.y) * bricks.count[0] + brick]
                > changedAfter;
        if (!__syncthreads_or(changed) || u >= box.width || v >= box.rows)
            continue;
        const std::size_t end = min((layer + 1) * static_cast<std::size_t>(brickEdge), box.planes);
        for (std::size_t plane = layer * brickEdge; plane < end; ++plane)
            box.to[plane * box.toPlaneStride + v * box.rowStride + u] =
                box.from[plane * box.fromPlaneStride + v * box.rowStride + u];
    }
}

__device__ double valueAt(const PmmNodeValues &values, std::size_t node)
{
    return values.values ? values.scale * values.values[node] : values.scale;
}

template <typename T>
__global__ void coefficientsKernel(const PmmMediumSlab slab, std::size_t firstNode,
                                   std::size_t count, const PmmLayout layout, T *first, T *second)
{
    for (std::size_t i = gridThread(); i < count; i += gridThreads()) {
        const double speed = valueAt(slab.speed, i);
        const auto target = paddedIndex(layout, firstNode + i);
        if (!slab.anisotropic) {
            const auto values = solvers::isotropicCoefficients(slab.spacing, speed);
            first[target] = static_cast<T>(values[0]);
            continue;
        }
        const auto values = solvers::anisotropicCoefficients(
            slab.spacing, speed, valueAt(slab.advection, i), slab.directionSquare);
        first[target] = static_cast<T>(values[0]);
        second[target] = static_cast<T>(values[1]);
    }
}

__device__ void setInfinite(float &value)
{
    value = CUDART_INF_F;
}
__device__ void setInfinite(double &value)
{
    value = CUDART_INF;
}

template <typename T>
__global__ void packKernel(const T *times, const PmmLayout layout, std::size_t firstNode,
                           std::size_t count, T *packed)
{
    for (std::size_t i = gridThread(); i < count; i += gridThreads()) {
        T time = times[paddedIndex(layout, firstNode + i)];
        if (time >= solvers::unreachedTime<T> / 2)
            setInfinite(time);
        packed[i] = time;
    }
}

template <typename T>
__global__ void unpackKernel(const T *packed, std::size_t firstNode, std::size_t count, T *times,
                             const PmmLayout layout)
{
    for (std::size_t i = gridThread(); i < count; i += gridThreads())
        times[paddedIndex(layout, firstNode + i)] =
            isinf(packed[i]) ? solvers::unreachedTime<T> : packed[i];
}

} // namespace

template <typename Value>
void fillAll(const DeviceBuffer<Value> &buffer, Value value, cudaStream_t stream)
{
    fillKernel<<<blocksFor(buffer.size()), blockThreads, 0, stream>>>(buffer.data(), buffer.size(),
                                                                      value);
    checkLaunch("fill its memory");
}

template <typename T>
void placeSources(const DeviceBuffer<PmmSourceNode<T>> &sources, std::size_t count, T *times,
                  const PmmLayout &layout, const PmmBricks &bricks, int change, cudaStream_t stream)
{
    sourceKernel<<<blocksFor(count), blockThreads, 0, stream>>>(sources.data(), count, times,
                                                                layout, bricks, change);
    checkLaunch("take the source");
}

template <typename T>
void exchangeXY(const T *from, const PmmLayout &fromLayout, T *to, const PmmLayout &toLayout,
                int firstAxis, const PmmBricks &bricks, int changedAfter, cudaStream_t stream)
{
    // More than 65,535 rows of tiles are 2 million nodes in one direction.
    const auto tiles = [](std::size_t nodes) {
        return static_cast<unsigned>((nodes + tileEdge - 1) / tileEdge);
    };
    const dim3 grid(tiles(fromLayout.points[0]), tiles(fromLayout.points[1]),
                    static_cast<unsigned>(std::min<std::size_t>(bricks.count[2], 65'535)));
    exchangeKernel<<<grid, dim3(tileEdge, tileRows), 0, stream>>>(from, fromLayout, to, toLayout,
                                                                  firstAxis, bricks, changedAfter);
    checkLaunch("exchange x and y");
}

template <typename T>
void copyRows(const PmmRows<T> &rows, const PmmBricks &bricks, int changedAfter,
              cudaStream_t stream)
{
    const auto parts = [](std::size_t nodes, std::size_t edge) {
        return static_cast<unsigned>((nodes + edge - 1) / edge);
    };
    const dim3 grid(parts(rows.width, tileEdge), parts(rows.rows, brickEdge),
                    std::min(parts(rows.planes, brickEdge), 65'535U));
    copyKernel<<<grid, dim3(tileEdge, brickEdge), 0, stream>>>(rows, bricks, changedAfter);
    checkLaunch("divide the grid again");
}

template <typename T>
void setCoefficients(const PmmMediumSlab &slab, std::size_t firstPlane, std::size_t planes,
                     const PmmLayout &layout, T *first, T *second, cudaStream_t stream)
{
    const std::size_t perPlane = layout.points[0] * layout.points[1];
    const std::size_t count = planes * perPlane;
    coefficientsKernel<<<blocksFor(count), blockThreads, 0, stream>>>(slab, firstPlane * perPlane,
                                                                      count, layout, first, second);
    checkLaunch("take the speed and the advection");
}

template <typename T>
void packTimes(const T *times, const PmmLayout &layout, std::size_t firstNode, std::size_t count,
               T *packed, cudaStream_t stream)
{
    packKernel<<<blocksFor(count), blockThreads, 0, stream>>>(times, layout, firstNode, count,
                                                              packed);
    checkLaunch("deliver the times");
}

template <typename T>
void unpackTimes(const T *packed, std::size_t firstNode, std::size_t count, T *times,
                 const PmmLayout &layout, cudaStream_t stream)
{
    unpackKernel<<<blocksFor(count), blockThreads, 0, stream>>>(packed, firstNode, count, times,
                                                                layout);
    checkLaunch("take the initial guess");
}

template void fillAll<int>(const DeviceBuffer<int> &, int, cudaStream_t);

#define GRIDHELM_INSTANTIATE(T)                                                                    \
    template void fillAll<T>(const DeviceBuffer<T> &, T, cudaStream_t);                            \
    template void placeSources<T>(const DeviceBuffer<PmmSourceNode<T>> &, std::size_t, T *,        \
                                  const PmmLayout &, const PmmBricks &, int, cudaStream_t);        \
    template void exchangeXY<T>(const T *, const PmmLayout &, T *, const PmmLayout &, int,         \
                                const PmmBricks &, int, cudaStream_t);                             \
    template void copyRows<T>(const PmmRows<T> &, const PmmBricks &, int, cudaStream_t);           \
    template void setCoefficients<T>(const PmmMediumSlab &, std::size_t, std::size_t,              \
                                     const PmmLayout &, T *, T *, cudaStream_t);                   \
    template void packTimes<T>(const T *, const PmmLayout &, std::size_t, std::size_t, T *,        \
                               cudaStream_t);                                                      \
    template void unpackTimes<T>(const T *, std::size_t, std::size_t, T *, const PmmLayout &,      \
                                 cudaStream_t)
GRIDHELM_INSTANTIATE(float);
GRIDHELM_INSTANTIATE(double);
#undef GRIDHELM_INSTANTIATE

} // namespace gridhelm::gpu
