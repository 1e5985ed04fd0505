// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/ranks.h"
#include "core/solvers/arrivals.h"
#include "core/solvers/poisson/share_clock.h"
#include "core/solvers/sor/red_black_grid.h"
#include "core/solvers/sor/red_black_passes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridhelm::solvers {

/// A CPU's slab for red-black SOR in passes of several iterations, with 2 d layers of each
/// neighbour's, as far as there are, for passes of d at most. From the outer end of those, values
/// that nobody has brought up to date reach one layer further with each half sweep of a pass, and
/// so none of the slab's own; then the neighbours send each other what they have. All shares make
/// the same passes.
template <typename T>
class RedBlackPassShare
{
public:
    /// The slab, and each other one but the last, has at least 2 `depth` layers.
    RedBlackPassShare(const PoissonProblem &whole, const Slab &slab, const CpuDevice &cpu,
                      std::size_t depth, std::size_t requestedPass)
        : m_slab(slab)
        , m_halo(2 * depth)
        , m_grid(whole, widened(slab, m_halo), slab, cpu)
        , m_passes(m_grid, requestedPass)
    {
    }
    RedBlackPassShare(const RedBlackPassShare &) = delete;
    RedBlackPassShare &operator=(const RedBlackPassShare &) = delete;

    /// With the share whose slab comes next.
    static void connect(RedBlackPassShare &lower, RedBlackPassShare &upper)
    {
        lower.m_upper.to = &upper.m_lower;
        upper.m_lower.to = &lower.m_upper;
    }
    /// With the shares of the ranks before and after this one.
    void connect(Ranks &ranks) { m_ranks = &ranks; }

    RedBlackGrid<T> &grid() { return m_grid; }
    /// As CpuShare::takeTimes().
    ShareTimes takeTimes(double seconds) { return m_clock.take(seconds); }
    std::size_t iterationsPerPass() const { return m_passes.iterationsPerPass(); }

    /// At most as many iterations as it was made for.
    void pass(std::size_t iterations, T w)
    {
        m_passes.pass(iterations, w);
        ++m_pass;
        const auto below = std::min(m_halo, m_slab.begin);
        const auto above = std::min(m_halo, m_slab.of - m_slab.end);
        const auto edge = std::min(m_halo, m_slab.size());
        const Layers haloBelow{m_slab.begin - below, below}, haloAbove{m_slab.end, above};
        if (m_ranks != nullptr) {
            const int number = m_ranks->number();
            if (m_slab.hasLower())
                exchange(number - 1, {m_slab.begin, edge}, haloBelow);
            if (m_slab.hasUpper())
                exchange(number + 1, {m_slab.end - edge, edge}, haloAbove);
            m_clock.waiting([&] {
                m_ranks->await(std::max(number - 1, 0));
                m_ranks->await(std::min(number + 1, m_ranks->count() - 1));
            });
        } else {
            m_clock.sending([&] {
                give(m_lower, {m_slab.begin, edge});
                give(m_upper, {m_slab.end - edge, edge});
            });
            m_clock.waiting([&] {
                take(m_lower, haloBelow);
                take(m_upper, haloAbove);
            });
        }
        for (const auto &halo : {haloBelow, haloAbove})
            m_grid.followValues(halo.first, halo.first + halo.count);
    }

private:
    /// Of the whole grid.
    struct Layers
    {
        std::size_t first, count;
    };
    /// To the neighbour on one side: what it has sent, of passes of even and of odd number, so that
    /// it need not wait until that has been taken.
    struct Border
    {
        Border *to = nullptr; ///< the neighbour's, for what it is sent; null: there is none
        std::array<std::vector<T>, 2> values;
        Arrivals arrivals; ///< the latest pass
    };

    T *begin(std::size_t colour, const Layers &layers)
    {
        auto &grid = m_grid.colour(colour);
        const auto at = static_cast<std::ptrdiff_t>(layers.first - m_grid.slab().begin);
        return (m_grid.dimension() == 3 ? grid.row(0, at) : grid.row(at)) - 1;
    }
    /// From the ghost before the first row to that behind the last one.
    std::size_t values(const Layers &layers)
    {
        const auto &grid = m_grid.colour(0);
        const auto layer = m_grid.dimension() == 3 ? grid.planeStride() : grid.rowStride();
        const auto rows = static_cast<std::ptrdiff_t>(m_grid.rowsOfLayer());
        return static_cast<std::size_t>((static_cast<std::ptrdiff_t>(layers.count) - 1) * layer
                                        + (rows - 1) * grid.rowStride())
               + grid.points()[0] + 2;
    }

    void exchange(int rank, const Layers &edge, const Layers &halo)
    {
        for (std::size_t colour : {0, 1}) {
            m_ranks->receive(rank, writableBytesOf(begin(colour, halo), values(halo)));
            m_ranks->send(rank, bytesOf(begin(colour, edge), values(edge)));
        }
    }

    void give(const Border &border, const Layers &edge)
    {
        if (border.to == nullptr)
            return;
        const auto count = values(edge);
        auto &given = border.to->values[m_pass % 2];
        given.resize(2 * count);
        for (std::size_t colour : {0, 1})
            std::copy_n(begin(colour, edge), count,
                        given.begin() + static_cast<std::ptrdiff_t>(colour * count));
        border.to->arrivals.announce(m_pass);
    }

    void take(const Border &border, const Layers &halo)
    {
        if (border.to == nullptr)
            return;
        border.arrivals.await(m_pass);
        const auto count = values(halo);
        for (std::size_t colour : {0, 1})
            std::copy_n(border.values[m_pass % 2].begin()
                            + static_cast<std::ptrdiff_t>(colour * count),
                        count, begin(colour, halo));
    }

    Slab m_slab;
    std::size_t m_halo; ///< layers
    RedBlackGrid<T> m_grid;
    RedBlackPasses<T> m_passes;
    std::uint64_t m_pass = 0;
    Border m_lower, m_upper;
    ShareClock m_clock;
    Ranks *m_ranks = nullptr; ///< null: neighbours are of this process
};

} // namespace gridhelm::solvers
