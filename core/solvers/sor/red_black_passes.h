// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/tunable.h"
#include "core/solvers/sor/red_black_grid.h"
#include "core/solvers/sor/skewed_bands.h"
#include "core/support/flush_denormals.h"
#include "core/support/system_info.h"

#include <algorithm>
#include <cstddef>

namespace gridhelm::solvers {

/// Operation "red-black": size is the number of unknowns, by dimension. "pass" is the method's
/// option.
extern const TunableOperation redBlackTunable;

/// Red-black SOR on a grid, several iterations in one pass over memory.
template <typename T>
class RedBlackPasses
{
public:
    static constexpr std::size_t mostIterations = 8; ///< of a pass that nobody has asked for

    /// Iterations in a pass; 0: as many as the cache has room for. The grid must outlive it.
    RedBlackPasses(RedBlackGrid<T> &grid, std::size_t requestedPass)
        : m_grid(grid)
        , m_requestedPass(requestedPass)
    {
    }

    /// As many as the cache has room for; in 3D for bands of rows, each of which is moved by one
    /// row per half sweep, so that its border should be a small part of it.
    std::size_t iterationsPerPass() const
    {
        auto fitting = m_requestedPass != 0 ? m_requestedPass : mostIterations;
        if (m_requestedPass == 0) {
            const auto needed = [&](std::size_t iterations) {
                return m_grid.dimension() == 2 ? 1 : std::min(m_grid.unknowns()[1], 4 * iterations);
            };
            while (fitting > 1 && rowsInCache(fitting) < needed(fitting))
                --fitting;
        }
        // Every thread must have a band; of few slabs, each half sweep needs 2 a thread.
        const auto banded =
            m_grid.slab().size() / (4 * static_cast<std::size_t>(m_grid.cpu().threads));
        return m_grid.cpu().threads > 1 ? std::clamp<std::size_t>(banded, 1, fitting) : fitting;
    }

    /// Some iterations in one pass over memory. In 3D it goes through all planes with one block of
    /// rows after the other. The block of every half sweep begins and ends one row below that of
    /// the half sweep before, so that all that a row needs is there: the rows beside it of the half
    /// sweep before, and none of them overwritten.
    void pass(std::size_t iterations, T w)
    {
        const auto rows = static_cast<std::ptrdiff_t>(m_grid.rowsOfLayer());
        const auto halves = static_cast<std::ptrdiff_t>(2 * iterations);
        const auto step = m_grid.dimension() == 2
                              ? halves + 1
                              : static_cast<std::ptrdiff_t>(
                                  std::max<std::size_t>(rowsInCache(iterations), 4 * iterations));
        for (std::ptrdiff_t first = 0; first < rows + halves - 1; first += step) {
            SkewedBands(m_grid.slab().size(), 2 * iterations, m_grid.cpu(),
                        [&](std::ptrdiff_t slab, std::ptrdiff_t half) {
                            const FlushDenormals flush;
                            const auto begin = std::max<std::ptrdiff_t>(first - half, 0);
                            const auto end = std::min(first + step - half, rows);
                            if (begin < end)
                                m_grid.relax(slab, begin, end, static_cast<std::size_t>(half % 2),
                                             w);
                        })
                .run();
        }
    }

private:
    /// Slabs in use by a pass of so many iterations: each half sweep adds one.
    static constexpr std::size_t slabsOf(std::size_t iterations) { return 2 * iterations + 2; }

    /// In the cache, of a row of both colours.
    std::size_t rowBytes() const
    {
        const std::size_t arrays = m_grid.hasSource() ? 4 : 2;
        return static_cast<std::size_t>(m_grid.colour(0).rowStride()) * arrays * sizeof(T);
    }

    /// Rows of each slab that so many iterations keep in the cache: in 3D a part of a plane.
    std::size_t rowsInCache(std::size_t iterations) const
    {
        return m_cacheBytes / rowBytes() / slabsOf(iterations);
    }

    RedBlackGrid<T> &m_grid;
    std::size_t m_requestedPass;
    /// What a pass over memory may use at a time: most of a core's own cache.
    std::size_t m_cacheBytes = static_cast<std::size_t>(coreCacheBytes()) / 8 * 7;
};

} // namespace gridhelm::solvers
