// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/unfolded/contraction_plan.h"

#include "core/execution/parallel_for.h"
#include "core/sparse/unfolded/state_functions.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace gridhelm::sparse {

namespace {

std::vector<DimensionBasis> freeBases(const UnfoldedGrid &nodes, const std::vector<bool> &isFixed)
{
    std::vector<DimensionBasis> bases;
    for (std::size_t t = 0; t < isFixed.size(); ++t) {
        if (!isFixed[t])
            bases.push_back(nodes.basis(t));
    }
    return bases;
}

std::vector<State> freeStates(std::span<const State> states, const std::vector<bool> &isFixed)
{
    std::vector<State> result;
    for (std::size_t t = 0; t < isFixed.size(); ++t) {
        if (!isFixed[t])
            result.push_back(states[t]);
    }
    return result;
}

std::vector<State> distinctFreeStates(const UnfoldedGrid &nodes, const std::vector<bool> &isFixed)
{
    std::vector<std::vector<State>> all;
    all.reserve(nodes.nodes());
    for (std::size_t node = 0; node < nodes.nodes(); ++node)
        all.push_back(freeStates(nodes.states(node), isFixed));
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::vector<State> flat;
    for (const auto &states : all)
        flat.insert(flat.end(), states.begin(), states.end());
    return flat;
}

/// target[i] += weight * source[fixed | the i-th subset of freeMask], ascending.
template <typename T>
void addScaled(T weight, const T *source, std::uint64_t fixed, std::uint64_t freeMask,
               std::uint64_t count, T *target)
{
    if (freeMask == count - 1) { // the free bits are the lowest ones
        const T *from = source + fixed;
#pragma omp simd
        for (std::uint64_t i = 0; i < count; ++i)
            target[i] += weight * from[i];
        return;
    }
    std::uint64_t free = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        target[i] += weight * source[fixed | free];
        free = (free - freeMask) & freeMask; // next subset
    }
}

} // namespace

ContractionPlan::ContractionPlan(const UnfoldedGrid &nodes, const std::vector<bool> &isFixed)
    : m_isFixed(isFixed)
    , m_freeNodes(freeBases(nodes, isFixed), distinctFreeStates(nodes, isFixed))
{
    const auto compare = [&](std::size_t a, std::size_t b) {
        return std::ranges::lexicographical_compare(m_freeNodes.states(a), m_freeNodes.states(b));
    };
    std::vector<std::size_t> order(m_freeNodes.nodes());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), compare);

    std::vector<std::uint32_t> target(nodes.nodes());
    m_sourceBegin.assign(m_freeNodes.nodes() + 1, 0);
    for (std::size_t node = 0; node < nodes.nodes(); ++node) {
        const auto states = freeStates(nodes.states(node), isFixed);
        const auto found = std::lower_bound(
            order.begin(), order.end(), states, [&](std::size_t a, const std::vector<State> &b) {
                return std::ranges::lexicographical_compare(m_freeNodes.states(a), b);
            });
        target[node] = static_cast<std::uint32_t>(*found);
        ++m_sourceBegin[*found + 1];
    }
    std::partial_sum(m_sourceBegin.begin(), m_sourceBegin.end(), m_sourceBegin.begin());
    auto next = m_sourceBegin;
    m_sources.resize(nodes.nodes());
    for (std::size_t node = 0; node < nodes.nodes(); ++node)
        m_sources[next[target[node]]++] = static_cast<std::uint32_t>(node);
}

template <typename T>
void ContractionPlan::apply(const UnfoldedGrid &nodes, const T *values, std::span<const T> x,
                            Part part, T *freeValues, const CpuDevice &cpu) const
{
    const auto d = m_isFixed.size();
    std::array<std::vector<StateValue<T>>, maximumDimension> factors;
    for (std::size_t t = 0; t < d; ++t) {
        if (m_isFixed[t])
            stateFunctions(nodes.basis(t), nodes.highestState(static_cast<int>(t)), x[t],
                           factors[t]);
    }
    std::fill_n(freeValues, m_freeNodes.storage(), T(0));

    const auto addNode = [&](std::size_t node, std::uint64_t count, T *target) {
        T weight = 1;
        std::uint64_t fixed = 0, freeMask = 0;
        const auto states = nodes.states(node);
        for (std::size_t t = 0; t < d; ++t) {
            const int bits = bitsOfState(nodes.basis(t), states[t]);
            fixed <<= bits;
            freeMask <<= bits;
            if (m_isFixed[t]) {
                const auto &factor = factors[t][static_cast<std::size_t>(states[t])];
                weight *= factor.value;
                fixed |= std::uint64_t{factor.position};
            } else {
                freeMask |= (std::uint64_t{1} << bits) - 1;
            }
        }
        if (weight != T(0))
            addScaled(weight, values + nodes.offset(node), fixed, freeMask, count, target);
    };

    const std::size_t firstSource = part == Part::all ? 0 : nodes.lastGroupBegin();
    const bool isLarge = nodes.storage() > 50000;
    parallelFor(m_freeNodes.nodes(), isLarge ? cpu : CpuDevice{}, 8, [&](std::size_t target) {
        const auto count = std::uint64_t{1} << m_freeNodes.bits(target);
        T *freeNode = freeValues + m_freeNodes.offset(target);
        for (auto s = m_sourceBegin[target]; s < m_sourceBegin[target + 1]; ++s) {
            if (m_sources[s] >= firstSource)
                addNode(m_sources[s], count, freeNode);
        }
    });
}

template void ContractionPlan::apply<float>(const UnfoldedGrid &, const float *,
                                            std::span<const float>, Part, float *,
                                            const CpuDevice &) const;
template void ContractionPlan::apply<double>(const UnfoldedGrid &, const double *,
                                             std::span<const double>, Part, double *,
                                             const CpuDevice &) const;

} // namespace gridhelm::sparse
