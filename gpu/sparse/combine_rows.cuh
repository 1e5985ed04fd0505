// SPDX-License-Identifier: GPL-3.0-or-later
//
// The weighted sum of rows. Also compiled while the program runs (gpu/support/kernel_variant.h).
#pragma once

#include "gpu/sparse/weighted_rows.h"

#include <cstddef>
#include <cstdint>

namespace gridhelm::gpu {

__device__ inline WeightedRow loadRow(const WeightedRow *row)
{
    const uint4 words = __ldg(reinterpret_cast<const uint4 *>(row));
    WeightedRow result;
    memcpy(&result, &words, sizeof(result));
    return result;
}

template <int rowsTogether>
__device__ inline float4 sumOfRows(const WeightedRow *rows, std::uint32_t begin, std::uint32_t end,
                                   std::size_t column)
{
    float4 sum{0, 0, 0, 0};
#pragma unroll rowsTogether
    for (auto r = begin; r < end; ++r) {
        const auto row = loadRow(rows + r);
        // Read once: not worth a place in the first-level cache.
        const float4 values = __ldcs(reinterpret_cast<const float4 *>(row.row + column));
        sum.x += row.weight * values.x;
        sum.y += row.weight * values.y;
        sum.z += row.weight * values.z;
        sum.w += row.weight * values.w;
    }
    return sum;
}

/// `rowsTogether`: whose loads are under way together.
template <int rowsTogether>
__global__ void __launch_bounds__(mostRowThreads)
    combineRowsKernel(RowCombination combination, std::size_t firstColumn, std::size_t count,
                      float *y, float *indicator)
{
    const auto i = 4 * (static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x);
    if (i >= count)
        return;
    const auto inner =
        sumOfRows<rowsTogether>(combination.rows, 0, combination.lastGroupBegin, firstColumn + i);
    const auto last = sumOfRows<rowsTogether>(combination.rows, combination.lastGroupBegin,
                                              combination.count, firstColumn + i);
    *reinterpret_cast<float4 *>(y + i) = {inner.x + last.x, inner.y + last.y, inner.z + last.z,
                                          inner.w + last.w};
    if (indicator)
        *reinterpret_cast<float4 *>(indicator + i) = {fabsf(last.x), fabsf(last.y), fabsf(last.z),
                                                      fabsf(last.w)};
}

} // namespace gridhelm::gpu
