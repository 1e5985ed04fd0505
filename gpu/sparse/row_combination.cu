// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/row_combination.h"

#include "gpu/support/cuda_error.h"

namespace gridhelm::gpu {

namespace {

constexpr unsigned threads = 128; // for a list of columns

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

template <int rowsTogether>
__global__ void __launch_bounds__(RowLaunch::mostThreads)
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

__global__ void __launch_bounds__(threads)
    combineColumnsKernel(RowCombination combination, const std::uint32_t *columns,
                         std::size_t count, float *y, float *indicator)
{
    const auto i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
    if (i >= count)
        return;
    const auto column = columns[i];
    const auto sum = [&](std::uint32_t begin, std::uint32_t end) {
        float result = 0;
#pragma unroll 8
        for (auto r = begin; r < end; ++r) {
            const auto row = loadRow(combination.rows + r);
            result += row.weight * __ldg(row.row + column);
        }
        return result;
    };
    const float inner = sum(0, combination.lastGroupBegin);
    const float last = sum(combination.lastGroupBegin, combination.count);
    y[i] = inner + last;
    if (indicator)
        indicator[i] = fabsf(last);
}

unsigned blocksFor(std::size_t count, unsigned size)
{
    return static_cast<unsigned>((count + size - 1) / size);
}

} // namespace

void combineRows(const RowCombination &combination, std::size_t firstColumn, std::size_t count,
                 float *y, float *indicator, cudaStream_t stream, const RowLaunch &launch)
{
    if (count == 0)
        return;
    const auto kernel = launch.rows == 5    ? combineRowsKernel<5>
                        : launch.rows == 20 ? combineRowsKernel<20>
                                            : combineRowsKernel<10>;
    kernel<<<blocksFor((count + 3) / 4, launch.threads), launch.threads, 0, stream>>>(
        combination, firstColumn, count, y, indicator);
    checkLaunch("combine rows");
}

void combineColumns(const RowCombination &combination, const std::uint32_t *columns,
                    std::size_t count, float *y, float *indicator, cudaStream_t stream)
{
    if (count == 0)
        return;
    combineColumnsKernel<<<blocksFor(count, threads), threads, 0, stream>>>(combination, columns,
                                                                            count, y, indicator);
    checkLaunch("combine rows");
}

} // namespace gridhelm::gpu
