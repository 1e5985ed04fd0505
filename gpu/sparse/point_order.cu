// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/point_order.h"

#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <bit>

namespace gridhelm::gpu {

namespace {

constexpr unsigned threads = 256;

template <typename T>
__global__ void findCells(const T *points, int dimension, std::uint32_t count, int keyBits,
                          std::uint32_t *counts, uint2 *places)
{
    const auto j = blockIdx.x * threads + threadIdx.x;
    if (j >= count)
        return;
    const T *point = points + static_cast<std::size_t>(j) * dimension;
    // Bit k of a coordinate goes to bit k * dimension + t of the key, counted from the highest.
    std::uint32_t key = 0;
    for (int t = 0; t < dimension && t < keyBits; ++t) {
        const int own = (keyBits - t + dimension - 1) / dimension; // bits of this dimension
        const auto cells = 1U << own;
        const auto cell = min(static_cast<std::uint32_t>(point[t] * static_cast<T>(cells)),
                              cells - 1);
        for (int k = 0; k < own; ++k)
            key |= ((cell >> (own - 1 - k)) & 1U) << (keyBits - 1 - (k * dimension + t));
    }
    places[j] = {key, atomicAdd(counts + key, 1U)};
}

__global__ void placePoints(const uint2 *places, const std::uint32_t *firstOfCell,
                            std::uint32_t count, std::uint32_t *order)
{
    const auto j = blockIdx.x * threads + threadIdx.x;
    if (j < count)
        order[firstOfCell[places[j].x] + places[j].y] = j;
}

} // namespace

template <typename T>
void PointOrder::compute(const T *points, int dimension, std::uint32_t count, cudaStream_t stream)
{
    // About eight points a cell; more cells than the second-level cache holds counters would not
    // pay.
    const int keyBits = std::clamp(static_cast<int>(std::bit_width(count / 8)), 5, 18);
    const auto cells = std::uint32_t{1} << keyBits;
    m_places.reserve(count);
    m_order.reserve(count);
    m_counts.reserve(cells);
    check(cudaMemsetAsync(m_counts.data(), 0, cells * sizeof(std::uint32_t), stream),
          "clear counters");
    const auto blocks = (count + threads - 1) / threads;
    findCells<T><<<blocks, threads, 0, stream>>>(points, dimension, count, keyBits,
                                                 m_counts.data(), m_places.data());
    checkLaunch("sort points");
    std::size_t bytes = 0;
    check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, m_counts.data(), m_counts.data(), cells,
                                        stream),
          "sort points");
    m_scanMemory.reserve(bytes);
    check(cub::DeviceScan::ExclusiveSum(m_scanMemory.data(), bytes, m_counts.data(),
                                        m_counts.data(), cells, stream),
          "sort points");
    placePoints<<<blocks, threads, 0, stream>>>(m_places.data(), m_counts.data(), count,
                                                m_order.data());
    checkLaunch("sort points");
}

template void PointOrder::compute<float>(const float *, int, std::uint32_t, cudaStream_t);
template void PointOrder::compute<double>(const double *, int, std::uint32_t, cudaStream_t);

} // namespace gridhelm::gpu
