// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/node_walk.h"
#include "gpu/sparse/point_tables.cuh"
#include "gpu/support/cuda_error.h"

namespace gridhelm::gpu {

namespace {

template <typename T>
__global__ void fillClustersKernel(const NodeStep *steps, const std::uint64_t *clusterNodes,
                                   const std::uint32_t *firstNode, int highestBits,
                                   const T *__restrict__ values, T *__restrict__ clusters)
{
    const auto step = loadStep(steps + blockIdx.x);
    const auto offset = step.offset | static_cast<std::uint64_t>(step.offsetHigh) << 32;
    const int level = step.tailLevel, prefixBits = highestBits - level;
    auto node = firstNode[blockIdx.x];
    std::uint32_t first = 0; // of the cores with this level of the tail's first dimension
    for (int lead = 0; lead <= level; ++lead) {
        const int coreLevel = level - lead;
        std::uint32_t inCore = 0;
        for (int a = 0; a <= coreLevel; ++a) {
            for (int b = 0; b <= coreLevel - a; ++b) {
                for (int c = 0; c <= coreLevel - a - b; ++c) {
                    const int bits = a + b + c;
                    const T *source = values + clusterNodes[node++];
                    const auto count = std::uint32_t{1} << (prefixBits + lead + bits);
                    for (auto i = threadIdx.x; i < count; i += blockDim.x) {
                        const auto prefix = i >> (lead + bits);
                        const auto position = (i >> bits) & ((1U << lead) - 1);
                        clusters[offset + std::uint64_t{prefix} * clusterSize(level) + first
                                 + position * coreSize(coreLevel) + inCore
                                 + (i & ((1U << bits) - 1))] = source[i];
                    }
                    inCore += 1U << bits;
                }
            }
        }
        first += coreSize(coreLevel) << lead;
    }
}

} // namespace

template <typename T>
void fillClusters(const NodeStep *steps, std::size_t stepCount, const std::uint64_t *clusterNodes,
                  const std::uint32_t *firstNode, int highestBits, const T *values, T *clusters,
                  cudaStream_t stream)
{
    fillClustersKernel<T><<<static_cast<unsigned>(stepCount), 128, 0, stream>>>(
        steps, clusterNodes, firstNode, highestBits, values, clusters);
    checkLaunch("arrange coefficients");
}

template void fillClusters<float>(const NodeStep *, std::size_t, const std::uint64_t *,
                                  const std::uint32_t *, int, const float *, float *, cudaStream_t);
template void fillClusters<double>(const NodeStep *, std::size_t, const std::uint64_t *,
                                   const std::uint32_t *, int, const double *, double *,
                                   cudaStream_t);

} // namespace gridhelm::gpu
