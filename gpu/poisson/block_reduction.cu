// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/block_reduction.h"

#include <cub/block/block_reduce.cuh>

namespace gridhelm::gpu {
namespace {

constexpr int sumThreads = 1024;

/// A series of `count` values by each block, in an order that is the same on every GPU: that of
/// cub::DeviceReduce depends on how many multiprocessors there are. Results are two apart.
__global__ void __launch_bounds__(sumThreads)
    sumUp(const double *values, std::size_t count, double *results)
{
    values += blockIdx.x * count;
    using Reduction = cub::BlockReduce<double, sumThreads>;
    __shared__ typename Reduction::TempStorage storage;
    double sum = 0;
    for (std::size_t i = threadIdx.x; i < count; i += sumThreads)
        sum += values[i];
    sum = Reduction(storage).Sum(sum);
    if (threadIdx.x == 0)
        results[2 * blockIdx.x] = sum;
}

} // namespace

void ReductionSeries::reserve(std::size_t kernels, std::size_t blocks)
{
    m_blocks = blocks;
    m_blockSums.reserve(kernels * blocks);
    m_results.reserve(2 * kernels);
    m_host.reserve(2 * kernels);
}

void ReductionSeries::begin(std::size_t kernels, cudaStream_t stream)
{
    check(cudaMemsetAsync(m_results.data(), 0, 2 * kernels * sizeof(double), stream),
          "clear its memory");
}

ReductionSlots ReductionSeries::slots(std::size_t kernel) const
{
    return {m_blockSums.data() + kernel * m_blocks,
            reinterpret_cast<unsigned long long *>(m_results.data() + 2 * kernel + 1)};
}

void ReductionSeries::enqueueRead(std::size_t kernels, bool withSums, cudaStream_t stream)
{
    if (withSums) {
        sumUp<<<static_cast<unsigned>(kernels), sumThreads, 0, stream>>>(
            m_blockSums.data(), m_blocks, m_results.data());
        checkLaunch("sum up the residual");
    }
    check(cudaMemcpyAsync(m_host.data(), m_results.data(), 2 * kernels * sizeof(double),
                          cudaMemcpyDeviceToHost, stream),
          "return the residual");
}

ReducedValues ReductionSeries::found(std::size_t kernel) const
{
    return {m_host.data()[2 * kernel], m_host.data()[2 * kernel + 1]};
}

ReductionSlots BlockReduction::begin(std::size_t blocks, cudaStream_t stream)
{
    m_series.reserve(1, blocks);
    m_series.begin(1, stream);
    return m_series.slots(0);
}

BlockReduction::Values BlockReduction::read(bool withSums, cudaStream_t stream)
{
    m_series.enqueueRead(1, withSums, stream);
    check(cudaStreamSynchronize(stream), "finish its iterations");
    return m_series.found(0);
}

} // namespace gridhelm::gpu
