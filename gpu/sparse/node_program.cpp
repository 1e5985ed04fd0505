// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/node_program.h"

#include "core/support/checked_math.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace gridhelm::gpu {

namespace {

using sparse::UnfoldedGrid;

std::vector<std::size_t> lexicographicOrder(const UnfoldedGrid &nodes)
{
    std::vector<std::size_t> order(nodes.nodes());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return std::ranges::lexicographical_compare(nodes.states(a), nodes.states(b));
    });
    return order;
}

/// With rows for the first `tabulated` dimensions.
NodeDimensions dimensionsOf(const UnfoldedGrid &nodes, int tabulated)
{
    NodeDimensions result;
    result.dimension = nodes.dimension();
    for (int t = 0; t < nodes.dimension(); ++t) {
        const auto basis = nodes.basis(static_cast<std::size_t>(t));
        const int highest = nodes.highestState(t);
        result.basis[t] = basis;
        result.hasHatsOnly = result.hasHatsOnly && sparse::hasHats(basis);
        result.highestState[t] = narrow<std::uint8_t>(highest);
        result.highestBits[t] = narrow<std::uint8_t>(sparse::bitsOfState(basis, highest));
        result.firstRow[t] = narrow<std::uint16_t>(result.rows);
        if (t < tabulated)
            result.rows += highest;
    }
    return result;
}

/// Writes the steps of nodes that come in depth-first order.
class StepWriter
{
public:
    StepWriter(const UnfoldedGrid &nodes, NodeProgram &program)
        : m_nodes(nodes)
        , m_program(program)
    {
    }

    void add(std::size_t node, std::uint64_t offset, int tailLevel)
    {
        const auto states = m_nodes.states(node);
        int depth = 0, last = -1;
        for (std::size_t t = 0; t < states.size(); ++t) {
            if (states[t] != 0) {
                ++depth;
                last = static_cast<int>(t);
            }
        }
        NodeStep step{};
        step.offset = static_cast<std::uint32_t>(offset);
        step.offsetHigh = narrow<std::uint16_t>(offset >> 32);
        step.slot = NodeStep::nowhere;
        step.isInLastGroup = m_nodes.isInLastGroup(node) ? 1 : 0;
        step.tailLevel = narrow<std::uint8_t>(tailLevel);
        step.shift = 31; // no position
        if (last >= 0) {
            const auto &dimensions = m_program.dimensions;
            const int state = states[static_cast<std::size_t>(last)];
            const int bits = sparse::bitsOfState(dimensions.basis[last], state);
            step.row = narrow<std::uint16_t>(dimensions.firstRow[last] + state - 1);
            step.dimension = narrow<std::uint8_t>(last);
            if (bits > 0) {
                step.shift = narrow<std::uint8_t>(dimensions.highestBits[last] - bits);
                step.bits = narrow<std::uint8_t>(bits);
            }
            step.parent = narrow<std::uint8_t>(depth - 1);
        }
        auto &steps = m_program.steps;
        if (depth > m_depth) // the first child of the node before
            steps.back().slot = narrow<std::uint8_t>(m_depth);
        m_program.slots = std::max(m_program.slots, depth);
        m_depth = depth;
        steps.push_back(step);
    }

private:
    const UnfoldedGrid &m_nodes;
    NodeProgram &m_program;
    int m_depth = 0;
};

/// Binomial coefficient; saturates far above what is compared with it.
double binomial(int n, int k)
{
    double result = 1;
    for (int i = 1; i <= k; ++i)
        result = result * (n - k + i) / i;
    return result;
}

} // namespace

NodeProgram makeNodeProgram(const UnfoldedGrid &nodes)
{
    NodeProgram program;
    program.dimensions = dimensionsOf(nodes, nodes.dimension());
    program.storage = nodes.storage();
    StepWriter writer(nodes, program);
    for (auto node : lexicographicOrder(nodes))
        writer.add(node, nodes.offset(node), 0);
    return program;
}

bool canHaveTail(const UnfoldedGrid &nodes)
{
    const int d = nodes.dimension();
    const int highest = nodes.highestBits();
    if (d < tailDimensions || highest >= tailLevels
        || std::ranges::any_of(nodes.treatments(), [](auto treatment) {
               return !sparse::hasCells(treatment) || sparse::hasEndPoints(treatment);
           }))
        return false;
    // Of a cluster, what has the highest sum is taken as the last group.
    const auto last = nodes.lastGroupBegin();
    if (nodes.bits(last) != highest || (last > 0 && nodes.bits(last - 1) == highest))
        return false;
    // A downward-closed set of level sums up to `highest` is regular if none is missing.
    return static_cast<double>(nodes.nodes()) == binomial(highest + d, d);
}

NodeProgram makeTailProgram(const UnfoldedGrid &nodes)
{
    NodeProgram program;
    program.dimensions = dimensionsOf(nodes, nodes.dimension() - coreDimensions);
    program.hasTail = true;
    StepWriter writer(nodes, program);
    const auto prefix = static_cast<std::size_t>(nodes.dimension() - tailDimensions);
    for (auto node : lexicographicOrder(nodes)) {
        program.clusterNodes.push_back(nodes.offset(node));
        const auto tail = nodes.states(node).subspan(prefix);
        if (std::ranges::any_of(tail, [](auto state) { return state != 0; }))
            continue;
        const int bits = nodes.bits(node);
        const int tailLevel = nodes.highestBits() - bits;
        writer.add(node, program.storage, tailLevel);
        program.storage += std::uint64_t{clusterSize(tailLevel)} << bits;
    }
    return program;
}

NodeProgram::Ranges NodeProgram::cut(std::size_t count) const
{
    Ranges result;
    count = std::clamp<std::size_t>(count, 1, steps.size());
    std::array<std::uint32_t, 256> holder{}; // of each slot, the step that wrote it last
    std::size_t next = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto begin = steps.size() * i / count, end = steps.size() * (i + 1) / count;
        for (; next < begin; ++next)
            holder[steps[next].slot] = static_cast<std::uint32_t>(next);
        StepRange range{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
                        static_cast<std::uint32_t>(result.path.size()), 0};
        if (begin > 0) {
            for (std::size_t slot = 0; slot <= steps[begin].parent; ++slot)
                result.path.push_back(holder[slot]);
        }
        range.pathEnd = static_cast<std::uint32_t>(result.path.size());
        result.ranges.push_back(range);
    }
    return result;
}

} // namespace gridhelm::gpu
