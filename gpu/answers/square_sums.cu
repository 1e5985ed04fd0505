// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/answers/square_sums.h"

#include "gpu/support/cuda_error.h"

namespace gridhelm::gpu {

namespace {

constexpr unsigned threads = 128;
constexpr std::uint32_t tileRows = 64; // whose weights are in shared memory at a time
static_assert(squareColumns == 4 * threads);

/// A block has 4 x threads columns (x) and one sum (y), 0 being combination 0. A thread has four
/// columns and all combinations of a pass in registers: for each value that it reads there are
/// squaresTogether multiplications.
__global__ void __launch_bounds__(threads)
    sumSquaresKernel(SquarePasses passes, const float *matrix, std::size_t columns, float *out)
{
    __shared__ float4 weights[tileRows * squaresTogether / 4];
    const std::size_t column = 4 * (static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x);
    const auto sum = blockIdx.y;
    const auto firstPass = sum == 0 ? 0 : passes.passBegins[sum - 1];
    const auto endPass = sum == 0 ? 1 : passes.passBegins[sum];
    float total[4] = {0, 0, 0, 0};
    for (auto pass = firstPass; pass < endPass; ++pass) {
        float products[squaresTogether][4] = {};
        for (std::uint32_t first = 0; first < passes.rows; first += tileRows) {
            const auto count = min(tileRows, passes.rows - first);
            const auto *source = reinterpret_cast<const float4 *>(
                passes.weights
                + (static_cast<std::size_t>(pass) * passes.rows + first) * squaresTogether);
            __syncthreads(); // those of the last tile have been used
            for (auto i = threadIdx.x; i < count * squaresTogether / 4; i += threads)
                weights[i] = source[i];
            __syncthreads();
            const float *row = matrix + first * columns + column;
#pragma unroll 4
            for (std::uint32_t b = 0; b < count; ++b, row += columns) {
                const float4 value = *reinterpret_cast<const float4 *>(row);
#pragma unroll
                for (std::uint32_t q = 0; q < squaresTogether / 4; ++q) {
                    const float4 four = weights[b * (squaresTogether / 4) + q];
                    const float each[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
                    for (int k = 0; k < 4; ++k) {
                        products[4 * q + k][0] += each[k] * value.x;
                        products[4 * q + k][1] += each[k] * value.y;
                        products[4 * q + k][2] += each[k] * value.z;
                        products[4 * q + k][3] += each[k] * value.w;
                    }
                }
            }
        }
        for (std::uint32_t i = 0; i < squaresTogether; ++i) {
            const float sign = passes.signs[pass * squaresTogether + i];
#pragma unroll
            for (int k = 0; k < 4; ++k)
                total[k] +=
                    sum == 0 ? sign * products[i][k] : sign * products[i][k] * products[i][k];
        }
    }
    *reinterpret_cast<float4 *>(out + sum * columns + column) = {total[0], total[1], total[2],
                                                                 total[3]};
}

} // namespace

void sumSquares(const SquarePasses &passes, const float *matrix, std::size_t columns, float *out,
                cudaStream_t stream)
{
    if (columns == 0)
        return;
    sumSquaresKernel<<<dim3(static_cast<unsigned>(columns / squareColumns), passes.sums + 1),
                       threads, 0, stream>>>(passes, matrix, columns, out);
    checkLaunch("sum squares");
}

} // namespace gridhelm::gpu
