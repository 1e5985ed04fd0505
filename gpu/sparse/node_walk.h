// SPDX-License-Identifier: GPL-3.0-or-later
//
// The kernels that evaluate a NodeProgram: one thread a point. Device pointers throughout.
#pragma once

#include "gpu/sparse/node_program.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace gridhelm::gpu {

template <typename T>
struct NodeWalk
{
    NodeDimensions dimensions;
    int slots = 1;
    bool hasTail = false;
    const NodeStep *steps = nullptr;
    const StepRange *ranges = nullptr; ///< summed up separately
    const std::uint32_t *path = nullptr;
    std::uint32_t rangeCount = 1;
    const T *values = nullptr;            ///< of the nodes, or of the clusters
    const T *points = nullptr;            ///< row-major
    const std::uint32_t *order = nullptr; ///< in which the points are taken; null: as they come
    std::uint32_t count = 0;
    unsigned threads = 128; ///< of a block: 64, 128 or 256 of float with a tail, else at most 128
    T *sums = nullptr;      ///< rangeCount times `count`
    T *lastGroup =
        nullptr; ///< of the last group alone, its magnitude if there is one range; or null
};

/// Whether a block's tables for a program with a tail fit into shared memory.
template <typename T>
bool canWalkTail(const NodeDimensions &dimensions, int slots);

template <typename T>
void walkNodes(const NodeWalk<T> &walk, cudaStream_t stream);

/// out[j] = sum over i of parts[i * count + j], or its magnitude.
template <typename T>
void addParts(const T *parts, std::uint32_t partCount, std::uint32_t count, bool magnitude, T *out,
              cudaStream_t stream);

/// gradients[j * d + t] by the same walk, one thread for each point and direction. `walk` has no
/// tail, one range, no order and no sums.
template <typename T>
void walkGradients(const NodeWalk<T> &walk, T *gradients, cudaStream_t stream);

/// Fills the clusters behind the nodes of a program with a tail from the nodes' own values.
template <typename T>
void fillClusters(const NodeStep *steps, std::size_t stepCount, const std::uint64_t *clusterNodes,
                  const std::uint32_t *firstNode, int highestBits, const T *values, T *clusters,
                  cudaStream_t stream);

} // namespace gridhelm::gpu
