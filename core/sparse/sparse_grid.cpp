// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/sparse_grid.h"

#include "core/support/checked_math.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <string>

namespace gridhelm::sparse {

namespace {

/// Storage order inside a class: by the highest differing component ([Murarasu2013], Eq. 3.9).
bool lowerInClass(LevelVectorView a, LevelVectorView b)
{
    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

std::string toText(LevelVectorView levels)
{
    std::string text = "(";
    for (Level level : levels)
        text += std::to_string(level) + ", ";
    text.resize(text.size() - 2);
    return text + ")";
}

/// Writes the level vectors of a truncated grid in storage order, without sorting: the counts tell
/// which choices of a component can still be completed.
class BlockEnumeration
{
public:
    BlockEnumeration(const GridShape &shape, std::vector<Level> &out)
        : m_shape(shape)
        , m_counts(shape)
        , m_out(out)
    {
    }

    void run()
    {
        const int d = m_shape.dimension();
        for (int group = 0; group < m_shape.level(); ++group) {
            for (int dense = 0; dense <= m_shape.highestDenseSum(); ++dense) {
                for (int free = 0; free <= d; ++free) {
                    if (m_counts(d, free, {group, dense}) > 0)
                        chooseComponent(d - 1, free, {group, dense});
                }
            }
        }
    }

private:
    void chooseComponent(int t, int free, LevelSums sums)
    {
        if (t < 0) {
            m_out.insert(m_out.end(), m_levels.begin(), m_levels.begin() + m_shape.dimension());
            return;
        }
        const auto index = static_cast<std::size_t>(t);
        const int highest =
            std::min(m_shape.caps()[index] - 1, m_shape.isDense(t) ? sums.dense : sums.group);
        for (int level = lowestLevel(m_shape.treatments()[index]); level <= highest; ++level) {
            const int freeBelow = level < 0 ? free : free - 1;
            auto below = sums;
            (m_shape.isDense(t) ? below.dense : below.group) -= std::max(level, 0);
            if (m_counts(t, freeBelow, below) == 0)
                continue;
            m_levels[index] = static_cast<Level>(level);
            chooseComponent(t - 1, freeBelow, below);
        }
    }

    const GridShape &m_shape;
    LevelVectorCounts m_counts;
    std::vector<Level> &m_out;
    std::array<Level, maximumDimension> m_levels{};
};

} // namespace

SparseGrid::SparseGrid(const GridShape &shape)
    : m_treatments(shape.treatments())
    , m_dense(shape.dense())
    , m_degrees(shape.degrees())
{
    requireFitsInMemory(shape, 0);
    const auto count = countGrid(shape);
    m_levels.reserve(count.blocks * m_treatments.size());
    BlockEnumeration(shape, m_levels).run();
    if (!std::ranges::all_of(m_treatments, hasCells))
        sortLevels(); // by sizes, too
    indexClasses();
}

SparseGrid::SparseGrid(std::vector<BoundaryTreatment> treatments, std::span<const Level> levels,
                       DimensionSet dense, std::vector<int> degrees, Grouping grouping)
    : m_treatments(std::move(treatments))
    , m_dense(dense)
{
    const auto d = m_treatments.size();
    if (d < 1 || d > static_cast<std::size_t>(maximumDimension))
        throw Error("dimension " + std::to_string(d) + " is not possible: a sparse grid has 1 to "
                    + std::to_string(maximumDimension) + " dimensions");
    if (std::uint64_t{m_dense} >> d != 0)
        throw Error("only the " + std::to_string(d) + " dimensions of the grid can be dense");
    m_degrees = degreesFor(m_treatments, std::move(degrees));
    if (levels.empty() || levels.size() % d != 0)
        throw Error("a sparse grid needs a list of whole level vectors, each of "
                    + std::to_string(d) + " components");

    const auto count = levels.size() / d;
    const auto vectorAt = [&](std::size_t b) { return levels.subspan(b * d, d); };
    for (std::size_t b = 0; b < count; ++b) {
        for (std::size_t t = 0; t < d; ++t) {
            const int level = vectorAt(b)[t];
            if (level < lowestLevel(m_treatments[t]) || level > highestLevelOf(m_treatments[t]))
                throw Error("level vector " + toText(vectorAt(b)) + " is out of range in dimension "
                            + std::to_string(t + 1));
        }
    }
    m_levels.assign(levels.begin(), levels.end());
    sortLevels();
    indexClasses();

    std::array<Level, maximumDimension> below{};
    for (std::size_t b = 0; b < count; ++b) {
        const auto vector = levelVector(b);
        if (b > 0 && std::ranges::equal(vector, levelVector(b - 1)))
            throw Error("level vector " + toText(vector) + " is given twice");
        std::ranges::copy(vector, below.begin());
        for (std::size_t t = 0; t < d; ++t) {
            if (below[t] == lowestLevel(m_treatments[t]))
                continue;
            --below[t];
            if (!findBlock({below.data(), d}))
                throw Error("level vector " + toText(vector) + " needs " + toText({below.data(), d})
                            + ", which is missing: a sparse grid is downward closed");
            ++below[t];
        }
    }
    if (grouping == Grouping::leavesLast)
        sortLeavesLast();
}

int SparseGrid::blockBits(LevelVectorView levels) const
{
    int bits = 0;
    for (std::size_t t = 0; t < levels.size(); ++t)
        bits += bitsOfLevel(m_treatments[t], levels[t]);
    return bits;
}

SparseGrid::ClassKey SparseGrid::keyOf(LevelVectorView levels, bool isLeaf) const
{
    const auto sums = levelSums(levels, m_dense);
    return {isLeaf ? m_leafGroup : sums.group, sums.dense, freeDimensions(levels),
            blockBits(levels)};
}

SparseGrid::ClassKey SparseGrid::keyOf(const BlockClass &blockClass)
{
    return {blockClass.group, blockClass.dense, blockClass.free, blockClass.blockBits};
}

void SparseGrid::sortLevels(const std::vector<bool> &areLeaves)
{
    const auto d = m_treatments.size();
    const auto unsorted = std::move(m_levels);
    const auto vectorAt = [&](std::size_t b) { return std::span(unsorted).subspan(b * d, d); };
    std::vector<std::size_t> order(unsorted.size() / d);
    std::vector<ClassKey> keys;
    for (std::size_t b = 0; b < order.size(); ++b)
        keys.push_back(keyOf(vectorAt(b), !areLeaves.empty() && areLeaves[b]));
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return keys[a] != keys[b] ? keys[a] < keys[b] : lowerInClass(vectorAt(a), vectorAt(b));
    });
    m_levels.clear();
    m_levels.reserve(unsorted.size());
    for (std::size_t b : order)
        m_levels.insert(m_levels.end(), vectorAt(b).begin(), vectorAt(b).end());
}

