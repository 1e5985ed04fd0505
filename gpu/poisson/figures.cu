// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/figures.h"

namespace gridhelm::gpu {
namespace {

constexpr int sumThreads = 1024;

/// In a fixed order, so that the same values have the same sum every time.
__global__ void sumUp(const double *values, std::size_t count, double *result)
{
    __shared__ double sums[sumThreads];
    double sum = 0;
    for (std::size_t i = threadIdx.x; i < count; i += sumThreads)
        sum += values[i];
    sums[threadIdx.x] = sum;
    for (int half = sumThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        *result = sums[0];
}

} // namespace

FigureSlots Figures::begin(std::size_t blocks, cudaStream_t stream)
{
    m_blockSums.reserve(blocks);
    m_blocks = blocks;
    check(cudaMemsetAsync(m_results.data(), 0, m_results.bytes(), stream), "clear its memory");
    return {m_blockSums.data(), reinterpret_cast<unsigned long long *>(m_results.data() + 1)};
}

Figures::Values Figures::read(bool withSums, cudaStream_t stream)
{
    if (withSums) {
        sumUp<<<1, sumThreads, 0, stream>>>(m_blockSums.data(), m_blocks, m_results.data());
        checkLaunch("sum up the residual");
    }
    check(cudaMemcpyAsync(m_host.data(), m_results.data(), m_results.bytes(),
                          cudaMemcpyDeviceToHost, stream),
          "return the residual");
    check(cudaStreamSynchronize(stream), "finish its iterations");
    return {m_host.data()[0], m_host.data()[1]};
}

} // namespace gridhelm::gpu
