// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/tunable.h"
#include "core/solvers/sor/mlssor_tiling.h"
#include "core/solvers/sor/sor_options.h"
#include "gpu/poisson/sor/kernels.h"
#include "gpu/support/buffer.h"

#include <array>
#include <cstddef>
#include <vector>

namespace gridhelm::gpu::sor {

/// The constant of its kernels: threads of a block.
extern const TunableOperation mlssorTunable;

/// The tiles of [Di2010] in a whole 2D grid, as kernels take them, and the direction of the next
/// sweep. A sweep is K layers in four kernels of independent tiles.
class MlssorTiles
{
public:
    /// Made while the GPU is current. `shape` as MLSSOR's option has been checked.
    MlssorTiles(const solvers::PoissonProblem &problem, const solvers::MlssorShape &shape,
                solvers::SweepDirection direction, int threads = TileKernel().threads)
        : m_direction(direction)
        , m_isBackward(direction == solvers::SweepDirection::backward)
        , m_layers(static_cast<int>(shape.layers))
        , m_width(static_cast<int>(shape.width))
        , m_threads(threads)
    {
        for (std::size_t axis = 0; axis < 2; ++axis)
            m_ranges[axis] = Ranges(solvers::MlssorTiling(shape, problem.unknowns[axis]));
    }

    int layers() const { return m_layers; }
    bool isBackward() const { return m_isBackward; }
    /// All rows of sub-domains.
    TileRange all() const { return {0, m_ranges[1].subdomains()}; }

    /// The kernels (ty, 0) and (ty, 1) of these rows of sub-domains. `values` and the view's source
    /// are where the whole grid's first value would be.
    template <typename T>
    void relax(int ty, TileRange rows, const GridView<T> &grid, T *values, T w,
               cudaStream_t stream) const
    {
        TileKernel tiles;
        tiles.layers = m_layers;
        tiles.width = m_width;
        tiles.isBackward = m_isBackward;
        tiles.threads = m_threads;
        for (int tx : {0, 1}) {
            tiles.x = m_ranges[0].of(tx, m_isBackward, {0, m_ranges[0].subdomains()});
            tiles.y = m_ranges[1].of(ty, m_isBackward, rows);
            tiles.widestX = widest(tx);
            tiles.widestY = widest(ty);
            relaxTiles(grid, values, tiles, 1 - w, w / 4, stream);
        }
    }

    /// The next sweep goes its own direction.
    void turn()
    {
        if (m_direction == solvers::SweepDirection::alternating)
            m_isBackward = !m_isBackward;
    }

private:
    /// The layers of all tiles of an axis: [backward][tile][sub-domain][layer].
    class Ranges
    {
    public:
        Ranges() = default;
        explicit Ranges(const solvers::MlssorTiling &tiling)
            : m_subdomains(tiling.subdomains().end)
            , m_layers(tiling.layers())
        {
            std::vector<int2> ranges;
            for (bool backward : {false, true}) {
                for (int t : {0, 1}) {
                    for (std::ptrdiff_t d = 0; d < m_subdomains; ++d) {
                        for (std::ptrdiff_t k = 0; k < m_layers; ++k) {
                            const auto range = tiling.tile(d, t, k, backward);
                            ranges.push_back(
                                {static_cast<int>(range.begin), static_cast<int>(range.end)});
                        }
                    }
                }
            }
            m_ranges = DeviceBuffer<int2>(std::span<const int2>(ranges));
        }

        int subdomains() const { return static_cast<int>(m_subdomains); }
        TileRanges of(int tile, bool backward, TileRange these) const
        {
            const auto first = ((backward ? 2 : 0) + tile) * m_subdomains + these.first;
            return {m_ranges.data() + first * m_layers, these.end - these.first};
        }

    private:
        std::ptrdiff_t m_subdomains = 0;
        std::ptrdiff_t m_layers = 0;
        DeviceBuffer<int2> m_ranges;
    };

    /// Tiles 0 shrink, tiles 1 grow from layer to layer.
    int widest(int tile) const { return tile == 0 ? 0 : m_layers - 1; }

    solvers::SweepDirection m_direction;
    bool m_isBackward; ///< the next sweep
    int m_layers;
    int m_width;
    int m_threads; ///< of a block
    std::array<Ranges, 2> m_ranges;
};

} // namespace gridhelm::gpu::sor