bool SparseGrid::hasBlockAbove(LevelVectorView levels, int least) const
{
    const auto d = m_treatments.size();
    std::array<Level, maximumDimension> above{};
    for (std::size_t t = 0; t < d; ++t)
        above[t] =
            contains(m_dense, t) ? static_cast<Level>(lowestLevel(m_treatments[t])) : levels[t];
    for (std::size_t t = 0; t < d; ++t) {
        if (contains(m_dense, t))
            continue;
        above[t] = static_cast<Level>(std::max<int>(levels[t], least) + 1);
        if (findBlock({above.data(), d}))
            return true;
        above[t] = levels[t];
    }
    return false;
}

void SparseGrid::sortLeavesLast()
{
    std::vector<bool> areLeaves;
    for (std::size_t b = 0; b < blocks(); ++b) {
        areLeaves.push_back(!hasBlockAbove(levelVector(b)));
        if (!areLeaves.back())
            m_leafGroup = levelSums(levelVector(b), m_dense).group + 1; // blocks ascend by it
    }
    sortLevels(areLeaves);
    m_grouping = Grouping::leavesLast;
    indexClasses(static_cast<std::size_t>(std::ranges::count(areLeaves, true)));
}

void SparseGrid::indexClasses(std::size_t leaves)
{
    const auto d = m_treatments.size();
    const auto count = m_levels.size() / d;
    const auto all = bases();
    m_hasHatsOnly = std::ranges::all_of(all, hasHats);
    m_highestLevels.assign(d, -1);
    m_classes.clear();
    m_groupFirstClass.clear();

    std::uint64_t point = 0;
    for (std::size_t b = 0; b < count; ++b) {
        const LevelVectorView vector{m_levels.data() + b * d, d};
        const auto key = keyOf(vector, b >= count - leaves);
        if (m_classes.empty() || keyOf(m_classes.back()) != key) {
            const int bits = key.bits;
            if (bits > 62)
                throw Error("a block of this grid has more points than 64 bits can count: lower "
                            "the level");
            while (static_cast<int>(m_groupFirstClass.size()) <= key.group)
                m_groupFirstClass.push_back(m_classes.size());
            m_classes.push_back({b, 0, point, key.group, key.dense, key.free, bits});
        }
        ++m_classes.back().blocks;
        point = checkedAdd(point, std::uint64_t{1} << m_classes.back().blockBits);
        for (std::size_t t = 0; t < d; ++t)
            m_highestLevels[t] = std::max<int>(m_highestLevels[t], vector[t]);
    }
    m_groupFirstClass.push_back(m_classes.size());
    m_classes.push_back({count, 0, point, -1, -1, -1, 0});

    m_activeFunctions.assign(1, 0);
    for (int group = 0; group < groups(); ++group) {
        auto sum = m_activeFunctions.back();
        for (auto b = groupFirstBlock(group); b < groupFirstBlock(group + 1); ++b)
            sum += contributionsOf(all, levelVector(b));
        m_activeFunctions.push_back(sum);
    }
}

