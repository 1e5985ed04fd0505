// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/node_walk.h"

#include "gpu/sparse/launch_shape.cuh"
#include "gpu/sparse/point_tables.cuh"
#include "gpu/sparse/tail_sum.cuh"
#include "gpu/support/cuda_error.h"
#include "gpu/support/device_attribute.h"

#include <algorithm>

namespace gridhelm::gpu {

namespace {

/// Blocks of a multiprocessor, for which registers are kept free; more would make them spill.
template <typename T, bool hasTail, unsigned threads>
constexpr int blocksAtOnce = (!hasTail         ? 8
                              : sizeof(T) == 4 ? 5
                                               : 3)
                             * maxThreads / threads;

template <typename T, bool hasTail, bool withLastGroup, bool hatsOnly, unsigned threads>
__global__ void __launch_bounds__(threads, blocksAtOnce<T, hasTail, threads>)
    walkKernel(const __grid_constant__ NodeWalk<T> walk)
{
    extern __shared__ __align__(16) double sharedMemory[];
    const auto j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= walk.count) // nobody waits for anybody
        return;
    const auto &dimensions = walk.dimensions;
    const PointTables<T, hasTail ? threads : 0> tables(sharedMemory, dimensions, walk.slots);
    const std::uint32_t source = walk.order ? walk.order[j] : j;
    const T *point = walk.points + static_cast<std::size_t>(source) * dimensions.dimension;
    tables.nodes[0] = {
        tables.template tabulate<hatsOnly>(
            dimensions, dimensions.dimension - (hasTail ? coreDimensions : 0), point),
        0};
    const auto range = walk.ranges[blockIdx.y];
    for (auto p = range.pathBegin; p < range.pathEnd; ++p) {
        const auto step = loadStep(walk.steps + walk.path[p]);
        const auto parent = tables.nodes[step.parent];
        tables.nodes[step.slot] = {parent.product * tables.ratios[step.row],
                                   childIndex(step, parent.index, tables.finest[step.dimension])};
    }

