// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/random_points.h"

#include "core/support/error.h"
#include "gpu/sparse/node_walk.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace gridhelm::gpu {

namespace {

using sparse::UnfoldedGrid;

/// From this many points on it pays to arrange the values in clusters and to sort the points.
constexpr std::uint32_t manyPoints = 4096;
constexpr std::uint32_t threadsOfBlock = 128;
constexpr std::size_t minSteps = 32; ///< of a range

NodeProgram checkedProgram(const UnfoldedGrid &nodes)
{
    if (nodes.highestBits() > 30)
        throw BackendError("a block of 2^" + std::to_string(nodes.highestBits())
                           + " points is too large for the CUDA back end; choose omp");
    return makeNodeProgram(nodes);
}

} // namespace

RandomPoints::Program::Program(const NodeProgram &program)
    : dimensions(program.dimensions)
    , slots(program.slots)
    , stepCount(program.steps.size())
    , steps(std::span(program.steps))
{
    for (std::size_t count : {1U, 16U, 256U, 2048U}) {
        if (count > 1 && program.steps.size() < count * minSteps)
            break;
        const auto cut = program.cut(count);
        cuts.push_back({static_cast<std::uint32_t>(cut.ranges.size()),
                        DeviceBuffer<StepRange>(std::span(cut.ranges)),
                        DeviceBuffer<std::uint32_t>(std::span(cut.path))});
    }
}

RandomPoints::RandomPoints(const UnfoldedGrid &nodes, const PointLaunch &launch)
    : m_launch(launch)
    , m_general(checkedProgram(nodes))
{
    if (!canHaveTail(nodes))
        return;
    auto program = makeTailProgram(nodes);
    if (program.storage > std::numeric_limits<std::uint32_t>::max())
        return;
    std::vector<std::uint32_t> firstNode;
    std::uint32_t next = 0;
    for (const auto &step : program.steps) {
        firstNode.push_back(next);
        const auto level = std::uint32_t{step.tailLevel};
        next += (level + 1) * (level + 2) * (level + 3) * (level + 4) / 24; // nodes of a cluster
    }
    m_tail.emplace(Tail{
        Program(program), DeviceBuffer<std::uint64_t>(std::span(program.clusterNodes)),
        DeviceBuffer<std::uint32_t>(std::span(firstNode)), program.storage, nodes.highestBits()});
}

template <typename T>
bool RandomPoints::prepare(NodeValues<T> &values, std::size_t count, cudaStream_t stream) const
{
    if (values.hasClusters || !m_tail || count < manyPoints
        || !canWalkTail<T>(m_tail->program.dimensions, m_tail->program.slots))
        return false;
    if (values.clusters.size() < m_tail->storage
        && m_tail->storage * sizeof(T) > freeDeviceBytes() / 2)
        return false;
    values.clusters.reserve(m_tail->storage);
    fillClusters(m_tail->program.steps.data(), m_tail->program.stepCount,
                 m_tail->clusterNodes.data(), m_tail->firstNode.data(), m_tail->highestBits,
                 values.nodes, values.clusters.data(), stream);
    values.hasClusters = true;
    return true;
}

const RandomPoints::Cut &RandomPoints::cutFor(const Program &program, std::uint32_t count) const
{
    const auto blocks = (count + threadsOfBlock - 1) / threadsOfBlock;
    const Cut *cut = &program.cuts.front();
    for (const auto &finer : program.cuts) {
        const bool suits = m_launch.parts > 0 ? finer.count <= m_launch.parts
                                              : finer.count * blocks <= enoughBlocks;
        if (count < plentyOfPoints && suits)
            cut = &finer;
    }
    return *cut;
}

template <typename T>
void RandomPoints::interpolate(const NodeValues<T> &values, const T *points, std::uint32_t count,
                               T *out, T *indicator, PointScratch<T> &scratch,
                               cudaStream_t stream) const
{
    if (count == 0)
        return;
    const bool isMany = count >= manyPoints;
    const bool useTail = isMany && values.hasClusters;
    const Program &program = useTail ? m_tail->program : m_general;
    NodeWalk<T> walk;
    walk.dimensions = program.dimensions;
    walk.slots = program.slots;
    walk.hasTail = useTail;
    walk.steps = program.steps.data();
    walk.points = points;
    walk.count = count;
    walk.values = useTail ? values.clusters.data() : values.nodes;
    if (isMany) {
        scratch.order.compute(points, program.dimensions.dimension, count, stream);
        walk.order = scratch.order.order();
    }

    walk.threads = isMany ? m_launch.threads : m_launch.fewThreads;
    const auto &cut = cutFor(program, count);
    walk.ranges = cut.ranges.data();
    walk.path = cut.path.data();
    walk.rangeCount = cut.count;
    if (cut.count == 1) {
        walk.sums = out;
        walk.lastGroup = indicator;
        walkNodes(walk, stream);
        return;
    }
    const auto partSize = static_cast<std::size_t>(cut.count) * count;
    scratch.parts.reserve((indicator ? 2 : 1) * partSize);
    walk.sums = scratch.parts.data();
    walk.lastGroup = indicator ? scratch.parts.data() + partSize : nullptr;
    walkNodes(walk, stream);
    addParts(walk.sums, cut.count, count, false, out, stream);
    if (indicator)
        addParts(walk.lastGroup, cut.count, count, true, indicator, stream);
}

template <typename T>
void RandomPoints::gradients(const NodeValues<T> &values, const T *points, std::uint32_t count,
                             T *gradients, cudaStream_t stream) const
{
    if (count == 0)
        return;
    NodeWalk<T> walk;
    walk.dimensions = m_general.dimensions;
    walk.slots = m_general.slots;
    walk.steps = m_general.steps.data();
    walk.ranges = m_general.cuts.front().ranges.data();
    walk.path = m_general.cuts.front().path.data();
    walk.values = values.nodes;
    walk.points = points;
    walk.count = count;
    walkGradients(walk, gradients, stream);
}

std::size_t RandomPoints::bytes() const
{
    auto bytes = m_general.steps.bytes();
    if (m_tail)
        bytes += m_tail->program.steps.bytes() + m_tail->clusterNodes.bytes()
                 + m_tail->firstNode.bytes();
    return bytes;
}

template bool RandomPoints::prepare<float>(NodeValues<float> &, std::size_t, cudaStream_t) const;
template bool RandomPoints::prepare<double>(NodeValues<double> &, std::size_t, cudaStream_t) const;
template void RandomPoints::interpolate<float>(const NodeValues<float> &, const float *,
                                               std::uint32_t, float *, float *,
                                               PointScratch<float> &, cudaStream_t) const;
template void RandomPoints::interpolate<double>(const NodeValues<double> &, const double *,
                                                std::uint32_t, double *, double *,
                                                PointScratch<double> &, cudaStream_t) const;
template void RandomPoints::gradients<float>(const NodeValues<float> &, const float *,
                                             std::uint32_t, float *, cudaStream_t) const;
template void RandomPoints::gradients<double>(const NodeValues<double> &, const double *,
                                              std::uint32_t, double *, cudaStream_t) const;

} // namespace gridhelm::gpu