std::size_t SparseGrid::classOfBlock(std::size_t block) const
{
    const auto next = std::upper_bound(
        m_classes.begin(), m_classes.end() - 1, block,
        [](std::size_t b, const BlockClass &blockClass) { return b < blockClass.firstBlock; });
    return static_cast<std::size_t>(next - m_classes.begin()) - 1;
}

std::uint64_t SparseGrid::blockOffset(std::size_t block) const
{
    const auto &blockClass = m_classes[classOfBlock(block)];
    return blockClass.firstPoint
           + (static_cast<std::uint64_t>(block - blockClass.firstBlock) << blockClass.blockBits);
}

std::uint64_t SparseGrid::blockSize(std::size_t block) const
{
    return std::uint64_t{1} << m_classes[classOfBlock(block)].blockBits;
}

std::size_t SparseGrid::groupFirstBlock(int g) const
{
    return m_classes[m_groupFirstClass[static_cast<std::size_t>(g)]].firstBlock;
}

std::uint64_t SparseGrid::groupFirstPoint(int g) const
{
    return m_classes[m_groupFirstClass[static_cast<std::size_t>(g)]].firstPoint;
}

std::optional<std::size_t> SparseGrid::findBlock(LevelVectorView levels) const
{
    const auto found = findBlock(levels, keyOf(levels, false));
    return found || m_grouping == Grouping::levelSums ? found
                                                      : findBlock(levels, keyOf(levels, true));
}

std::optional<std::size_t> SparseGrid::findBlock(LevelVectorView levels, const ClassKey &key) const
{
    const auto end = m_classes.end() - 1; // the sentinel
    const auto found =
        std::lower_bound(m_classes.begin(), end, key,
                         [](const BlockClass &a, const ClassKey &b) { return keyOf(a) < b; });
    if (found == end || keyOf(*found) != key)
        return std::nullopt;

    auto first = found->firstBlock;
    auto last = first + found->blocks;
    const auto endOfClass = last;
    while (first < last) {
        const auto middle = first + (last - first) / 2;
        if (lowerInClass(levelVector(middle), levels))
            first = middle + 1;
        else
            last = middle;
    }
    if (first == endOfClass || !std::ranges::equal(levelVector(first), levels))
        return std::nullopt;
    return first;
}

