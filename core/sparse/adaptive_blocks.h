// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which blocks a grid gets next, so that it grows where the error is: the dimension-adaptive
// algorithm of [Gerstner2003], with a share of the runs for what nothing is known of
// (docs/theory/adaptive-grids.md). Level vectors are those of the dimensions that cost runs.
#pragma once

#include "core/sparse/boundary_treatment.h"
#include "core/sparse/level_vector.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::sparse {

using LevelVector = std::vector<Level>;

/// Of a block with one level for each treatment.
std::uint64_t pointsOfBlock(const std::vector<BoundaryTreatment> &treatments,
                            LevelVectorView levels);

/// A block that the grid has.
struct KnownBlock
{
    LevelVector levels;
    /// Root mean square, over the parameter space, of what the block adds to the field, relative to
    /// the field; none as long as its runs are not there.
    std::optional<double> gain;
};

/// Of the largest gain of a lower neighbour: no less is expected of a block, so that a function
/// whose gains begin with zeros (as those of sin(2 pi x) (1 + y) do) does not look finished.
inline constexpr double leastOfLargestGain = 0.001;

/// A block that the grid could have next: all of its lower neighbours are there, with their gains.
struct BlockCandidate
{
    LevelVector levels;
    std::uint64_t runs = 0; ///< points
    /// The smallest gain of a lower neighbour, or leastOfLargestGain of the largest.
    double predictedGain = 0;
    std::size_t youngestBelow = 0; ///< index of the lower neighbour that came last
};

struct RefinementRules
{
    /// Share of the runs that goes to the candidate with the smallest level sum, the oldest first,
    /// whatever is predicted, 0 to 1: a predicted gain of 0 is no evidence.
    double exploration = 0.05;
    std::vector<int> highestLevels; ///< of each dimension
    int highestSum = maximumLevel;  ///< of all levels of a block together
};

/// In the order of their level vectors. `blocks` is downward-closed, in the order in which they
/// came. Of one dimension too many or too few: gridhelm::Error.
std::vector<BlockCandidate> blockCandidates(const std::vector<BoundaryTreatment> &treatments,
                                            std::span<const KnownBlock> blocks,
                                            std::span<const int> highestLevels,
                                            int highestSum = maximumLevel);

struct BlockChoice
{
    LevelVector levels;
    std::uint64_t runs = 0;
    double predictedGain = 0;
    bool isExploration = false; ///< chosen for its level sum, not for its gain
};

/// Runs that choices have cost so far.
struct RefinementTally
{
    std::uint64_t runs = 0;
    std::uint64_t explored = 0; ///< of them, by choices for exploration

    void add(const BlockChoice &choice)
    {
        runs += choice.runs;
        explored += choice.isExploration ? choice.runs : 0;
    }
};

/// The next blocks: one after the other, those with the largest predicted gain per run, or the
/// first to be explored, until they cost at least `wanted` runs; none that would cost more than
/// `most` with those before it. Fewer, or none, if there are no more candidates.
std::vector<BlockChoice> chooseBlocks(const std::vector<BoundaryTreatment> &treatments,
                                      std::span<const KnownBlock> blocks,
                                      const RefinementRules &rules, RefinementTally tally,
                                      std::uint64_t wanted, std::uint64_t most);

} // namespace gridhelm::sparse
