// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/value_combination.h"

#include "gpu/support/cuda_error.h"

namespace gridhelm::gpu {

namespace {

constexpr unsigned warp = 32;
constexpr unsigned threads = 1024;

__device__ inline double sumOfWarp(double value)
{
    for (unsigned step = warp / 2; step > 0; step /= 2)
        value += __shfl_down_sync(0xffffffffU, value, step);
    return value;
}

/// One block: there are few terms, and the order of the sum is always the same.
template <typename T>
__global__ void __launch_bounds__(threads)
    combineValuesKernel(const T *__restrict__ values,
                        const sparse::WeightedValue *__restrict__ terms, std::uint64_t count,
                        std::uint64_t lastGroupBegin, double *sums)
{
    __shared__ double ofWarps[2][threads / warp];
    double all = 0, last = 0;
    for (std::uint64_t i = threadIdx.x; i < count; i += threads) {
        const double part = terms[i].weight * static_cast<double>(values[terms[i].offset]);
        all += part;
        if (i >= lastGroupBegin)
            last += part;
    }
    all = sumOfWarp(all);
    last = sumOfWarp(last);
    if (threadIdx.x % warp == 0) {
        ofWarps[0][threadIdx.x / warp] = all;
        ofWarps[1][threadIdx.x / warp] = last;
    }
    __syncthreads();
    if (threadIdx.x >= warp)
        return;
    all = sumOfWarp(ofWarps[0][threadIdx.x]);
    last = sumOfWarp(ofWarps[1][threadIdx.x]);
    if (threadIdx.x == 0) {
        sums[0] = all;
        sums[1] = last;
    }
}
static_assert(threads / warp == warp, "one value of each warp for each thread of the first one");

} // namespace

template <typename T>
void combineValues(const T *values, const sparse::WeightedValue *terms, std::uint64_t count,
                   std::uint64_t lastGroupBegin, double *sums, cudaStream_t stream)
{
    combineValuesKernel<T><<<1, threads, 0, stream>>>(values, terms, count, lastGroupBegin, sums);
    checkLaunch("combine coefficients");
}

template void combineValues<float>(const float *, const sparse::WeightedValue *, std::uint64_t,
                                   std::uint64_t, double *, cudaStream_t);
template void combineValues<double>(const double *, const sparse::WeightedValue *, std::uint64_t,
                                    std::uint64_t, double *, cudaStream_t);

} // namespace gridhelm::gpu
