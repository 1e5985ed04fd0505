// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/hierarchical_parents.h"

#include <bit>

namespace gridhelm::sparse {

namespace {

/// A grid point, moved along one dimension.
class PointOnPole
{
public:
    PointOnPole(const SparseGrid &grid, std::uint64_t index, int t)
        : m_grid(grid)
        , m_dimension(static_cast<std::size_t>(t))
    {
        const auto d = static_cast<std::size_t>(grid.dimension());
        grid.idx2gp(index, {m_levels.data(), d}, {m_positions.data(), d});
        m_level = m_levels[m_dimension];
        m_numerator = 2 * std::uint64_t{m_positions[m_dimension]} + 1;
    }

    int level() const { return m_level; }
    /// The point's coordinate in units of 2^-(level + 1), and that of x = 1.
    std::uint64_t numerator() const { return m_numerator; }
    std::uint64_t end() const { return std::uint64_t{2} << m_level; }

    /// Adds the point at another numerator to the parents: one of the grid's.
    void addTo(HierarchicalParents &parents, std::uint64_t numerator, double weight)
    {
        if (numerator == 0 || numerator == end()) {
            m_levels[m_dimension] = -1;
            m_positions[m_dimension] = numerator == 0 ? 0 : 1;
        } else {
            const int halvings = std::countr_zero(numerator);
            m_levels[m_dimension] = static_cast<Level>(m_level - halvings);
            m_positions[m_dimension] = static_cast<std::uint32_t>((numerator >> halvings) / 2);
        }
        const auto d = static_cast<std::size_t>(m_grid.dimension());
        const auto i = static_cast<std::size_t>(parents.count++);
        parents.points[i] = m_grid.gp2idx({m_levels.data(), d}, {m_positions.data(), d});
        parents.weights[i] = weight;
    }

    /// Adds the outermost point of a level at one end, or the end point for level -1.
    void addOutermostTo(HierarchicalParents &parents, End side, int level, double weight)
    {
        const auto distance = level < 0 ? 0 : std::uint64_t{1} << (m_level - level);
        addTo(parents, side == End::low ? distance : end() - distance, weight);
    }

private:
    const SparseGrid &m_grid;
    std::size_t m_dimension;
    std::array<Level, maximumDimension> m_levels{};
    std::array<std::uint32_t, maximumDimension> m_positions{};
    int m_level;
    std::uint64_t m_numerator;
};

} // namespace

HierarchicalParents hierarchicalParents(const SparseGrid &grid, std::uint64_t index, int t)
{
    HierarchicalParents parents;
    PointOnPole point(grid, index, t);
    const auto ends = endsOf(grid.treatment(t));
    if (point.level() < 0 || (point.level() == 0 && !ends.arePoints))
        return parents;
    const auto numerator = point.numerator(), end = point.end();
    const bool isFirst = numerator == 1, isLast = numerator == end - 1;
    if (point.level() == 0 || !(isFirst || isLast)) {
        point.addTo(parents, numerator - 1, 0.5);
        point.addTo(parents, numerator + 1, 0.5);
        return parents;
    }
    const auto side = isFirst ? End::low : End::high;
    const auto predicted = predictOutermost(ends, side, point.level());
    if (predicted.firstLevel == predicted.secondLevel) {
        point.addOutermostTo(parents, side, predicted.firstLevel,
                             predicted.firstWeight + predicted.secondWeight);
        return parents;
    }
    point.addOutermostTo(parents, side, predicted.firstLevel, predicted.firstWeight);
    point.addOutermostTo(parents, side, predicted.secondLevel, predicted.secondWeight);
    return parents;
}

} // namespace gridhelm::sparse
