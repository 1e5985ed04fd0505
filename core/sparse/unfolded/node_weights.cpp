// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/unfolded/node_weights.h"

#include "core/sparse/unfolded/paired_bits.h"

#include <bit>

namespace gridhelm::sparse {

namespace {

/// A coefficient of a block is the sum of one value of each of the block's nodes: what belongs to
/// 2x - 1 counts with its sign at the end point.
void addCoefficient(const UnfoldedGrid &nodes, std::size_t firstNode, std::uint64_t inBlock,
                    const PairedBits &pairs, double weight, std::vector<WeightedValue> &terms)
{
    std::uint64_t free = 0; // the index without the bits of paired levels
    int freeBits = 0;
    for (int bit = 0; inBlock >> bit != 0; ++bit) {
        if ((pairs.mask >> bit) & 1U)
            continue;
        free |= ((inBlock >> bit) & 1U) << freeBits;
        ++freeBits;
    }
    for (std::uint64_t choice = 0; choice < std::uint64_t{1} << pairs.bits.size(); ++choice) {
        const bool isNegative =
            std::popcount(deposit(choice, pairs) & ~inBlock) % 2 != 0; // at left ends
        terms.push_back({nodes.offset(firstNode + choice) + free, isNegative ? -weight : weight});
    }
}

} // namespace

NodeWeights nodeWeights(const SparseGrid &grid, const UnfoldedGrid &nodes,
                        const SparseWeights &weights)
{
    NodeWeights result;
    const auto bases = grid.bases();
    const auto classes = grid.blockClasses();
    std::size_t blockClass = 0, block = 0, firstNode = 0; // of the block
    for (std::size_t i = 0; i < weights.rows.size(); ++i) {
        if (i == weights.lastGroupBegin)
            result.lastGroupBegin = result.terms.size();
        const auto row = weights.rows[i];
        while (blockClass + 1 < classes.size() && classes[blockClass + 1].firstPoint <= row)
            ++blockClass;
        const auto &of = classes[blockClass];
        const auto inClass = row - of.firstPoint;
        const auto wanted = of.firstBlock + static_cast<std::size_t>(inClass >> of.blockBits);
        for (; block < wanted; ++block)
            firstNode += contributionsOf(bases, grid.levelVector(block));
        const auto inBlock = inClass & ((std::uint64_t{1} << of.blockBits) - 1);
        addCoefficient(nodes, firstNode, inBlock, pairedBits(bases, grid.levelVector(block)),
                       weights.weights[i], result.terms);
    }
    if (weights.lastGroupBegin >= weights.rows.size())
        result.lastGroupBegin = result.terms.size();
    return result;
}

} // namespace gridhelm::sparse
