// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/omp/evaluation_program.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace gridhelm::sparse::omp {

namespace {

/// Writes the program of a node set.
class ProgramWriter
{
public:
    ProgramWriter(const UnfoldedGrid &nodes, const std::vector<int> &firstRows,
                  std::vector<ProgramWord> &words)
        : m_nodes(nodes)
        , m_firstRows(firstRows)
        , m_words(words)
        , m_order(nodes.nodes())
    {
        // Lexicographic order of the states is the depth-first order of the tree.
        std::iota(m_order.begin(), m_order.end(), std::size_t{0});
        std::sort(m_order.begin(), m_order.end(), [&](std::size_t a, std::size_t b) {
            return std::ranges::lexicographical_compare(nodes.states(a), nodes.states(b));
        });
    }

    std::size_t root() const { return m_order.front(); }
    void run() { writeParent(0, m_order.size(), -1); }

private:
    struct Child
    {
        std::size_t begin, end; // range in m_order; the child itself is first
        int dimension;           // of the child's last nonzero state
        bool hasChildren() const { return end > begin + 1; }
    };

    struct GroupKey
    {
        bool last; // in the grid's last group: such groups come behind the others
        int bits;
        int shift;
        auto operator<=>(const GroupKey &) const = default;
    };

    struct BottomKey
    {
        int shift;
        GroupKey grandchildren;
        auto operator<=>(const BottomKey &) const = default;
    };

    /// The children of the top node of [begin, end), whose last nonzero state is in `dimension`.
    std::vector<Child> childrenOf(std::size_t begin, std::size_t end, int dimension) const
    {
        std::vector<Child> children;
        for (std::size_t i = begin + 1; i < end; i = children.back().end)
            children.push_back(childAt(i, end, dimension));
        return children;
    }

    GroupKey groupOf(const Child &child, int parentBits) const
    {
        const int bits = bitsOf(child);
        return {bits == m_nodes.highestBits(), bits, bits - parentBits};
    }

    /// The key of a bottom child; none if it has no children, or other ones.
    std::optional<BottomKey> bottomKeyOf(const Child &child, int parentBits) const
    {
        std::optional<BottomKey> key;
        const int bits = bitsOf(child);
        for (const Child &grandchild : childrenOf(child.begin, child.end, child.dimension)) {
            const BottomKey candidate{bits - parentBits, groupOf(grandchild, bits)};
            if (grandchild.hasChildren() || (key && *key != candidate))
                return std::nullopt;
            key = candidate;
        }
        return key;
    }

    void writeParent(std::size_t begin, std::size_t end, int dimension)
    {
        const int bits = m_nodes.bits(m_order[begin]);
        std::map<GroupKey, std::vector<NodeWord>> groups;
        std::map<BottomKey, std::vector<Child>> bottoms;
        std::vector<Child> others;
        for (const Child &child : childrenOf(begin, end, dimension)) {
            groups[groupOf(child, bits)].push_back(nodeWord(child));
            if (!child.hasChildren())
                continue;
            if (const auto key = bottomKeyOf(child, bits))
                bottoms[*key].push_back(child);
            else
                others.push_back(child);
        }

        const auto lastGroups = static_cast<std::uint64_t>(
            std::ranges::count_if(groups, [](const auto &group) { return group.first.last; }));
        push(ParentHeader{groups.size() - lastGroups, lastGroups, bottoms.size(), others.size()});
        for (const auto &[key, nodes] : groups) {
            push(GroupHeader{nodes.size(), static_cast<std::uint64_t>(key.bits),
                             static_cast<std::uint64_t>(key.shift)});
            for (NodeWord node : nodes)
                push(node);
        }
        for (const auto &[key, children] : bottoms)
            writeBottomGroup(key, children);
        for (const Child &child : others)
            writeChild(child, bits);
    }

    void writeBottomGroup(const BottomKey &key, const std::vector<Child> &children)
    {
        push(BottomHeader{children.size(), static_cast<std::uint64_t>(key.shift),
                          static_cast<std::uint64_t>(key.grandchildren.bits),
                          static_cast<std::uint64_t>(key.grandchildren.shift),
                          key.grandchildren.last ? 1U : 0U});
        for (const Child &child : children) {
            const auto grandchildren = childrenOf(child.begin, child.end, child.dimension);
            push(BottomChild{rowOf(child), grandchildren.size()});
            for (const Child &grandchild : grandchildren)
                push(nodeWord(grandchild));
        }
    }

