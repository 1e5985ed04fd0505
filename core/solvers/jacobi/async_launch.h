// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/jacobi/async_options.h"
#include "core/solvers/jacobi/async_tile.h"
#include "core/support/flush_denormals.h"
#include "core/support/system_info.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace gridhelm::solvers::jacobi {

/// One launch of an asynchronous method on a CPU's grid, or on its slab of one: alpha iterations of
/// every tile on its own, and one more into the next values. In a slab the halos are fringes that
/// stay as they are during a launch. async.cpp says how the variants differ.
template <typename T>
class AsyncLaunch
{
public:
    AsyncLaunch(const JacobiState<T> &state, AsyncVariant variant, const AsyncOptions &options)
        : m_variant(variant)
    {
        if (2 * state.problem.count() * sizeof(T) > querySystemInfo().lastLevelCacheBytes)
            m_store = Store::streamed;
        constexpr auto line = PaddedGrid<T>::lineValues;
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const auto size = tileSize(options, axis, state.problem.unknowns[axis]);
            // Tiles start at a cache line.
            m_tile[axis] =
                static_cast<std::ptrdiff_t>(axis == 0 ? (size + line - 1) / line * line : size);
        }
        m_threads = static_cast<int>(std::min<std::ptrdiff_t>(state.cpu.threads, tiles(state)));
        const std::array<std::size_t, 3> points{static_cast<std::size_t>(m_tile[0]),
                                                static_cast<std::size_t>(m_tile[1]), 1};
        for (int copy = 0; copy < 2 * m_threads; ++copy)
            m_copies.emplace_back(points, 2, CpuDevice{});
    }

    /// Rows of a tile in a grid, or slab, of so many.
    static std::size_t tileRows(const AsyncOptions &options, std::size_t rows)
    {
        return tileSize(options, 1, rows);
    }

    /// alpha + 1 iterations, from the present values to the next ones.
    void operator()(JacobiState<T> &state, int alpha)
    {
#pragma omp parallel num_threads(m_threads)
        {
#pragma omp for schedule(static, 1)
            for (int thread = 0; thread < m_threads; ++thread)
                runThread(state, thread, alpha);
        }
        if (state.hasNeumannSide())
            setAllGhosts(state.next, state.problem.sides, state.problem.spacing);
    }

private:
    /// Columns and rows of a tile: two copies of it should stay in a core's second cache of 1 MiB.
    static constexpr std::array<std::size_t, 2> defaultTile{512, 128};

    static std::size_t tileSize(const AsyncOptions &options, std::size_t axis, std::size_t unknowns)
    {
        const auto wanted = options.tile[axis] == 0 ? defaultTile[axis] : options.tile[axis];
        return std::min(wanted, unknowns);
    }

    std::ptrdiff_t tilesInRow(const JacobiState<T> &state) const
    {
        return (state.points(0) + m_tile[0] - 1) / m_tile[0];
    }
    std::ptrdiff_t tiles(const JacobiState<T> &state) const
    {
        return tilesInRow(state) * ((state.points(1) + m_tile[1] - 1) / m_tile[1]);
    }

    /// One launch of the thread's share of the tiles.
    void runThread(JacobiState<T> &state, int thread, int alpha)
    {
        const FlushDenormals flush;
        const auto copy = 2 * static_cast<std::size_t>(thread);
        AsyncTile<T> tile(state, m_copies[copy], m_copies[copy + 1]);
        const auto share = part(tiles(state), thread, m_threads);
        for (auto index = share.begin; index < share.end; ++index) {
            const auto i = index % tilesInRow(state) * m_tile[0];
            const auto j = index / tilesInRow(state) * m_tile[1];
            tile.fetch({i, std::min(i + m_tile[0], state.points(0))},
                       {j, std::min(j + m_tile[1], state.points(1))});
            for (int iteration = 0; iteration < alpha; ++iteration)
                iterate(tile);
            for (std::ptrdiff_t r = 0; r < tile.rows(); ++r)
                tile.updateTargetRow(r, m_store);
        }
        finishStreaming();
    }

    void iterate(AsyncTile<T> &tile) const
    {
        const bool inPlace = m_variant == AsyncVariant::async3;
        const bool exchangesAtOnce = inPlace || m_variant == AsyncVariant::async1;
        for (std::ptrdiff_t r = 0; r < tile.rows(); ++r) {
            tile.updateRow(r, inPlace);
            if (exchangesAtOnce) {
                tile.writeFringe(r, inPlace);
                tile.fetchFringe(r, inPlace);
            }
        }
        if (m_variant == AsyncVariant::async0) {
            for (std::ptrdiff_t r = 0; r < tile.rows(); ++r)
                tile.writeFringe(r, inPlace);
            for (std::ptrdiff_t r = 0; r < tile.rows(); ++r)
                tile.fetchFringe(r, inPlace);
        }
        if (!inPlace)
            tile.swapCopies();
    }

    AsyncVariant m_variant;
    Store m_store = Store::cached;
    int m_threads = 1;
    std::array<std::ptrdiff_t, 2> m_tile{};
    std::vector<PaddedGrid<T>> m_copies; ///< two for each thread
};

} // namespace gridhelm::solvers::jacobi
