// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/point_order.h"

#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <bit>

namespace gridhelm::gpu {

namespace {

constexpr unsigned threads = 256;

constexpr int maxKeyBits = 18;

/// Which bits of the coordinates make up the key, the most significant one first.
struct Key
{
    std::uint8_t dimension[maxKeyBits];
    std::uint8_t bit[maxKeyBits]; ///< 0: the half of the cube
    int bits = 0;

    void add(int t, int round)
    {
        dimension[bits] = static_cast<std::uint8_t>(t);
        bit[bits++] = static_cast<std::uint8_t>(round);
    }
};

/// The first 32 bits behind the point; the last cell for x = 1.
__device__ inline std::uint32_t leadingBits(float x)
{
    return __float2uint_rz(x * 0x1p32F); // saturates
}
__device__ inline std::uint32_t leadingBits(double x)
{
    return __double2uint_rz(x * 0x1p32);
}

template <typename T>
__global__ void findCells(const T *points, int dimension, std::uint32_t count,
                          const __grid_constant__ Key key, std::uint32_t *counts, uint2 *places)
{
    const auto j = blockIdx.x * threads + threadIdx.x;
    if (j >= count)
        return;
    const T *point = points + static_cast<std::size_t>(j) * dimension;
    std::uint32_t cell = 0;
    for (int i = 0; i < key.bits; ++i)
        cell = cell << 1 | (leadingBits(point[key.dimension[i]]) >> (31 - key.bit[i]) & 1U);
    places[j] = {cell, atomicAdd(counts + cell, 1U)};
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
    const int keyBits = std::clamp(static_cast<int>(std::bit_width(count / 8)), 5, maxKeyBits);
    Key key;
    for (int i = 0; i < keyBits; ++i)
        key.add(i % dimension, i / dimension);
    const auto cells = std::uint32_t{1} << key.bits;
    m_places.reserve(count);
    m_order.reserve(count);
    m_counts.reserve(cells);
    check(cudaMemsetAsync(m_counts.data(), 0, cells * sizeof(std::uint32_t), stream),
          "clear counters");
    const auto blocks = (count + threads - 1) / threads;
    findCells<T><<<blocks, threads, 0, stream>>>(points, dimension, count, key, m_counts.data(),
                                                 m_places.data());
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
