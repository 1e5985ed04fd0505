// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/adaptive_blocks.h"

#include "core/support/error.h"

#include <algorithm>
#include <map>

namespace gridhelm::sparse {

namespace {

using Index = std::map<LevelVector, std::size_t>;

/// Nothing if a lower neighbour is missing, or its gain is.
std::optional<BlockCandidate> candidateAt(LevelVector levels,
                                          const std::vector<BoundaryTreatment> &treatments,
                                          std::span<const KnownBlock> blocks, const Index &index)
{
    BlockCandidate candidate;
    std::optional<double> smallest;
    double largest = 0;
    for (std::size_t t = 0; t < levels.size(); ++t) {
        if (levels[t] == lowestLevel(treatments[t]))
            continue;
        --levels[t];
        const auto below = index.find(levels);
        ++levels[t];
        if (below == index.end() || !blocks[below->second].gain)
            return std::nullopt;
        const double gain = *blocks[below->second].gain;
        smallest = std::min(smallest.value_or(gain), gain);
        largest = std::max(largest, gain);
        candidate.youngestBelow = std::max(candidate.youngestBelow, below->second);
    }
    candidate.predictedGain = std::max(smallest.value_or(0), leastOfLargestGain * largest);
    candidate.runs = pointsOfBlock(treatments, levels);
    candidate.levels = std::move(levels);
    return candidate;
}

} // namespace

std::uint64_t pointsOfBlock(const std::vector<BoundaryTreatment> &treatments,
                            LevelVectorView levels)
{
    std::uint64_t points = 1;
    for (std::size_t t = 0; t < levels.size(); ++t)
        points <<= bitsOfLevel(treatments[t], levels[t]);
    return points;
}

std::vector<BlockCandidate> blockCandidates(const std::vector<BoundaryTreatment> &treatments,
                                            std::span<const KnownBlock> blocks,
                                            std::span<const int> highestLevels, int highestSum)
{
    Index index;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        if (blocks[b].levels.size() != treatments.size())
            throw Error("a block has another number of levels than there are dimensions");
        index.emplace(blocks[b].levels, b);
    }
    if (highestLevels.size() != treatments.size())
        throw Error("there is not one highest level for each dimension");
    const auto isAllowed = [&](const LevelVector &levels) {
        for (std::size_t t = 0; t < levels.size(); ++t)
            if (levels[t] > std::min(highestLevels[t], highestLevelOf(treatments[t])))
                return false;
        return levelSum(levels) <= highestSum;
    };
    std::map<LevelVector, BlockCandidate> candidates;
    for (const auto &block : blocks) {
        auto above = block.levels;
        for (std::size_t t = 0; t < above.size(); ++t) {
            ++above[t];
            if (isAllowed(above) && !index.contains(above) && !candidates.contains(above)) {
                if (auto candidate = candidateAt(above, treatments, blocks, index))
                    candidates.emplace(above, std::move(*candidate));
            }
            --above[t];
        }
    }
    std::vector<BlockCandidate> list;
    for (auto &[levels, candidate] : candidates)
        list.push_back(std::move(candidate));
    return list;
}

namespace {

bool isExploredBefore(const BlockCandidate &a, const BlockCandidate &b)
{
    const int sumA = levelSum(a.levels), sumB = levelSum(b.levels);
    if (sumA != sumB)
        return sumA < sumB;
    return a.youngestBelow != b.youngestBelow ? a.youngestBelow < b.youngestBelow
                                              : a.levels < b.levels;
}

double gainPerRun(const BlockCandidate &candidate)
{
    return candidate.predictedGain / static_cast<double>(candidate.runs);
}

bool isBetter(const BlockCandidate &a, const BlockCandidate &b)
{
    const double gainA = gainPerRun(a), gainB = gainPerRun(b);
    return gainA != gainB ? gainA > gainB : isExploredBefore(a, b);
}

} // namespace

std::vector<BlockChoice> chooseBlocks(const std::vector<BoundaryTreatment> &treatments,
                                      std::span<const KnownBlock> blocks,
                                      const RefinementRules &rules, RefinementTally tally,
                                      std::uint64_t wanted, std::uint64_t most)
{
    auto candidates = blockCandidates(treatments, blocks, rules.highestLevels, rules.highestSum);
    std::vector<BlockChoice> choices;
    std::uint64_t runs = 0;
    while (runs < wanted) {
        std::erase_if(candidates, [&](const BlockCandidate &c) {
            return c.runs > most - std::min(runs, most);
        });
        if (candidates.empty())
            break;
        const bool isTurn = static_cast<double>(tally.explored)
                            < rules.exploration * static_cast<double>(tally.runs);
        auto chosen = std::ranges::min_element(candidates, isTurn ? isExploredBefore : isBetter);
        const bool isExploration = isTurn || chosen->predictedGain <= 0;
        choices.push_back(
            {std::move(chosen->levels), chosen->runs, chosen->predictedGain, isExploration});
        candidates.erase(chosen);
        tally.add(choices.back());
        runs += choices.back().runs;
    }
    return choices;
}

} // namespace gridhelm::sparse
