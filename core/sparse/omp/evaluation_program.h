// SPDX-License-Identifier: GPL-3.0-or-later
//
// The order in which random points visit the nodes of a grid: depth first, so that products and
// indices of common prefixes are computed once (docs/theory/evaluation.md).
//
// The parent of a node is the node with its last nonzero state set to 0. With r(t, s) the ratio of
// the functions of state s and state 0 in dimension t at the point, the interpolant is, divided by
// the product of all functions of state 0,
//
//     coefficient(root) + S(root),   S(node) = sum over children (t, s) of
//                                              r(t, s) (coefficient(child) + S(child)),
//
// one multiply-add and one coefficient look-up per node. The children of a parent are grouped by
// the size of their nodes, so that a run of them is a loop without branches; and so are *bottom*
// children, whose own children are childless and of one size.
//
// The program is a stream of 64-bit words. For a parent:
//
//     ParentHeader
//     all children: groups of GroupHeader, then a NodeWord per child;
//         first the groups outside the grid's last group, then those inside it
//     groups of bottom children: BottomHeader, then per child a BottomChild and the NodeWords of
//         its own children
//     other children that have children: ChildHeader, the child's stream
#pragma once

#include "core/sparse/unfolded/unfolded_grid.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace gridhelm::sparse::omp {

using ProgramWord = std::uint64_t;

class NodeWord
{
public:
    NodeWord(std::uint64_t offset, std::uint16_t row)
        : m_bits(offset << 16 | row)
    {
    }
    /// Of the node's values; below 2^48.
    std::uint64_t offset() const { return m_bits >> 16; }
    /// Of its state in the tables of ratios and positions.
    std::uint64_t row() const { return m_bits & 0xffffU; }

private:
    std::uint64_t m_bits;
};

struct ParentHeader
{
    std::uint16_t groups;     ///< of children outside the grid's last group
    std::uint16_t lastGroups; ///< inside it
    std::uint16_t bottomGroups;
    std::uint16_t innerChildren;
};

struct GroupHeader
{
    std::uint32_t count;
    std::uint16_t bits;  ///< of each node
    std::uint16_t shift; ///< bits of the child's own state
};

struct BottomHeader
{
    std::uint32_t count;      ///< bottom children
    std::uint8_t shift;       ///< bits of the child's own state
    std::uint8_t grandBits;   ///< of each of their children
    std::uint8_t grandShift;  ///< bits of the grandchild's own state
    std::uint8_t inLastGroup; ///< the grandchildren are
};

struct BottomChild
{
    std::uint32_t row;
    std::uint32_t count; ///< its children
};

struct ChildHeader
{
    std::uint32_t words; ///< length of the child's stream
    std::uint16_t row;
    std::uint16_t shift; ///< bits of the child's own state
};

static_assert(sizeof(NodeWord) == 8 && sizeof(ParentHeader) == 8 && sizeof(GroupHeader) == 8
              && sizeof(BottomHeader) == 8 && sizeof(BottomChild) == 8 && sizeof(ChildHeader) == 8);

/// One step from a parent to a child.
struct PathStep
{
    std::uint16_t row;
    std::uint16_t shift;
};

/// A part of the tree that can be evaluated by itself: S of the node at the end of `path`; if
/// `shallow`, without S of those children that have a ChildHeader. The coefficient of the root is
/// in no segment.
struct Segment
{
    std::vector<PathStep> path;
    std::size_t firstWord = 0;
    bool shallow = false;
};

class EvaluationProgram
{
public:
    explicit EvaluationProgram(const UnfoldedGrid &nodes);

    const ProgramWord *words() const { return m_words.data(); }
    std::uint64_t rootOffset() const { return m_rootOffset; }
    bool rootInLastGroup() const { return m_rootInLastGroup; }
    std::size_t nodes() const { return m_nodes; }

    /// Row of state s >= 1 of dimension t is firstRow(t) + s - 1.
    int firstRow(int t) const { return m_firstRows[static_cast<std::size_t>(t)]; }
    int rows() const { return m_firstRows.back(); }

    /// Segments that are evaluated together.
    using Part = std::vector<Segment>;
    /// Cuts the tree, in its depth-first order, into parts that read about `values` node values
    /// each: to share one point among threads, or to let many points pass by while a part's values
    /// are in the cache.
    std::vector<Part> parts(std::uint64_t values) const;
    Part wholeTree() const { return {{{}, 0, false}}; }

    std::size_t size() const { return m_words.size(); }
    std::size_t bytes() const { return m_words.capacity() * sizeof(ProgramWord); }

private:
    std::vector<ProgramWord> m_words;
    std::vector<int> m_firstRows; // one more than dimensions
    std::size_t m_nodes = 0;
    std::uint64_t m_rootOffset = 0;
    bool m_rootInLastGroup = false;
};

template <typename Word>
constexpr Word decode(ProgramWord word)
{
    return std::bit_cast<Word>(word);
}

} // namespace gridhelm::sparse::omp
