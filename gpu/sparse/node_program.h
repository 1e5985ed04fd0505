// SPDX-License-Identifier: GPL-3.0-or-later
//
// The order in which a point visits the nodes of a grid on the device: depth first, as
// core/sparse/omp/evaluation_program.h has it, so that products and indices of common prefixes are
// computed once. With r(t, s) the ratio of the functions of state s and state 0 in dimension t, a
// node's product is its parent's, the node with its last nonzero state set to 0, times one ratio,
// and its index the parent's with that state's position appended.
//
// On regular grids the last four dimensions, the *tail*, are no steps: below every node of the
// other dimensions hangs a regular grid of four dimensions, whose values lie together as a
// *cluster*. A cluster consists of *cores*, one for each function of its first dimension: regular
// grids of three dimensions, whose sums are compiled for each of their levels.
#pragma once

#include "core/sparse/unfolded/unfolded_grid.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridhelm::gpu {

inline constexpr int tailDimensions = 4;
inline constexpr int coreDimensions = 3;
/// Refinement levels of a regular grid that tails are compiled for.
inline constexpr int tailLevels = 10;

/// What the kernels know of the dimensions; a kernel argument. Row 0 of the table of ratios is the
/// constant 1, row firstRow[t] + s - 1 is r(t, s).
struct NodeDimensions
{
    int dimension = 0;
    int rows = 1;
    bool hasHatsOnly = true;
    sparse::DimensionBasis basis[sparse::maximumDimension] = {};
    std::uint8_t highestState[sparse::maximumDimension] = {};
    std::uint8_t highestBits[sparse::maximumDimension] = {}; ///< of a state
    std::uint16_t firstRow[sparse::maximumDimension] = {};
};

/// The step from a parent to a node. The position of a state of 2^b functions is the one among
/// 2^highestBits cells, shifted right by highestBits - b.
struct alignas(16) NodeStep
{
    std::uint32_t offset;     ///< of the node's values, or of its clusters; the lower 32 bits
    std::uint16_t offsetHigh; ///< the others
    std::uint16_t row;        ///< of the ratio
    std::uint8_t dimension;   ///< whose state is no longer 0
    std::uint8_t shift;       ///< from the position among the most cells to that of the state
    std::uint8_t bits;        ///< of the state's position
    std::uint8_t parent;      ///< where product and index of the parent are kept
    std::uint8_t slot;        ///< where this node's are; `nowhere` if it has no children
    std::uint8_t isInLastGroup;
    std::uint8_t tailLevel; ///< sum of levels that is left for the tail
    std::uint8_t unused;
    static constexpr std::uint8_t nowhere = 255;
};
static_assert(sizeof(NodeStep) == 16);

/// Steps begin .. end - 1, after the steps path[pathBegin .. pathEnd - 1] to the ancestors of the
/// first one.
struct StepRange
{
    std::uint32_t begin, end;
    std::uint32_t pathBegin, pathEnd;
};

struct NodeProgram
{
    NodeDimensions dimensions;
    std::vector<NodeStep> steps;
    int slots = 1;
    bool hasTail = false;
    /// With a tail: for every step the offsets of the nodes of its cluster, in lexicographic order
    /// of their last four states, one step after the other.
    std::vector<std::uint64_t> clusterNodes;
    std::uint64_t storage = 0; ///< values that the steps' offsets speak of

    /// Cuts the steps into up to `count` ranges of about the same length.
    struct Ranges
    {
        std::vector<StepRange> ranges;
        std::vector<std::uint32_t> path;
    };
    Ranges cut(std::size_t count) const;
};

/// Every node is a step.
NodeProgram makeNodeProgram(const sparse::UnfoldedGrid &nodes);

/// Whether `nodes` are a regular grid with a tail, whose last group is its highest level sum.
bool canHaveTail(const sparse::UnfoldedGrid &nodes);
NodeProgram makeTailProgram(const sparse::UnfoldedGrid &nodes);

/// Values of a regular grid of three dimensions and the levels 0 .. level.
GRIDHELM_HOST_DEVICE constexpr std::uint32_t coreSize(int level)
{
    std::uint32_t size = 0;
    for (int sum = 0; sum <= level; ++sum)
        size += static_cast<std::uint32_t>((sum + 1) * (sum + 2) / 2) << sum;
    return size;
}

/// The same of four dimensions: sum of 2^s (s + 1) (s + 2) (s + 3) / 6 over s <= level.
GRIDHELM_HOST_DEVICE constexpr std::uint32_t clusterSize(int level)
{
    std::uint32_t size = 0;
    for (int sum = 0; sum <= level; ++sum)
        size += static_cast<std::uint32_t>((sum + 1) * (sum + 2) * (sum + 3) / 6) << sum;
    return size;
}

} // namespace gridhelm::gpu
