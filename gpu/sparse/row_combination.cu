// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/row_combination.h"

#include "gpu/sparse/combine_rows.cuh"
#include "gpu/support/cuda_error.h"

namespace gridhelm::gpu {

namespace {

constexpr unsigned threads = 128; // for a list of columns

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
    const auto compiledIn = launch.rows == 5    ? combineRowsKernel<5>
                            : launch.rows == 20 ? combineRowsKernel<20>
                                                : combineRowsKernel<10>;
    cudaLaunchConfig_t config{};
    config.gridDim = blocksFor((count + 3) / 4, launch.threads);
    config.blockDim = launch.threads;
    config.stream = stream;
    check(cudaLaunchKernelEx(&config, launch.variant.orElse(compiledIn), combination, firstColumn,
                             count, y, indicator),
          "combine rows");
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
