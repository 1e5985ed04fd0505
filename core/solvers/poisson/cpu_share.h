// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/ranks.h"
#include "core/solvers/arrivals.h"
#include "core/solvers/padded_grid.h"
#include "core/solvers/poisson/share.h"
#include "core/solvers/poisson/share_clock.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gridhelm::solvers {

/// A share on a CPU. All shares of a grid make the same updates, each on a thread of its own;
/// neighbours keep each other at most one update apart, and nothing else keeps them together. A
/// neighbour is another share of this process, or that of the rank before or after this one, or one
/// on another kind of device.
template <typename T>
class CpuShare : public Share
{
public:
    /// With the share whose slab comes next.
    static void connect(CpuShare &lower, CpuShare &upper)
    {
        lower.m_upper.to = &upper.m_lower.inbox;
        upper.m_lower.to = &lower.m_upper.inbox;
    }
    /// With the shares of the ranks before and after this one.
    void connect(Ranks &ranks)
    {
        if (this->slab().hasLower())
            m_lower.connect(ranks, ranks.number() - 1, false);
        if (this->slab().hasUpper())
            m_upper.connect(ranks, ranks.number() + 1, false);
    }
    /// With a share of another kind of device, before or after this one: messages are the values of
    /// unknowns alone, x fastest.
    void connectLower(Messages &messages, int party) { m_lower.connect(messages, party, true); }
    void connectUpper(Messages &messages, int party) { m_upper.connect(messages, party, true); }

    void turn() override { ++m_update; }

    /// Of the updates, which have taken so many seconds since it was called last.
    ShareTimes takeTimes(double seconds) { return m_clock.take(seconds); }

protected:
    /// The arrays as they are before the first update. Layer `first` of them, a row (2D) or plane
    /// (3D), is the slab's first one. Halos have `depth` layers, as far as the grid has so many,
    /// and of each slab but the last no fewer than that.
    CpuShare(const Slab &slab, PaddedGrid<T> &present, PaddedGrid<T> &next,
             std::ptrdiff_t first = 0, std::ptrdiff_t depth = 1)
        : Share(slab)
        , m_first(first)
        , m_last(first + static_cast<std::ptrdiff_t>(slab.size()) - 1)
        , m_depth(std::min(depth, m_last - m_first + 1))
        , m_haloBelow(std::min(depth, static_cast<std::ptrdiff_t>(slab.begin)))
        , m_haloAbove(std::min(depth, static_cast<std::ptrdiff_t>(slab.of - slab.end)))
    {
        const auto below = std::max<std::ptrdiff_t>(first - depth, -1);
        m_lower.inbox.halos = {layer(present, below), layer(next, below)};
        m_upper.inbox.halos = {layer(present, m_last + 1), layer(next, m_last + 1)};
    }

    /// Layers begin .. end - 1 of the arrays.
    virtual void updateLayers(std::ptrdiff_t begin, std::ptrdiff_t end, bool examines) = 0;
    virtual PaddedGrid<T> &next() = 0;
    /// Of the slab.
    std::ptrdiff_t firstLayer() const { return m_first; }
    std::ptrdiff_t endOfLayers() const { return m_last + 1; }

    void awaitEdges() override
    {
        if (m_lower.has(m_update) && m_upper.has(m_update))
            return;
        m_clock.waiting([this] {
            m_lower.await(m_update);
            m_upper.await(m_update);
        });
        unpack(m_lower, m_haloBelow);
        unpack(m_upper, m_haloAbove);
    }

    void updateEdges(bool examines) override
    {
        if (m_lower.isThere())
            updateLayers(m_first, m_first + 1, examines);
        if (m_upper.isThere() && !(m_lower.isThere() && m_last == m_first))
            updateLayers(m_last, m_last + 1, examines);
    }

    void sendEdges() override
    {
        m_clock.sending([this] {
            send(m_lower, m_first, m_haloBelow);
            send(m_upper, m_last + 1 - m_depth, m_haloAbove);
        });
    }

    void updateInterior(bool examines) override
    {
        const std::ptrdiff_t begin = m_first + (m_lower.isThere() ? 1 : 0);
        const std::ptrdiff_t end = m_upper.isThere() ? m_last : m_last + 1;
        if (begin < end)
            updateLayers(begin, end, examines);
    }

private:
    /// Where one neighbour's edges arrive.
    struct Inbox
    {
        /// The first row of the halo that has the values before update n, at n % 2.
        std::array<T *, 2> halos{};
        Arrivals arrivals; ///< the latest n that has
    };

    /// To the slab on one side, if there is one.
    struct Border
    {
        Inbox inbox;
        Inbox *to = nullptr;          ///< of a neighbour of this process
        Messages *messages = nullptr; ///< or a neighbour elsewhere
        int party = 0;                ///< in these
        bool isPacked = false;        ///< its layout is another one: rows go through these
        std::vector<T> out{}, in{};
        bool isUnpacked = true; ///< what has arrived last

