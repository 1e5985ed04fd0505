// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/omp/evaluation_program.h"

#include "core/support/checked_math.h"

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
        int dimension;          // of the child's last nonzero state
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
        return {m_order[child.begin] >= m_nodes.lastGroupBegin(), bits, bits - parentBits};
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

        const auto lastGroups = static_cast<std::size_t>(
            std::ranges::count_if(groups, [](const auto &group) { return group.first.last; }));
        push(ParentHeader{narrow<std::uint16_t>(groups.size() - lastGroups),
                          narrow<std::uint16_t>(lastGroups), narrow<std::uint16_t>(bottoms.size()),
                          narrow<std::uint16_t>(others.size())});
        for (const auto &[key, nodes] : groups) {
            push(GroupHeader{narrow<std::uint32_t>(nodes.size()), narrow<std::uint16_t>(key.bits),
                             narrow<std::uint16_t>(key.shift)});
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
        push(BottomHeader{narrow<std::uint32_t>(children.size()), narrow<std::uint8_t>(key.shift),
                          narrow<std::uint8_t>(key.grandchildren.bits),
                          narrow<std::uint8_t>(key.grandchildren.shift),
                          narrow<std::uint8_t>(key.grandchildren.last ? 1 : 0)});
        for (const Child &child : children) {
            const auto grandchildren = childrenOf(child.begin, child.end, child.dimension);
            push(BottomChild{rowOf(child), narrow<std::uint32_t>(grandchildren.size())});
            for (const Child &grandchild : grandchildren)
                push(nodeWord(grandchild));
        }
    }

    void writeChild(const Child &child, int parentBits)
    {
        const auto header = m_words.size();
        m_words.push_back(0);
        writeParent(child.begin, child.end, child.dimension);
        m_words[header] = std::bit_cast<ProgramWord>(
            ChildHeader{narrow<std::uint32_t>(m_words.size() - header - 1), rowOf(child),
                        narrow<std::uint16_t>(bitsOf(child) - parentBits)});
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
            return std::equal(states.begin() + parentDimension + 1, states.begin() + dimension + 1,
                              other.begin() + parentDimension + 1);
        };
        auto childEnd = i + 1;
        while (childEnd < end && samePrefix(childEnd))
            ++childEnd;
        return {i, childEnd, dimension};
    }

    std::uint16_t rowOf(const Child &child) const
    {
        const auto t = static_cast<std::size_t>(child.dimension);
        const int state = m_nodes.states(m_order[child.begin])[t];
        return narrow<std::uint16_t>(m_firstRows[t] + state - 1);
    }

    int bitsOf(const Child &child) const { return m_nodes.bits(m_order[child.begin]); }

    NodeWord nodeWord(const Child &child) const
    {
        return NodeWord(m_nodes.offset(m_order[child.begin]), rowOf(child));
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

/// Cuts a program into parts, depth first.
class PartCutter
{
public:
    PartCutter(const ProgramWord *words, std::uint64_t limit)
        : m_words(words)
        , m_limit(limit)
    {
    }

    std::vector<EvaluationProgram::Part> run()
    {
        cut(0);
        return std::move(m_parts);
    }

private:
    void cut(std::size_t first)
    {
        const auto header = decode<ParentHeader>(m_words[first]);
        const auto own = ownValues(first);
        const auto below =
            header.innerChildren > 0 ? valuesBelow(own.end, header.innerChildren) : 0;
        const bool shallow = own.count + below > m_limit && header.innerChildren > 0;
        add({m_path, first, shallow}, shallow ? own.count : own.count + below);
        if (!shallow)
            return;
        auto at = own.end;
        for (std::uint64_t c = 0; c < header.innerChildren; ++c) {
            const auto child = decode<ChildHeader>(m_words[at]);
            m_path.push_back({child.row, child.shift});
            cut(at + 1);
            m_path.pop_back();
            at += 1 + child.words;
        }
    }

    void add(Segment segment, std::uint64_t values)
    {
        if (m_parts.empty() || m_valuesInPart + values > m_limit) {
            m_parts.emplace_back();
            m_valuesInPart = 0;
        }
        m_parts.back().push_back(std::move(segment));
        m_valuesInPart += values;
    }

    struct OwnValues
    {
        std::uint64_t count; // of the parent's children and bottom grandchildren
        std::size_t end;     // first word behind them
    };

    OwnValues ownValues(std::size_t at) const
    {
        const auto header = decode<ParentHeader>(m_words[at++]);
        std::uint64_t count = 0;
        for (int g = 0; g < header.groups + header.lastGroups; ++g) {
            const auto group = decode<GroupHeader>(m_words[at]);
            count += std::uint64_t{group.count} << group.bits;
            at += 1 + group.count;
        }
        for (std::uint64_t g = 0; g < header.bottomGroups; ++g) {
            const auto group = decode<BottomHeader>(m_words[at++]);
            for (std::uint64_t c = 0; c < group.count; ++c) {
                const auto grandchildren = decode<BottomChild>(m_words[at]).count;
                count += std::uint64_t{grandchildren} << group.grandBits;
                at += 1 + grandchildren;
            }
        }
        return {count, at};
    }

    std::uint64_t valuesBelow(std::size_t at, std::uint64_t innerChildren) const
    {
        std::uint64_t count = 0;
        for (std::uint64_t c = 0; c < innerChildren; ++c) {
            const auto own = ownValues(at + 1);
            count += own.count
                     + valuesBelow(own.end, decode<ParentHeader>(m_words[at + 1]).innerChildren);
            at += 1 + decode<ChildHeader>(m_words[at]).words;
        }
        return count;
    }

    const ProgramWord *m_words;
    std::uint64_t m_limit;
    std::vector<PathStep> m_path;
    std::vector<EvaluationProgram::Part> m_parts;
    std::uint64_t m_valuesInPart = 0;
};

} // namespace

EvaluationProgram::EvaluationProgram(const UnfoldedGrid &nodes)
    : m_nodes(nodes.nodes())
    , m_rootInLastGroup(nodes.lastGroupBegin() == 0)
{
    m_firstRows.push_back(0);
    for (int t = 0; t < nodes.dimension(); ++t)
        m_firstRows.push_back(m_firstRows.back() + nodes.highestState(t));
    ProgramWriter writer(nodes, m_firstRows, m_words);
    m_rootOffset = nodes.offset(writer.root());
    writer.run();
    m_words.shrink_to_fit();
}

std::vector<EvaluationProgram::Part> EvaluationProgram::parts(std::uint64_t values) const
{
    return PartCutter(m_words.data(), values).run();
}

} // namespace gridhelm::sparse::omp
