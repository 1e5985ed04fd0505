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

    /// Adds the point at another numerator to the parents.
    void addTo(HierarchicalParents &parents, std::uint64_t numerator, double weight)
    {
        if (numerator == 0 || numerator == end()) {
            if (m_grid.treatment(static_cast<int>(m_dimension)) != BoundaryTreatment::boundary)
                return;
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
    if (point.level() < 0)
        return parents;
    const auto numerator = point.numerator(), end = point.end();
    if (grid.treatment(t) == BoundaryTreatment::modified) {
        const bool isFirst = numerator == 1, isLast = numerator == end - 1;
        if (point.level() == 0)
            return parents;
        if (point.level() == 1) {
            point.addTo(parents, 2, 1);
            return parents;
        }
        if (isFirst || isLast) { // linear extrapolation from the outermost points above
            point.addTo(parents, isFirst ? 2 : end - 2, 1.5);
            point.addTo(parents, isFirst ? 4 : end - 4, -0.5);
            return parents;
        }
    }
    point.addTo(parents, numerator - 1, 0.5);
    point.addTo(parents, numerator + 1, 0.5);
    return parents;
}

} // namespace gridhelm::sparse