    T inner = 0, last = 0;
    const auto walkSteps = [&](auto add) {
        for (auto i = range.begin; i < range.end; ++i) {
            const auto step = loadStep(walk.steps + i);
            const auto parent = tables.nodes[step.parent];
            const T product = parent.product * tables.ratios[step.row];
            const auto index = childIndex(step, parent.index, tables.finest[step.dimension]);
            if (step.slot != NodeStep::nowhere)
                tables.nodes[step.slot] = {product, index};
            const auto offset = step.offset | static_cast<std::uint64_t>(step.offsetHigh) << 32;
            add(step, product, offset, index);
        }
    };
    if constexpr (hasTail) {
        const Core<T> core(dimensions, point, std::bool_constant<hatsOnly>());
        const int first = dimensions.dimension - tailDimensions;
        const TailLead<T, threads> lead{tables.ratios, dimensions.firstRow[first],
                                        tables.finest[first], dimensions.highestBits[first]};
        walkSteps([&](const NodeStep &step, T product, std::uint64_t, std::uint32_t index) {
            const auto sum = sumOfTail<withLastGroup>(
                step.tailLevel, ClusterPlace<T>{walk.values, step.offset, index}, lead, core);
            inner += product * sum.inner;
            if constexpr (withLastGroup)
                last += product * sum.last;
        });
    } else {
        walkSteps([&](const NodeStep &step, T product, std::uint64_t offset, std::uint32_t index) {
            const T part = product * walk.values[offset + index];
            if (withLastGroup && step.isInLastGroup)
                last += part;
            else
                inner += part;
        });
    }
    const auto target = static_cast<std::size_t>(blockIdx.y) * walk.count + source;
    walk.sums[target] = inner + last;
    if constexpr (withLastGroup)
        walk.lastGroup[target] = walk.rangeCount == 1 ? abs(last) : last;
}

/// Tables of a block in shared memory.
template <typename T>
bool haveRoom(const NodeDimensions &dimensions, int slots, unsigned threads)
{
    return PointTables<T>::bytes(dimensions, slots) * threads
           <= static_cast<std::size_t>(deviceAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}

template <typename T>
__global__ void addPartsKernel(const T *parts, std::uint32_t partCount, std::uint32_t count,
                               bool magnitude, T *out)
{
    const auto j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= count)
        return;
    T sum = 0;
    for (std::uint32_t i = 0; i < partCount; ++i)
        sum += parts[static_cast<std::size_t>(i) * count + j];
    out[j] = magnitude ? abs(sum) : sum;
}

/// With a tail a block has so many threads, else at most as many.
template <typename T, bool hasTail, bool withLastGroup, bool hatsOnly, unsigned threads>
void launchWalk(const NodeWalk<T> &walk, cudaStream_t stream)
{
    const auto kernel = walkKernel<T, hasTail, withLastGroup, hatsOnly, threads>;
    const auto shape =
        shapeFor(kernel, PointTables<T>::bytes(walk.dimensions, walk.slots), hasTail ? threads : 32,
                 hasTail ? threads : std::min(threads, walk.threads));
    kernel<<<dim3(blocksFor(walk.count, shape.threads), walk.rangeCount), shape.threads,
             shape.bytes, stream>>>(walk);
    checkLaunch("interpolate");
}

template <typename T, bool hasTail, bool withLastGroup, bool hatsOnly>
void launchWalk(const NodeWalk<T> &walk, cudaStream_t stream)
{
    if constexpr (hasTail && sizeof(T) == 4) {
        if (walk.threads == 64) {
            launchWalk<T, hasTail, withLastGroup, hatsOnly, 64>(walk, stream);
            return;
        }
        if (walk.threads == 256 && haveRoom<T>(walk.dimensions, walk.slots, 256)) {
            launchWalk<T, hasTail, withLastGroup, hatsOnly, 256>(walk, stream);
            return;
        }
    }
    launchWalk<T, hasTail, withLastGroup, hatsOnly, maxThreads>(walk, stream);
}

template <typename T, bool hasTail, bool withLastGroup>
void launchWalk(const NodeWalk<T> &walk, cudaStream_t stream)
{
    if (walk.dimensions.hasHatsOnly)
        launchWalk<T, hasTail, withLastGroup, true>(walk, stream);
    else
        launchWalk<T, hasTail, withLastGroup, false>(walk, stream);
}

} // namespace

template <typename T>
bool canWalkTail(const NodeDimensions &dimensions, int slots)
{
    return haveRoom<T>(dimensions, slots, maxThreads);
}

template <typename T>
void walkNodes(const NodeWalk<T> &walk, cudaStream_t stream)
{
    if (walk.hasTail)
        walk.lastGroup ? launchWalk<T, true, true>(walk, stream)
                       : launchWalk<T, true, false>(walk, stream);
    else
        walk.lastGroup ? launchWalk<T, false, true>(walk, stream)
                       : launchWalk<T, false, false>(walk, stream);
}

template <typename T>
void addParts(const T *parts, std::uint32_t partCount, std::uint32_t count, bool magnitude, T *out,
              cudaStream_t stream)
{
    constexpr unsigned threads = 256;
    addPartsKernel<T><<<blocksFor(count, threads), threads, 0, stream>>>(parts, partCount, count,
                                                                         magnitude, out);
    checkLaunch("add partial sums");
}

template bool canWalkTail<float>(const NodeDimensions &, int);
template bool canWalkTail<double>(const NodeDimensions &, int);
template void walkNodes<float>(const NodeWalk<float> &, cudaStream_t);
template void walkNodes<double>(const NodeWalk<double> &, cudaStream_t);
template void addParts<float>(const float *, std::uint32_t, std::uint32_t, bool, float *,
                              cudaStream_t);
template void addParts<double>(const double *, std::uint32_t, std::uint32_t, bool, double *,
                               cudaStream_t);

} // namespace gridhelm::gpu