    void writeChild(const Child &child, int parentBits)
    {
        const auto header = m_words.size();
        m_words.push_back(0);
        writeParent(child.begin, child.end, child.dimension);
        const int bits = bitsOf(child);
        m_words[header] = std::bit_cast<ProgramWord>(
            ChildHeader{rowOf(child), static_cast<std::uint64_t>(bits - parentBits),
                        bits == m_nodes.highestBits() ? 1U : 0U, m_words.size() - header - 1});
    }

    /// The child whose subtree begins at m_order[i].
    Child childAt(std::size_t i, std::size_t end, int parentDimension) const
    {
        const auto states = m_nodes.states(m_order[i]);
        int dimension = m_nodes.dimension() - 1;
        while (states[static_cast<std::size_t>(dimension)] == 0)
            --dimension;
        const auto samePrefix = [&](std::size_t j) {
            const auto other = m_nodes.states(m_order[j]);
            return std::equal(states.begin() + parentDimension + 1,
                              states.begin() + dimension + 1,
                              other.begin() + parentDimension + 1);
        };
        auto childEnd = i + 1;
        while (childEnd < end && samePrefix(childEnd))
            ++childEnd;
        return {i, childEnd, dimension};
    }

    std::uint64_t rowOf(const Child &child) const
    {
        const auto t = static_cast<std::size_t>(child.dimension);
        const int state = m_nodes.states(m_order[child.begin])[t];
        return static_cast<std::uint64_t>(m_firstRows[t] + state - 1);
    }

    int bitsOf(const Child &child) const { return m_nodes.bits(m_order[child.begin]); }

    NodeWord nodeWord(const Child &child) const
    {
        return {m_nodes.offset(m_order[child.begin]), rowOf(child)};
    }

    template <typename Word>
    void push(Word word)
    {
        m_words.push_back(std::bit_cast<ProgramWord>(word));
    }

    const UnfoldedGrid &m_nodes;
    const std::vector<int> &m_firstRows;
    std::vector<ProgramWord> &m_words;
    std::vector<std::size_t> m_order;
};

/// Cuts a program into segments, depth first.
class SegmentCutter
{
public:
    SegmentCutter(const ProgramWord *words, std::size_t limit)
        : m_words(words)
        , m_limit(limit)
    {
    }

    std::vector<Segment> run(std::size_t words, bool inLastGroup)
    {
        cut(0, words, inLastGroup);
        return std::move(m_segments);
    }

private:
    void cut(std::size_t first, std::size_t words, bool inLastGroup)
    {
        const auto header = decode<ParentHeader>(m_words[first]);
        const bool shallow = words > m_limit && header.innerChildren > 0;
        m_segments.push_back({m_path, first, shallow, inLastGroup});
        if (!shallow)
            return;
        auto at = first + 1;
        for (std::uint64_t g = 0; g < header.groups + header.lastGroups; ++g)
            at += 1 + decode<GroupHeader>(m_words[at]).count;
        for (std::uint64_t g = 0; g < header.bottomGroups; ++g) {
            const auto count = decode<BottomHeader>(m_words[at++]).count;
            for (std::uint64_t c = 0; c < count; ++c)
                at += 1 + decode<BottomChild>(m_words[at]).count;
        }
        for (std::uint64_t c = 0; c < header.innerChildren; ++c) {
            const auto child = decode<ChildHeader>(m_words[at]);
            m_path.push_back({static_cast<std::uint16_t>(child.row),
                              static_cast<std::uint8_t>(child.shift)});
            cut(at + 1, child.words, inLastGroup || child.inLastGroup != 0);
            m_path.pop_back();
            at += 1 + child.words;
        }
    }

    const ProgramWord *m_words;
    std::size_t m_limit;
    std::vector<PathStep> m_path;
    std::vector<Segment> m_segments;
};

} // namespace

EvaluationProgram::EvaluationProgram(const UnfoldedGrid &nodes)
    : m_nodes(nodes.nodes())
    , m_wholeTreeInLastGroup(nodes.highestBits() == 0)
{
    m_firstRows.push_back(0);
    for (int t = 0; t < nodes.dimension(); ++t)
        m_firstRows.push_back(m_firstRows.back() + nodes.highestState(t));
    ProgramWriter writer(nodes, m_firstRows, m_words);
    m_rootOffset = nodes.offset(writer.root());
    writer.run();
    m_words.shrink_to_fit();
}

std::vector<Segment> EvaluationProgram::segments(std::size_t words) const
{
    return SegmentCutter(m_words.data(), words).run(m_words.size(), m_wholeTreeInLastGroup);
}

} // namespace gridhelm::sparse::omp