std::uint64_t SparseGrid::gp2idx(LevelVectorView levels,
                                 std::span<const std::uint32_t> positions) const
{
    const auto d = m_treatments.size();
    if (levels.size() != d || positions.size() != d)
        throw Error("a point of this grid has " + std::to_string(d) + " components");
    const auto block = findBlock(levels);
    if (!block)
        throw Error("level vector " + toText(levels) + " is not in the grid");
    std::uint64_t inBlock = 0;
    for (std::size_t t = 0; t < d; ++t) {
        const auto extent = pointsOfLevel(m_treatments[t], levels[t]);
        if (positions[t] >= extent)
            throw Error("position " + std::to_string(positions[t]) + " in dimension "
                        + std::to_string(t + 1) + " is beyond the " + std::to_string(extent)
                        + " points of its level");
        inBlock = (inBlock << bitsOfLevel(m_treatments[t], levels[t])) + positions[t];
    }
    return blockOffset(*block) + inBlock;
}

void SparseGrid::idx2gp(std::uint64_t index, std::span<Level> levels,
                        std::span<std::uint32_t> positions) const
{
    if (levels.size() != m_treatments.size() || positions.size() != m_treatments.size())
        throw Error("a point of this grid has " + std::to_string(m_treatments.size())
                    + " components");
    if (index >= points())
        throw Error("point index " + std::to_string(index) + " is beyond the grid's "
                    + std::to_string(points()) + " points");
    const auto next = std::upper_bound(
        m_classes.begin(), m_classes.end() - 1, index,
        [](std::uint64_t i, const BlockClass &blockClass) { return i < blockClass.firstPoint; });
    const auto &blockClass = *(next - 1);
    const auto inClass = index - blockClass.firstPoint;
    const auto block = blockClass.firstBlock + (inClass >> blockClass.blockBits);
    auto inBlock = inClass & ((std::uint64_t{1} << blockClass.blockBits) - 1);

    const auto vector = levelVector(block);
    for (std::size_t t = m_treatments.size(); t-- > 0;) {
        const int bits = bitsOfLevel(m_treatments[t], vector[t]);
        levels[t] = vector[t];
        positions[t] = static_cast<std::uint32_t>(inBlock & ((std::uint64_t{1} << bits) - 1));
        inBlock >>= bits;
    }
}

void SparseGrid::coordinates(std::uint64_t index, std::span<double> x) const
{
    std::array<Level, maximumDimension> levels{};
    std::array<std::uint32_t, maximumDimension> positions{};
    const auto d = m_treatments.size();
    idx2gp(index, {levels.data(), d}, {positions.data(), d});
    if (x.size() != d)
        throw Error("a point of this grid has " + std::to_string(d) + " coordinates");
    for (std::size_t t = 0; t < d; ++t)
        x[t] = pointCoordinate(m_treatments[t], levels[t], positions[t]);
}

void SparseGrid::requireOneValuePerPoint(std::size_t count) const
{
    if (count != points())
        throw Error(std::to_string(count) + " values for a grid of " + std::to_string(points())
                    + " points: give one value for each point, in storage order");
}

std::size_t SparseGrid::tableBytes() const
{
    return m_levels.capacity() * sizeof(Level) + m_classes.capacity() * sizeof(BlockClass)
           + m_groupFirstClass.capacity() * sizeof(std::size_t)
           + m_activeFunctions.capacity() * sizeof(std::uint64_t)
           + (m_highestLevels.capacity() + m_degrees.capacity()) * sizeof(int)
           + m_treatments.capacity();
}

} // namespace gridhelm::sparse
