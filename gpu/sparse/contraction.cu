// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/contraction.h"

#include "gpu/sparse/any_state.cuh"

#include <algorithm>
#include <bit>

namespace gridhelm::gpu {

namespace {

using sparse::State;
using sparse::UnfoldedGrid;

constexpr unsigned threads = 128;
constexpr unsigned warp = 32;

/// The product of the fixed dimensions' functions of every node, and where its values for their
/// positions begin.
template <typename T>
__global__ void weighNodes(const State *states, const std::uint64_t *offsets, std::uint32_t nodes,
                           const __grid_constant__ FixedPoint<T> point, T *weights,
                           std::uint64_t *begins)
{
    const auto node = blockIdx.x * threads + threadIdx.x;
    if (node >= nodes)
        return;
    T weight = 1;
    std::uint32_t position = 0;
    for (int t = 0; t < point.dimension; ++t) {
        const int state = states[static_cast<std::size_t>(t) * nodes + node];
        position <<= sparse::bitsOfState(point.basis[t], state);
        if ((point.isFixed >> t) & 1U) {
            const auto function = anyState(point.basis[t], state, point.x[t]);
            weight *= function.value;
            position |= function.position;
        }
    }
    weights[node] = weight;
    begins[node] = offsets[node] + position;
}

/// The bits of `value`, one after the other, at the places of the bits of `mask`.
__device__ inline std::uint32_t deposit(std::uint32_t value, std::uint32_t mask)
{
    std::uint32_t result = 0;
    for (; value != 0; value >>= 1) {
        const auto lowest = mask & (0U - mask);
        if (value & 1U)
            result |= lowest;
        mask ^= lowest;
    }
    return result;
}

template <typename T>
__global__ void contractKernel(const ContractionTask *tasks, std::uint32_t taskCount,
                               const FreeNode *freeNodes, const std::uint32_t *sources,
                               std::uint32_t firstSource, const std::uint32_t *freeMasks,
                               const T *weights, const std::uint64_t *begins,
                               const T *__restrict__ values, T *freeValues)
{
    const auto t = (blockIdx.x * threads + threadIdx.x) / warp;
    if (t >= taskCount)
        return;
    const auto task = tasks[t];
    const auto node = freeNodes[task.freeNode];
    const auto lane = threadIdx.x % warp;
    const auto share = lane % node.lanesPerValue;
    const auto value = task.firstValue + lane / node.lanesPerValue;
    const bool isInside = value < (std::uint32_t{1} << node.bits);
    T sum = 0;
    if (isInside) {
        for (auto s = node.sourceBegin + share; s < node.sourceEnd; s += node.lanesPerValue) {
            const auto source = sources[s];
            if (source >= firstSource)
                sum += weights[source] * values[begins[source] + deposit(value, freeMasks[source])];
        }
    }
    for (auto step = node.lanesPerValue / 2; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffU, sum, step);
    if (isInside && share == 0)
        freeValues[node.offset + value] = sum;
}

/// A power of two.
std::uint32_t lanesFor(std::size_t sources)
{
    return std::min<std::uint32_t>(warp,
                                   std::bit_ceil(static_cast<std::uint32_t>((sources + 1) / 2)));
}

} // namespace

template <typename T>
Contraction<T>::Contraction(const UnfoldedGrid &nodes, const std::vector<bool> &isFixed)
    : m_plan(nodes, isFixed)
    , m_nodes(static_cast<std::uint32_t>(nodes.nodes()))
    , m_lastGroupBegin(static_cast<std::uint32_t>(nodes.lastGroupBegin()))
{
    const auto d = isFixed.size();
    m_point.dimension = static_cast<int>(d);
    for (std::size_t t = 0; t < d; ++t) {
        m_point.basis[t] = nodes.basis(t);
        if (isFixed[t])
            m_point.isFixed |= 1U << t;
    }
    std::vector<State> states(d * nodes.nodes());
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> masks;
    for (std::size_t node = 0; node < nodes.nodes(); ++node) {
        offsets.push_back(nodes.offset(node));
        std::uint32_t mask = 0;
        for (std::size_t t = 0; t < d; ++t) {
            const int state = nodes.states(node)[t];
            const int bits = sparse::bitsOfState(nodes.basis(t), state);
            mask <<= bits;
            if (!isFixed[t])
                mask |= (1U << bits) - 1;
            states[t * nodes.nodes() + node] = static_cast<State>(state);
        }
        masks.push_back(mask);
    }
    const auto &free = m_plan.freeNodes();
    std::vector<FreeNode> freeNodes;
    std::vector<std::uint32_t> sources;
    std::vector<ContractionTask> tasks;
    for (std::size_t node = 0; node < free.nodes(); ++node) {
        const auto own = m_plan.sources(node);
        const auto lanes = lanesFor(own.size());
        const int bits = free.bits(node);
        const auto first = static_cast<std::uint32_t>(sources.size());
        sources.insert(sources.end(), own.begin(), own.end());
        freeNodes.push_back({free.offset(node), first, static_cast<std::uint32_t>(sources.size()),
                             static_cast<std::uint32_t>(bits), lanes});
        for (std::uint32_t value = 0; value < (std::uint32_t{1} << bits); value += warp / lanes)
            tasks.push_back({static_cast<std::uint32_t>(node), value});
    }
    m_states = DeviceBuffer<State>(std::span<const State>(states));
    m_offsets = DeviceBuffer<std::uint64_t>(std::span<const std::uint64_t>(offsets));
    m_freeMasks = DeviceBuffer<std::uint32_t>(std::span<const std::uint32_t>(masks));
    m_freeNodes = DeviceBuffer<FreeNode>(std::span<const FreeNode>(freeNodes));
    m_sources = DeviceBuffer<std::uint32_t>(std::span<const std::uint32_t>(sources));
    m_tasks = DeviceBuffer<ContractionTask>(std::span<const ContractionTask>(tasks));
    m_weights = DeviceBuffer<T>(nodes.nodes());
    m_begins = DeviceBuffer<std::uint64_t>(nodes.nodes());
}

template <typename T>
void Contraction<T>::apply(const T *values, std::span<const T> x, Part part, T *freeValues,
                           cudaStream_t stream)
{
    std::ranges::copy(x, m_point.x);
    weighNodes<T><<<(m_nodes + threads - 1) / threads, threads, 0, stream>>>(
        m_states.data(), m_offsets.data(), m_nodes, m_point, m_weights.data(), m_begins.data());
    checkLaunch("contract a grid");
    const auto tasks = static_cast<std::uint32_t>(m_tasks.size());
    contractKernel<T><<<(tasks + threads / warp - 1) / (threads / warp), threads, 0, stream>>>(
        m_tasks.data(), tasks, m_freeNodes.data(), m_sources.data(),
        part == Part::all ? 0 : m_lastGroupBegin, m_freeMasks.data(), m_weights.data(),
        m_begins.data(), values, freeValues);
    checkLaunch("contract a grid");
}

template <typename T>
std::size_t Contraction<T>::bytes() const
{
    return m_plan.bytes() + m_states.bytes() + m_offsets.bytes() + m_freeMasks.bytes()
           + m_freeNodes.bytes() + m_sources.bytes() + m_tasks.bytes() + m_weights.bytes()
           + m_begins.bytes();
}

template class Contraction<float>;
template class Contraction<double>;

} // namespace gridhelm::gpu
