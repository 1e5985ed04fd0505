// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/padded_grid.h"
#include "core/solvers/poisson/share.h"
#include "core/solvers/poisson/share_clock.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gridhelm::solvers {

/// A share on a CPU. All shares of a grid make the same updates, each on a thread of its own;
/// neighbours keep each other at most one update apart, and nothing else keeps them together.
template <typename T>
class CpuShare : public Share
{
public:
    /// With the share whose slab comes next.
    static void connect(CpuShare &lower, CpuShare &upper)
    {
        lower.m_toUpper = &upper.m_fromLower;
        upper.m_toLower = &lower.m_fromUpper;
    }

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
    {
        const auto below = std::max<std::ptrdiff_t>(first - depth, -1);
        m_fromLower.halos = {layer(present, below), layer(next, below)};
        m_fromUpper.halos = {layer(present, m_last + 1), layer(next, m_last + 1)};
    }

    /// Layers begin .. end - 1 of the arrays.
    virtual void updateLayers(std::ptrdiff_t begin, std::ptrdiff_t end, bool examines) = 0;
    virtual PaddedGrid<T> &next() = 0;
    /// Of the slab.
    std::ptrdiff_t firstLayer() const { return m_first; }
    std::ptrdiff_t endOfLayers() const { return m_last + 1; }

    void awaitEdges() override
    {
        if ((m_toLower == nullptr || m_fromLower.has(m_update))
            && (m_toUpper == nullptr || m_fromUpper.has(m_update)))
            return;
        m_clock.waiting([this] {
            if (m_toLower != nullptr)
                m_fromLower.await(m_update);
            if (m_toUpper != nullptr)
                m_fromUpper.await(m_update);
        });
    }

    void updateEdges(bool examines) override
    {
        if (m_toLower != nullptr)
            updateLayers(m_first, m_first + 1, examines);
        if (m_toUpper != nullptr && !(m_toLower != nullptr && m_last == m_first))
            updateLayers(m_last, m_last + 1, examines);
    }

    void sendEdges() override
    {
        m_clock.sending([this] {
            send(m_toLower, m_first);
            send(m_toUpper, m_last + 1 - m_depth);
        });
    }

    void updateInterior(bool examines) override
    {
        const std::ptrdiff_t begin = m_first + (m_toLower != nullptr ? 1 : 0);
        const std::ptrdiff_t end = m_toUpper != nullptr ? m_last : m_last + 1;
        if (begin < end)
            updateLayers(begin, end, examines);
    }

private:
    /// Where one neighbour's edges arrive.
    struct Inbox
    {
        /// The first row of the halo that has the values before update n, at n % 2.
        std::array<T *, 2> halos{};
        std::atomic<std::uint64_t> arrived{0}; ///< the latest n that has

        bool has(std::uint64_t update) const
        {
            return arrived.load(std::memory_order_acquire) >= update;
        }
        void await(std::uint64_t update) const
        {
            for (auto now = arrived.load(std::memory_order_acquire); now < update;
                 now = arrived.load(std::memory_order_acquire))
                arrived.wait(now, std::memory_order_acquire);
        }
    };

    static T *layer(PaddedGrid<T> &grid, std::ptrdiff_t at)
    {
        return grid.dimension() == 3 ? grid.row(0, at) : grid.row(at);
    }

    /// As many layers as a halo has, from this one on, with the ghosts at the ends of their rows.
    void send(Inbox *to, std::ptrdiff_t edge)
    {
        if (to == nullptr)
            return;
        // The neighbour's arrays have the same strides: slabs differ along their axis alone.
        auto &grid = next();
        const bool is3D = grid.dimension() == 3;
        T *halo = to->halos[(m_update + 1) % 2];
        const std::size_t rows = is3D ? grid.points()[1] : 1;
        for (std::ptrdiff_t l = 0; l < m_depth; ++l) {
            for (std::size_t j = 0; j < rows; ++j) {
                const auto at = l * (is3D ? grid.planeStride() : grid.rowStride())
                                + static_cast<std::ptrdiff_t>(j) * grid.rowStride() - 1;
                std::copy_n(layer(grid, edge) + at, grid.points()[0] + 2, halo + at);
            }
        }
        to->arrived.store(m_update + 1, std::memory_order_release);
        to->arrived.notify_one();
    }

    std::ptrdiff_t m_first, m_last; ///< layers of the arrays
    std::ptrdiff_t m_depth;         ///< layers that it sends
    std::uint64_t m_update = 0;
    ShareClock m_clock;
    Inbox m_fromLower, m_fromUpper;
    Inbox *m_toLower = nullptr; ///< null: there is no neighbour
    Inbox *m_toUpper = nullptr;
};

} // namespace gridhelm::solvers
