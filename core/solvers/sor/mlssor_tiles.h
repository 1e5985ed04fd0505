// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/sor/lexicographic_sweep.h"
#include "core/solvers/sor/mlssor_kernel.h"
#include "core/solvers/sor/mlssor_tiling.h"
#include "core/solvers/sor/padded_sweeper.h"
#include "core/solvers/sor/sor_options.h"
#include "core/support/flush_denormals.h"

#include <omp.h>

#include <cstddef>
#include <new>
#include <vector>

namespace gridhelm::solvers {

/// The values of [Di2010]'s method in a slab of whole rows of sub-domains, and its tiles: K layers
/// in one pass, as four kernels of independent tiles.
///
/// Tiles are those of the whole grid. Some reach across the slab's borders, by less than K rows, so
/// the values are those of the slab and of K rows of each neighbour's.
template <typename T>
class MlssorTiles : public PaddedSweeper<T>
{
public:
    /// The slab begins at a multiple of the shape's width.
    MlssorTiles(const PoissonProblem &problem, const MlssorShape &shape, SweepDirection direction,
                const CpuDevice &cpu, const Slab &slab)
        : PaddedSweeper<T>(problem, cpu, widened(slab, shape.layers))
        , m_window(widened(slab, shape.layers))
        , m_tileRows{static_cast<std::ptrdiff_t>(slab.begin / shape.width),
                     static_cast<std::ptrdiff_t>((slab.end + shape.width - 1) / shape.width)}
        , m_threads(cpu.threads)
        , m_direction(direction)
        , m_isBackward(direction == SweepDirection::backward)
        , m_xTiling(shape, problem.unknowns[0])
        , m_yTiling(shape, problem.unknowns[1])
        , m_layers(shape.layers)
    {
        const auto width = shape.width;
        for (int t = 0; t < cpu.threads; ++t) {
            m_scratch.push_back(hwy::AllocateAligned<T>(tileScratchSize<T>(width, width)));
            if (!m_scratch.back())
                throw std::bad_alloc();
        }
    }

protected:
    std::ptrdiff_t layers() const { return m_xTiling.layers(); }
    bool isBackward() const { return m_isBackward; }
    /// The rows whose values are here.
    const Slab &window() const { return m_window; }
    /// The rows here, counted in the whole grid; one more at either end is a ghost.
    T *rowOfGrid(std::ptrdiff_t j) { return this->values().row(here({j, j}).begin); }

    /// The kernels (ty, 0) and (ty, 1).
    void relaxTilesOf(int ty, T w)
    {
        for (int tx : {0, 1})
            runKernel(ty, tx, w);
    }
    /// The next sweep goes its own direction.
    void turn()
    {
        if (m_direction == SweepDirection::alternating)
            m_isBackward = !m_isBackward;
    }

private:
    IndexRange here(const IndexRange &rows) const
    {
        const auto first = static_cast<std::ptrdiff_t>(m_window.begin);
        return {rows.begin - first, rows.end - first};
    }

    /// All tiles (ty, tx). They are independent of each other.
    void runKernel(int ty, int tx, T w)
    {
        const auto rows = m_tileRows;
        setInnerLayers(ty, tx);
#pragma omp parallel for schedule(static) num_threads(m_threads) if (m_threads > 1)
        for (auto dy = rows.begin; dy < rows.end; ++dy)
            relaxTileRow(dy, ty, tx, w, m_scratch[static_cast<std::size_t>(omp_get_thread_num())]);
    }

    /// The layers that all inner tiles (ty, tx) have: those of sub-domain 1 of a grid of 4.
    void setInnerLayers(int ty, int tx)
    {
        const auto rows = m_yTiling.ofSize(4);
        const auto first = [&](int t) { return rows.footprint(1, t, m_isBackward).begin; };
        for (std::ptrdiff_t k = 0; k < m_xTiling.layers(); ++k) {
            const auto y = rows.tile(1, ty, k, m_isBackward);
            const auto x = rows.tile(1, tx, k, m_isBackward);
            m_layers[static_cast<std::size_t>(k)] = {{y.begin - first(ty), y.end - first(ty)},
                                                     {x.begin - first(tx), x.end - first(tx)}};
        }
    }

