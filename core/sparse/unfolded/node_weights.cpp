// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/unfolded/node_weights.h"

#include "core/sparse/unfolded/end_point_bits.h"

#include <bit>

namespace gridhelm::sparse {

namespace {

/// A coefficient of a block is the sum of one value of each of the block's nodes: what belongs to
/// 2x - 1 counts with its sign at the end point.
void addCoefficient(const UnfoldedGrid &nodes, std::size_t firstNode, std::uint64_t inBlock,
                    const EndPointBits &ends, double weight, std::vector<WeightedValue> &terms)
{
    std::uint64_t free = 0; // the index without the bits of the end points
    int freeBits = 0;
    for (int bit = 0; inBlock >> bit != 0; ++bit) {
        if ((ends.mask >> bit) & 1U)
            continue;
        free |= ((inBlock >> bit) & 1U) << freeBits;
        ++freeBits;
    }
    for (std::uint64_t choice = 0; choice < std::uint64_t{1} << ends.bits.size(); ++choice) {
        const bool isNegative =
            std::popcount(deposit(choice, ends) & ~inBlock) % 2 != 0; // at left ends
        terms.push_back({nodes.offset(firstNode + choice) + free, isNegative ? -weight : weight});
    }
}

} // namespace

NodeWeights nodeWeights(const SparseGrid &grid, const UnfoldedGrid &nodes,
                        const SparseWeights &weights)
{
    NodeWeights result;
    const auto classes = grid.blockClasses();
    std::size_t blockClass = 0, firstNode = 0; // of the class
    for (std::size_t i = 0; i < weights.rows.size(); ++i) {
        if (i == weights.lastGroupBegin)
            result.lastGroupBegin = result.terms.size();
        const auto row = weights.rows[i];
        const auto nodesOfBlock = [&] { return grid.dimension() - classes[blockClass].free; };
        while (blockClass + 1 < classes.size() && classes[blockClass + 1].firstPoint <= row) {
            firstNode += classes[blockClass].blocks << nodesOfBlock();
            ++blockClass;
        }
        const auto &of = classes[blockClass];
        const auto inClass = row - of.firstPoint;
        const auto block = static_cast<std::size_t>(inClass >> of.blockBits);
        const auto inBlock = inClass & ((std::uint64_t{1} << of.blockBits) - 1);
        addCoefficient(nodes, firstNode + (block << nodesOfBlock()), inBlock,
                       endPointBits(grid.levelVector(of.firstBlock + block)), weights.weights[i],
                       result.terms);
    }
    if (weights.lastGroupBegin >= weights.rows.size())
        result.lastGroupBegin = result.terms.size();
    return result;
}

} // namespace gridhelm::sparse