        bool isThere() const { return to != nullptr || messages != nullptr; }
        void connect(Messages &all, int neighbour, bool packs)
        {
            messages = &all;
            party = neighbour;
            isPacked = packs;
        }
        /// Without waiting, whether it may be known.
        bool has(std::uint64_t update) const
        {
            return !isThere() || (to != nullptr && inbox.arrivals.has(update));
        }
        void await(std::uint64_t update) const
        {
            if (to != nullptr)
                inbox.arrivals.await(update);
            else if (messages != nullptr)
                messages->await(party);
        }
    };

    static T *layer(PaddedGrid<T> &grid, std::ptrdiff_t at)
    {
        return grid.dimension() == 3 ? grid.row(0, at) : grid.row(at);
    }

    /// As many layers as the neighbour's halo has, from this one on; the halo here has so many.
    void send(Border &border, std::ptrdiff_t edge, std::ptrdiff_t halo)
    {
        if (border.to != nullptr)
            copy(*border.to, edge);
        else if (border.isPacked)
            exchangePacked(border, edge, halo);
        else if (border.messages != nullptr)
            exchange(border, edge, halo);
    }

    /// With the ghosts at the ends of their rows.
    void copy(Inbox &to, std::ptrdiff_t edge)
    {
        // The neighbour's arrays have the same strides: slabs differ along their axis alone.
        auto &grid = next();
        T *halo = to.halos[(m_update + 1) % 2];
        T *first = layer(grid, edge);
        forEachRow(first, m_depth, [&](const T *row) {
            std::copy_n(row - 1, grid.points()[0] + 2, halo + (row - first) - 1);
        });
        to.arrivals.announce(m_update + 1);
    }

    /// The same as one message, with all that lies between its rows, and the neighbour's edges in
    /// return. Nobody writes to either before they have arrived: the update after the next one
    /// will.
    void exchange(Border &border, std::ptrdiff_t edge, std::ptrdiff_t layersOfHalo)
    {
        T *halo = border.inbox.halos[(m_update + 1) % 2];
        border.messages->receive(border.party, writableBytesOf(halo - 1, valuesOf(layersOfHalo)));
        border.messages->send(border.party, bytesOf(layer(next(), edge) - 1, valuesOf(m_depth)));
    }

    /// Ghosts at the ends of a halo's rows are then whoever's who reads them.
    void exchangePacked(Border &border, std::ptrdiff_t edge, std::ptrdiff_t layersOfHalo)
    {
        border.out.resize(unknownsOf(m_depth));
        auto to = border.out.begin();
        forEachRow(layer(next(), edge), m_depth,
                   [&](const T *row) { to = std::copy_n(row, next().points()[0], to); });
        border.in.resize(unknownsOf(layersOfHalo));
        border.isUnpacked = false;
        border.messages->receive(border.party, writableBytesOf(border.in.data(), border.in.size()));
        border.messages->send(border.party, bytesOf(border.out.data(), border.out.size()));
    }
    /// Into the halo of the present values.
    void unpack(Border &border, std::ptrdiff_t layersOfHalo)
    {
        if (std::exchange(border.isUnpacked, true))
            return;
        auto from = border.in.cbegin();
        forEachRow(border.inbox.halos[m_update % 2], layersOfHalo, [&](T *row) {
            std::copy_n(from, next().points()[0], row);
            from += static_cast<std::ptrdiff_t>(next().points()[0]);
        });
    }
    std::size_t unknownsOf(std::ptrdiff_t layers)
    {
        return static_cast<std::size_t>(layers) * rowsOfLayer() * next().points()[0];
    }
    template <typename Body>
    void forEachRow(T *first, std::ptrdiff_t layers, const Body &body)
    {
        for (std::ptrdiff_t l = 0; l < layers; ++l) {
            for (std::size_t j = 0; j < rowsOfLayer(); ++j)
                body(first + l * layerStride() + static_cast<std::ptrdiff_t>(j) * rowStride());
        }
    }
    /// From the ghost before the first row to that behind the last one.
    std::size_t valuesOf(std::ptrdiff_t layers)
    {
        const auto rows = static_cast<std::ptrdiff_t>(rowsOfLayer());
        return static_cast<std::size_t>((layers - 1) * layerStride() + (rows - 1) * rowStride())
               + next().points()[0] + 2;
    }

    std::size_t rowsOfLayer() { return next().dimension() == 3 ? next().points()[1] : 1; }
    std::ptrdiff_t rowStride() { return next().rowStride(); }
    std::ptrdiff_t layerStride()
    {
        return next().dimension() == 3 ? next().planeStride() : next().rowStride();
    }

    std::ptrdiff_t m_first, m_last;          ///< layers of the arrays
    std::ptrdiff_t m_depth;                  ///< layers that it sends
    std::ptrdiff_t m_haloBelow, m_haloAbove; ///< layers that it gets
    std::uint64_t m_update = 0;
    ShareClock m_clock;
    Border m_lower, m_upper;
};

} // namespace gridhelm::solvers