    void relaxTileRow(std::ptrdiff_t dy, int ty, int tx, T w,
                      hwy::AlignedFreeUniquePtr<T[]> &scratch)
    {
        const FlushDenormals flush;
        // Tiles at a side have a shape of their own, and Neumann ghosts to look after.
        const bool isInner = m_yTiling.isInner(dy, ty, m_isBackward);
        const auto columns = m_xTiling.subdomains();
        auto dx = columns.begin;
        while (dx < columns.end) {
            auto end = dx;
            while (isInner && end < columns.end && m_xTiling.isInner(end, tx, m_isBackward))
                ++end;
            if (end > dx) {
                relaxInnerTiles(dy, ty, {dx, end}, tx, w, scratch.get());
                dx = end;
            } else {
                relaxTileAtSide(dy, ty, dx, tx, w);
                ++dx;
            }
        }
    }

    void relaxInnerTiles(std::ptrdiff_t dy, int ty, const IndexRange &columns, int tx, T w,
                         T *scratch)
    {
        const auto y = m_yTiling.footprint(dy, ty, m_isBackward);
        const auto x = m_xTiling.footprint(columns.begin, tx, m_isBackward);
        if (y.begin >= y.end || x.begin >= x.end)
            return;
        const auto *source = this->source();
        TileRow<T> row{};
        row.values = this->values().row(here(y).begin) + x.begin;
        row.source = source ? source->row(here(y).begin) + x.begin : nullptr;
        row.rowStride = this->values().rowStride();
        row.tileStride = m_xTiling.width();
        row.tiles = static_cast<std::size_t>(columns.end - columns.begin);
        row.height = y.end - y.begin;
        row.width = x.end - x.begin;
        row.layers = m_layers;
        row.isBackward = m_isBackward;
        relaxTiles<T>(row, 1 - w, w / 4, scratch);
    }

    void relaxTileAtSide(std::ptrdiff_t dy, int ty, std::ptrdiff_t dx, int tx, T w)
    {
        for (std::ptrdiff_t layer = 0; layer < m_xTiling.layers(); ++layer) {
            const auto y = m_yTiling.tile(dy, ty, layer, m_isBackward);
            const auto x = m_xTiling.tile(dx, tx, layer, m_isBackward);
            if (m_isBackward)
                LexicographicSweep<-1, T>(this->values(), this->source(), w).relax(here(y), x);
            else
                LexicographicSweep<1, T>(this->values(), this->source(), w).relax(here(y), x);
            if (this->hasNeumannSide())
                setGhostsBeside(y, x);
        }
    }

    /// The ghosts of these unknowns. Dirichlet ghosts get the value they have.
    void setGhostsBeside(const IndexRange &y, const IndexRange &x)
    {
        if (x.begin >= x.end || y.begin >= y.end)
            return;
        auto &values = this->values();
        const auto width = static_cast<std::ptrdiff_t>(values.points()[0]);
        const auto height = static_cast<std::ptrdiff_t>(m_window.of);
        const auto count = static_cast<std::size_t>(x.end - x.begin);
        const auto &sides = this->sides();
        const auto spacing = this->spacing();
        for (auto j = here(y).begin; j < here(y).end; ++j) {
            T *row = values.row(j);
            if (x.begin == 0)
                row[-1] = ghostValue(sides[0], spacing, row[0]);
            if (x.end == width)
                row[width] = ghostValue(sides[1], spacing, row[width - 1]);
        }
        if (y.begin == 0)
            setGhostRow(values.row(-1) + x.begin, values.row(0) + x.begin, count, sides[2],
                        spacing);
        if (y.end == height)
            setGhostRow(values.row(here(y).end) + x.begin, values.row(here(y).end - 1) + x.begin,
                        count, sides[3], spacing);
    }

    Slab m_window;
    IndexRange m_tileRows;
    int m_threads;
    SweepDirection m_direction;
    bool m_isBackward; ///< the next sweep
    MlssorTiling m_xTiling;
    MlssorTiling m_yTiling;
    std::vector<TileLayer> m_layers; ///< of the inner tiles of the kernel that runs
    std::vector<hwy::AlignedFreeUniquePtr<T[]>> m_scratch;
};

} // namespace gridhelm::solvers
