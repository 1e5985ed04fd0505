// SPDX-License-Identifier: GPL-3.0-or-later
//
// Multi-layer SSOR [Di2010] on the device: a thread block has a tile with the values around it
// in shared memory. In lexicographic order an unknown waits for the ones below and left of it, and
// for the layer below it of the ones above and right of it. So unknown (i, j) of layer k can be
// relaxed in step i + j + 2 k: diagonals of several layers are under way at once, a thread for each
// row of each of these layers.
#include "gpu/poisson/quad.h"
#include "gpu/poisson/sor/kernels.h"
#include "gpu/support/cuda_error.h"
#include "gpu/support/device_attribute.h"

#include <algorithm>

namespace gridhelm::gpu::sor {
namespace {

/// One value, wherever its neighbours are.
template <typename T>
__device__ void relaxOne(const GridView<T> &grid, T *u, int stride, int i, int j, T keep, T weight)
{
    const T old = *u;
    const T left = i == 0 ? ghost(grid.sides[0], old) : u[-1];
    const T right = i == grid.nx - 1 ? ghost(grid.sides[1], old) : u[1];
    const T below = j == 0 ? ghost(grid.sides[2], old) : u[-stride];
    const T above = j == grid.ny - 1 ? ghost(grid.sides[3], old) : u[stride];
    T f = i == grid.spikeX && j == grid.spikeY ? grid.spike : T(0);
    if (grid.source != nullptr)
        f = grid.source[j * grid.rowStride + i];
    *u = keep * old + weight * ((left + right) + (below + above) + f);
}

/// The steps begin ... end - 1 in which a layer has work, but for the 2 that it waits for each
/// layer before it.
__device__ int2 stepsOf(const int2 &x, const int2 &y, const int2 &wideX, const int2 &wideY,
                        bool isBackward)
{
    if (x.x >= x.y || y.x >= y.y)
        return {1 << 29, 0};
    const int begin = isBackward ? wideX.y - x.y + wideY.y - y.y : x.x - wideX.x + y.x - wideY.x;
    return {begin, begin + x.y - x.x + y.y - y.x - 1};
}

/// All layers of a tile, of which `first` would be unknown (0, 0): as many at a time as there are
/// threads for.
template <typename T>
__device__ __forceinline__ void relaxLayers(const GridView<T> &grid, T *first, int stride,
                                            const int2 *layersX, const int2 *layersY,
                                            const TileKernel &tiles, T keep, T weight)
{
    const int2 wideX = layersX[tiles.widestX];
    const int2 wideY = layersY[tiles.widestY];
    const bool isInner = wideX.x > 0 && wideX.y < grid.nx && wideY.x > 0 && wideY.y < grid.ny
                         && grid.source == nullptr
                         && !(grid.spikeX >= wideX.x && grid.spikeX < wideX.y
                              && grid.spikeY >= wideY.x && grid.spikeY < wideY.y);
    const int row = threadIdx.x;
    const int j = tiles.isBackward ? wideY.y - 1 - row : wideY.x + row;
    const int toNext = tiles.isBackward ? -1 : 1;
    for (int round = 0; round < tiles.layers; round += blockDim.y) {
        // Steps in which some layer of this round has work.
        const int lastOfRound = min(round + static_cast<int>(blockDim.y), tiles.layers) - 1;
        int begin = 1 << 30, end = 0;
        for (int layer = round; layer <= lastOfRound; ++layer) {
            const auto active =
                stepsOf(layersX[layer], layersY[layer], wideX, wideY, tiles.isBackward);
            begin = min(begin, active.x + 2 * (layer - round));
            end = max(end, active.y + 2 * (layer - round));
        }
        const int layer = round + threadIdx.y;
        int2 x{0, 0};
        if (layer < tiles.layers && j >= layersY[layer].x && j < layersY[layer].y)
            x = layersX[layer];
        // The first step of this thread, and how many it has.
        const int start = (tiles.isBackward ? wideX.y - x.y : x.x - wideX.x) + row
                          + 2 * static_cast<int>(threadIdx.y);
        const int count = x.y - x.x;
        T *u =
            first + (static_cast<std::ptrdiff_t>(j) * stride + (tiles.isBackward ? x.y - 1 : x.x));
        int i = tiles.isBackward ? x.y - 1 : x.x;
        T before = 0, old = 0;
        for (int step = begin; step < end; ++step) {
            const auto done = static_cast<unsigned>(step - start);
            if (done < static_cast<unsigned>(count)) {
                if (isInner) {
                    if (done == 0) {
                        before = u[-toNext];
                        old = u[0];
                    }
                    const T after = u[toNext];
                    before = keep * old + weight * ((before + after) + (u[-stride] + u[stride]));
                    *u = before;
                    old = after;
                } else {
                    relaxOne(grid, u, stride, i, j, keep, weight);
                }
                u += toNext;
                i += toNext;
            }
            __syncthreads();
        }
    }
}

template <typename T, bool InShared>
__global__ void relaxTile(const __grid_constant__ GridView<T> grid, T *values,
                          const __grid_constant__ TileKernel tiles, int sharedStride, T keep,
                          T weight)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const int dx = static_cast<int>(blockIdx.x) % tiles.x.subdomains;
    const int dy = static_cast<int>(blockIdx.x) / tiles.x.subdomains;
    const int2 *layersX = tiles.x.layers + dx * tiles.layers;
    const int2 *layersY = tiles.y.layers + dy * tiles.layers;
    const int2 wideX = layersX[tiles.widestX];
    const int2 wideY = layersY[tiles.widestY];
    if (wideX.x >= wideX.y || wideY.x >= wideY.y)
        return;

