// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/ranks.h"
#include "core/solvers/slab.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace gridhelm::solvers {

/// A grid that is divided among ranks: a slab for each, in their order. The last ranks have none if
/// there are more ranks than slabs.
class RankSlabs
{
public:
    RankSlabs(std::shared_ptr<Ranks> ranks, std::vector<Slab> slabs)
        : m_ranks(std::move(ranks))
        , m_slabs(std::move(slabs))
    {
    }

    Ranks &ranks() const { return *m_ranks; }
    const std::shared_ptr<Ranks> &shared() const { return m_ranks; }
    const std::vector<Slab> &all() const { return m_slabs; }
    /// This rank's; of no layers, behind the grid, if it has none.
    Slab here() const
    {
        const auto number = static_cast<std::size_t>(m_ranks->number());
        const auto layers = m_slabs.front().of;
        return number < m_slabs.size() ? m_slabs[number] : Slab{layers, layers, layers};
    }

    /// Collective. Of values of the whole grid, `perLayer` for each row or plane, each rank has its
    /// slab's; afterwards all have all.
    template <typename T>
    void gatherForAll(std::span<T> whole, std::size_t perLayer) const
    {
        gridhelm::gatherForAll<T>(*m_ranks, whole, begins(perLayer));
    }
    /// Collective. The same for the first rank, from the values of each one's slab.
    template <typename T>
    void gatherForFirst(std::span<const T> mine, std::span<T> whole, std::size_t perLayer) const
    {
        gridhelm::gatherForFirst<T>(*m_ranks, mine, whole, begins(perLayer));
    }

    /// Collective: add(sum) for one rank after the other, each with the sum of those before; the
    /// last sum, for all.
    template <typename Add>
    double sumInOrder(const Add &add) const
    {
        double sum = 0;
        for (int rank = 0; rank < static_cast<int>(m_slabs.size()); ++rank) {
            if (rank == m_ranks->number())
                sum = add(sum);
            m_ranks->broadcast(writableBytesOf(&sum, 1), rank);
        }
        return sum;
    }

private:
    std::vector<std::size_t> begins(std::size_t perLayer) const
    {
        const auto ranks = static_cast<std::size_t>(m_ranks->count());
        std::vector<std::size_t> begins(ranks + 1, m_slabs.front().of * perLayer);
        for (std::size_t r = 0; r < m_slabs.size(); ++r)
            begins[r] = m_slabs[r].begin * perLayer;
        return begins;
    }

    std::shared_ptr<Ranks> m_ranks;
    std::vector<Slab> m_slabs; ///< at least one
};

} // namespace gridhelm::solvers
