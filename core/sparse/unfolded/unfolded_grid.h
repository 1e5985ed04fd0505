// SPDX-License-Identifier: GPL-3.0-or-later
//
// The form in which the fast paths evaluate a grid: every *node* contributes exactly one function
// to a point, whatever the boundary treatment.
//
// In a dimension with end points the functions 1 - x and x of level -1 span the same space as 1 and
// 2x - 1. A block with k components -1 is therefore unfolded into 2^k nodes, by a Haar transform
// along these components (mean and half difference, so values do not grow). A node is described by
// one *state* per dimension:
//
//   without end points: state s = level s, one of 2^s functions
//   with end points:    state 0 = 1, state 1 = 2x - 1, state s >= 2 = level s - 2
//
// Likewise level 1 of clenshaw-curtis from degree 2 on, whose two functions are unfolded into
// (2x - 1)^2 and 2x - 1: state 0 is level 0, states 1 and 2 are level 1, state s >= 3 is level
// s - 1. Otherwise states of treatments without cells are their levels.
//
// State 0 is the one that most nodes have in most dimensions. Without paired levels (isPaired())
// nodes are blocks and the values are the coefficients.
#pragma once

#include "core/sparse/basis.h"
#include "core/sparse/dimension_basis.h"
#include "core/sparse/sparse_grid.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm::sparse {

using State = Level;

GRIDHELM_HOST_DEVICE constexpr int stateOfLevelZero(BoundaryTreatment treatment)
{
    return hasEndPoints(treatment) ? 2 : 0;
}

/// Whether the function of state 0 is 1 everywhere, for this or that treatment.
template <typename Treatment>
inline constexpr bool isStateZeroConstant = Treatment::ends.arePoints
                                            || isConstantOnLevelZero(Treatment::ends);

/// Level of a state, or -1 for the states 1 and 2x - 1 of level -1.
GRIDHELM_HOST_DEVICE constexpr int levelOfState(BoundaryTreatment treatment, int state)
{
    const int level = state - stateOfLevelZero(treatment);
    return level < 0 ? -1 : level;
}

/// Binary logarithm of the number of functions of a state.
GRIDHELM_HOST_DEVICE constexpr int bitsOfState(BoundaryTreatment treatment, int state)
{
    const int level = levelOfState(treatment, state);
    return level < 0 ? 0 : level;
}

/// The same three for any basis.
GRIDHELM_HOST_DEVICE constexpr int stateOfLevel(DimensionBasis basis, int level)
{
    if (hasCells(basis.treatment))
        return level < 0 ? 0 : level + stateOfLevelZero(basis.treatment);
    return isPaired(basis, 1) && level >= 2 ? level + 1 : level;
}
GRIDHELM_HOST_DEVICE constexpr int levelOfState(DimensionBasis basis, int state)
{
    if (hasCells(basis.treatment))
        return levelOfState(basis.treatment, state);
    return isPaired(basis, 1) && state >= 2 ? state - 1 : state;
}
GRIDHELM_HOST_DEVICE constexpr int bitsOfState(DimensionBasis basis, int state)
{
    const int level = levelOfState(basis, state);
    return isPaired(basis, level) ? 0 : bitsOfLevel(basis.treatment, static_cast<Level>(level));
}

/// More states than any dimension has.
inline constexpr int maximumStates = 72;

/// The node set of a grid and where its values lie. Nodes of a grid are in the order of the blocks
/// that they come from, group after group. A node has 2^bits functions; where all dimensions have
/// cells, bits is the |l|_1 of its block in all dimensions: without dense ones its group. Inside a
/// node, values are row-major, last dimension fastest. Every *run* of nodes of equal bits starts at
/// a multiple of `alignment` values; `padding` values after the last node may be read.
class UnfoldedGrid
{
public:
    static constexpr std::uint64_t alignment = 16;
    static constexpr std::uint64_t padding = 16;

    /// Without paired levels, the level vectors stay the grid's: it must outlive this object.
    explicit UnfoldedGrid(const SparseGrid &grid);
    explicit UnfoldedGrid(SparseGrid &&) = delete;

    /// `states` holds the nodes' states one after the other, without repetition, in any order. The
    /// largest nodes count as the last group.
    UnfoldedGrid(std::vector<DimensionBasis> bases, std::vector<State> states);

    UnfoldedGrid(UnfoldedGrid &&) = default;
    UnfoldedGrid &operator=(UnfoldedGrid &&) = default;

    int dimension() const { return static_cast<int>(m_treatments.size()); }
    const std::vector<BoundaryTreatment> &treatments() const { return m_treatments; }
    const std::vector<DimensionBasis> &bases() const { return m_bases; }
    DimensionBasis basis(std::size_t t) const { return m_bases[t]; }
    std::size_t nodes() const { return m_states.size() / m_treatments.size(); }
    std::span<const State> states(std::size_t node) const
    {
        const auto d = m_treatments.size();
        return {m_states.data() + node * d, d};
    }
    std::uint64_t offset(std::size_t node) const
    {
        const auto &run = runOf(node);
        return run.firstValue + (static_cast<std::uint64_t>(node - run.firstNode) << run.bits);
    }
    int bits(std::size_t node) const { return runOf(node).bits; }
    /// Largest bits of a node.
    int highestBits() const { return m_highestBits; }
    /// First node of the last group.
    std::size_t lastGroupBegin() const { return m_lastGroupBegin; }
    bool isInLastGroup(std::size_t node) const { return node >= m_lastGroupBegin; }
    int highestState(int t) const { return m_highestStates[static_cast<std::size_t>(t)]; }
    /// Length of a value array, padding included.
    std::uint64_t storage() const { return m_runs.back().firstValue + padding; }

    std::size_t bytes() const
    {
        return m_ownStates.capacity() * sizeof(State) + m_runs.capacity() * sizeof(Run);
    }

private:
    struct Run
    {
        std::size_t firstNode;
        std::uint64_t firstValue;
        int bits;
    };

    void indexRuns();
    const Run &runOf(std::size_t node) const
    {
        const auto next = std::upper_bound(
            m_runs.begin(), m_runs.end() - 1, node,
            [](std::size_t wanted, const Run &run) { return wanted < run.firstNode; });
        return *(next - 1);
    }

    std::vector<BoundaryTreatment> m_treatments;
    std::vector<DimensionBasis> m_bases;
    std::vector<State> m_ownStates;
    std::span<const State> m_states; // m_ownStates, or the grid's level vectors
    std::vector<Run> m_runs;         // and one more
    int m_highestBits = 0;
    std::size_t m_lastGroupBegin = 0;
    std::vector<int> m_highestStates;
};

} // namespace gridhelm::sparse
