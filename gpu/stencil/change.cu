// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/stencil/change.h"

#include "gpu/poisson/block_reduction.cuh"

#include <algorithm>

namespace gridhelm::gpu {
namespace {

constexpr int threads = 256;
constexpr long long mostBlocks = 2048;

/// A block takes every so many rows.
template <typename T>
__global__ void __launch_bounds__(threads)
    findChange(const T *present, const T *next, StencilGrid grid, ReductionSlots slots)
{
    double sum = 0;
    T largest = 0;
    const long long rows = grid.points[1] * grid.points[2];
    for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
        const long long at =
            row % grid.points[1] * grid.strides[1] + row / grid.points[1] * grid.strides[2];
        for (long long i = at + threadIdx.x; i < at + grid.points[0]; i += threads) {
            const double change = static_cast<double>(next[i]) - static_cast<double>(present[i]);
            sum += change * change;
            largest = max(largest, static_cast<T>(fabs(change)));
        }
    }
    reduceInBlock(sum, largest, slots.blockSums + blockIdx.x, slots.largest);
}

} // namespace

template <typename T>
BlockReduction::Values changeBetween(const T *present, const T *next, const StencilGrid &grid,
                                     BlockReduction &reduction, const Stream &stream)
{
    const auto blocks = std::min(mostBlocks, grid.points[1] * grid.points[2]);
    const auto slots = reduction.begin(static_cast<std::size_t>(blocks), stream);
    findChange<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(present, next, grid, slots);
    checkLaunch("find what an iteration changes");
    return reduction.read(true, stream);
}

template BlockReduction::Values changeBetween(const float *, const float *, const StencilGrid &,
                                              BlockReduction &, const Stream &);
template BlockReduction::Values changeBetween(const double *, const double *, const StencilGrid &,
                                              BlockReduction &, const Stream &);

} // namespace gridhelm::gpu
