// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/literal_walk.h"

#include "core/support/error.h"

#include <algorithm>
#include <span>

namespace gridhelm::gpu {

namespace {

constexpr unsigned threads = 256;
constexpr std::uint32_t tileBlocks = 256; ///< whose level vectors are in shared memory

template <int d>
__global__ void __launch_bounds__(threads)
    literalKernel(const std::uint8_t *__restrict__ levels, const std::uint32_t *groupFirstBlock,
                  int groups, const float *__restrict__ coefficients,
                  const float *__restrict__ points, std::uint32_t count, float *values)
{
    __shared__ std::uint8_t tile[tileBlocks * d];
    const auto j = blockIdx.x * threads + threadIdx.x;
    float x[d];
#pragma unroll
    for (int t = 0; t < d; ++t)
        x[t] = points[static_cast<std::size_t>(min(j, count - 1)) * d + t];
    float sum = 0;
    std::uint32_t offset = 0;
    for (int group = 0; group < groups; ++group) {
        const auto end = groupFirstBlock[group + 1];
        for (auto first = groupFirstBlock[group]; first < end; first += tileBlocks) {
            const auto blocks = min(tileBlocks, end - first);
            __syncthreads();
            for (auto i = threadIdx.x; i < blocks * d; i += threads)
                tile[i] = levels[first * d + i];
            __syncthreads();
            for (std::uint32_t block = 0; block < blocks; ++block) {
                float product = 1;
                std::uint32_t index = 0;
#pragma unroll
                for (int t = 0; t < d; ++t) {
                    const std::uint32_t level = tile[block * d + t];
                    const std::uint32_t cells = 1U << level;
                    const float scaled = x[t] * static_cast<float>(cells);
                    const auto cell = min(static_cast<std::uint32_t>(scaled), cells - 1);
                    index = (index << level) + cell;
                    product *= 1 - fabsf(2 * (scaled - static_cast<float>(cell)) - 1);
                }
                sum += product * coefficients[offset + index];
                offset += 1U << group;
            }
        }
    }
    if (j < count)
        values[j] = sum;
}

template <int d>
void launch(const std::uint8_t *levels, const std::uint32_t *groupFirstBlock, int groups,
            const float *coefficients, const float *points, std::uint32_t count, float *values,
            cudaStream_t stream)
{
    literalKernel<d><<<(count + threads - 1) / threads, threads, 0, stream>>>(
        levels, groupFirstBlock, groups, coefficients, points, count, values);
    checkLaunch("interpolate");
}

} // namespace

LiteralWalk::LiteralWalk(const sparse::SparseGrid &grid)
    : m_dimension(grid.dimension())
{
    const auto isZero = [](auto treatment) { return treatment == sparse::BoundaryTreatment::zero; };
    if (!std::ranges::all_of(grid.treatments(), isZero) || m_dimension > 10 || grid.dense() != 0
        || !grid.hasHatsOnly())
        throw Error(
            "the baseline on the CUDA device takes grids of the boundary basis zero and degree 1, "
            "all of whose dimensions count in the level sum, and up to 10 of them");
    for (int group = 0; group <= grid.groups(); ++group)
        m_groupFirstBlock.push_back(static_cast<std::uint32_t>(grid.groupFirstBlock(group)));
    m_groups = DeviceBuffer<std::uint32_t>(std::span<const std::uint32_t>(m_groupFirstBlock));
    const std::vector<std::uint8_t> levels(grid.levelVectors().begin(), grid.levelVectors().end());
    m_levels = DeviceBuffer<std::uint8_t>(std::span<const std::uint8_t>(levels));
}

void LiteralWalk::interpolate(const float *coefficients, const float *points, std::uint32_t count,
                              float *values, cudaStream_t stream) const
{
    const int groups = static_cast<int>(m_groupFirstBlock.size()) - 1;
    switch (m_dimension) {
#define GRIDHELM_DIMENSION(D)                                                                      \
    case D:                                                                                        \
        launch<D>(m_levels.data(), m_groups.data(), groups, coefficients, points, count, values,   \
                  stream);                                                                         \
        break;
        GRIDHELM_DIMENSION(1)
        GRIDHELM_DIMENSION(2)
        GRIDHELM_DIMENSION(3)
        GRIDHELM_DIMENSION(4)
        GRIDHELM_DIMENSION(5)
        GRIDHELM_DIMENSION(6)
        GRIDHELM_DIMENSION(7)
        GRIDHELM_DIMENSION(8)
        GRIDHELM_DIMENSION(9)
        GRIDHELM_DIMENSION(10)
#undef GRIDHELM_DIMENSION
    }
}

} // namespace gridhelm::gpu