    // The tile and what is around it, but for what lies beyond the sides.
    const int2 readX{max(wideX.x - 1, 0), min(wideX.y + 1, grid.nx)};
    const int2 readY{max(wideY.x - 1, 0), min(wideY.y + 1, grid.ny)};
    T *first = values; // where unknown (0, 0) would be
    int stride = static_cast<int>(grid.rowStride);
    if (InShared) {
        T *tile = reinterpret_cast<T *>(memory);
        stride = sharedStride;
        first = tile - readY.x * stride - readX.x;
        for (int j = readY.x + threadIdx.y; j < readY.y; j += blockDim.y) {
            for (int i = readX.x + threadIdx.x; i < readX.y; i += blockDim.x)
                first[j * stride + i] = values[j * grid.rowStride + i];
        }
        __syncthreads();
    }

    relaxLayers(grid, first, stride, layersX, layersY, tiles, keep, weight);
    if (InShared) {
        for (int row = wideY.x + threadIdx.y; row < wideY.y; row += blockDim.y) {
            for (int i = wideX.x + threadIdx.x; i < wideX.y; i += blockDim.x)
                values[row * grid.rowStride + i] = first[row * stride + i];
        }
    }
}

} // namespace

template <typename T>
void relaxTiles(const GridView<T> &grid, T *values, const TileKernel &tiles, T keep, T weight,
                cudaStream_t stream)
{
    const int maxShared = deviceAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    const int rows = (tiles.width + 31) / 32 * 32;
    const int together = std::max(1, std::min(tiles.threads / rows, tiles.layers));
    // Even, so that the unknowns of a diagonal lie in different banks.
    const int stride = (tiles.width + 3) / 2 * 2;
    const auto bytes =
        static_cast<std::size_t>(stride) * static_cast<std::size_t>(tiles.width + 2) * sizeof(T);
    const bool inShared = bytes <= static_cast<std::size_t>(maxShared);
    const auto kernel = inShared ? relaxTile<T, true> : relaxTile<T, false>;
    if (inShared)
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(bytes)),
              "give a block so much shared memory");
    const auto blocks =
        static_cast<unsigned>(tiles.x.subdomains) * static_cast<unsigned>(tiles.y.subdomains);
    const dim3 threads(static_cast<unsigned>(rows), static_cast<unsigned>(together));
    kernel<<<blocks, threads, inShared ? bytes : 0, stream>>>(grid, values, tiles, stride, keep,
                                                              weight);
    checkLaunch("relax the tiles");
}

template void relaxTiles(const GridView<float> &, float *, const TileKernel &, float, float,
                         cudaStream_t);
template void relaxTiles(const GridView<double> &, double *, const TileKernel &, double, double,
                         cudaStream_t);

} // namespace gridhelm::gpu::sor
