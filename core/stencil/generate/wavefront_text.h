// SPDX-License-Identifier: GPL-3.0-or-later
//
// Generated code for several iterations in one pass through the memory
// (docs/theory/stencils.md): it is the same for all stencils.
#pragma once

#include <string_view>

namespace gridhelm::stencil {

inline constexpr std::string_view wavefrontText = R"(
// ---- several iterations in one pass ------------------------------------------------------------

// Layer by layer, each iteration `radius` layers behind the one before it, so that layers in
// between stay in the cache: 2 radius + 1 of each iteration, in a ring. A thread has layers of its
// own, and in 3D does so for one tile of rows after the other; what it needs beyond them is
// computed again by the neighbours' iterations.
class Wavefront
{
public:
    Wavefront(const Run &run, Range layers, Index depth, Value *memory, int thread)
        : m_run(run)
        , m_at(run)
        , m_memory(memory + thread * valuesOf(run))
        , m_depth(depth)
        , m_ringRows(ringRows(run))
        , m_layers(layers)
    {
    }

    // Of memory that a thread needs.
    static Index valuesOf(const Run &run)
    {
        return (stencil::iterationsPerPass - 1) * ring * ringRows(run) * run.rowStride;
    }

    template <bool compares>
    Value advance()
    {
        const FlushDenormals flush;
        const Index tile = tileRows(m_run);
        Value largest = 0;
        for (Index first = 0; first < m_at.rows; first += tile) {
            m_rows = {first, std::min(first + tile, m_at.rows)};
            largest = std::max(largest, advanceTile<compares>());
        }
        finishStreaming();
        return largest;
    }

private:
    static constexpr Index ring = 2 * radius + 1;
    static constexpr Index halo = stencil::dimension == 3 ? radius * stencil::iterationsPerPass : 0;

    static Index tileRows(const Run &run)
    {
        const Index rows = Layers(run).rows;
        const Index layers = (stencil::iterationsPerPass - 1) * ring + 2 * radius;
        return stencil::dimension == 3 ? rowsOfTile(run, run.cacheBytes, layers, halo, rows) : 1;
    }
    static Index ringRows(const Run &run) { return tileRows(run) + 2 * halo; }

    // What iteration t is to have, for those behind it.
    Range grown(Range range, Index t, Index size, const Side &low) const
    {
        const Index beyond = radius * (m_depth - t);
        if (low.rule == Rule::periodic)
            return {range.begin - beyond, range.end + beyond};
        return {std::max<Index>(range.begin - beyond, 0), std::min(range.end + beyond, size)};
    }
    Range rowsOf(Index t) const
    {
        return stencil::dimension == 3 ? grown(m_rows, t, m_at.rows, lowRows) : Range{0, 1};
    }
    Range layersOf(Index t) const { return grown(m_layers, t, m_at.layers, lowLayers); }

    static Index wrapped(Index at, Index size, const Side &side)
    {
        return side.rule == Rule::periodic ? (at % size + size) % size : at;
    }
    Index gridOffset(Index j, Index k) const
    {
        const Index row = stencil::dimension == 3 ? wrapped(j, m_at.rows, lowRows) : 0;
        return m_at.offset(row, wrapped(k, m_at.layers, lowLayers));
    }
    // Iteration t >= 1.
    Value *row(Index t, Index j, Index k) const
    {
        const Index layer = (t - 1) * ring + ((k % ring) + ring) % ring;
        const Index first = m_rows.begin - halo;
        return m_memory + (layer * m_ringRows + j - first) * m_run.rowStride + stencil::lineValues;
    }
    const Value *rowBefore(Index t, Index j, Index k) const
    {
        return t > 1 ? row(t - 1, j, k) : m_run.present + gridOffset(j, k);
    }

    Rows rowsFor(Index t, Index j, Index k) const
    {
        Rows rows;
        for (int i = 0; i < rowCount; ++i)
            rows.u[i] = rowBefore(t, j + rowsAway[i][0], k + rowsAway[i][1]);
        for (int i = 0; i < stencil::coefficientCount; ++i)
            rows.c[i] = m_run.coefficients[i] + gridOffset(j, k);
        rows.f = m_run.source != nullptr ? m_run.source + gridOffset(j, k) : nullptr;
        return rows;
    }
    Index spikeOf(Index j, Index k) const
    {
        const Index row = stencil::dimension == 3 ? wrapped(j, m_at.rows, lowRows) : 0;
        return spikeIn(m_run, row, wrapped(k, m_at.layers, lowLayers));
    }

    template <bool compares>
    Value advanceTile()
    {
        Value largest = 0;
        const Index behind = radius * (m_depth - 1);
        for (Index step = m_layers.begin - behind; step < m_layers.end + behind; ++step) {
            for (Index t = 1; t <= m_depth; ++t) {
                const Index k = step - radius * (t - 1);
                const Range layers = layersOf(t);
                const bool isInside = k >= layers.begin && k < layers.end;
                if (isInside && t == m_depth)
                    largest = std::max(largest, finishLayer<compares>(k));
                else if (isInside)
                    iterateLayer(t, k);
                if (t < m_depth && lowLayers.rule != Rule::periodic)
                    setGhostLayers(t, k, isInside, layers.end == m_at.layers);
            }
        }
        return largest;
    }

    void iterateLayer(Index t, Index k)
    {
        const Index n = m_at.points;
        const Range rows = rowsOf(t);
        for (Index j = rows.begin; j < rows.end; ++j) {
            Value *to = row(t, j, k);
            updateValues<false, false>(to, rowsFor(t, j, k), m_run.sourceFactor, 0, spikeOf(j, k),
                                       n);
            setRowGhosts(to, n);
        }
        if (stencil::dimension < 3 || lowRows.rule == Rule::periodic)
            return;
        for (Index g = 0; g < radius; ++g) {
            if (rows.begin == 0) {
                const Value *low = row(t, g, k);
                setGhostRow(row(t, -1 - g, k), low, low, lowRows, g, n);
            }
            if (rows.end == m_at.rows) {
                const Value *high = row(t, m_at.rows - 1 - g, k);
                setGhostRow(row(t, m_at.rows + g, k), high, high, highRows, g, n);
            }
        }
    }

    template <bool compares>
    Value finishLayer(Index k)
    {
        Value largest = 0;
        for (Index j = m_rows.begin; j < m_rows.end; ++j) {
            const Rows rows = rowsFor(m_depth, j, k);
            for (Index first = 0; first < m_at.points; first += piece)
                largest =
                    std::max(largest, writePiece<compares>(m_run, m_run.next + m_at.offset(j, k),
                                                           rows, spikeOf(j, k), first,
                                                           std::min(piece, m_at.points - first)));
        }
        return largest;
    }

    // Ghost layers before the first one come with those that they mirror, those behind the last one
    // when it is their turn.
    void setGhostLayers(Index t, Index k, bool isInside, bool reachesEnd)
    {
        if (isInside && k < radius)
            setGhostLayer(t, -1 - k, k, lowLayers, k);
        const Index g = k - m_at.layers;
        if (reachesEnd && g >= 0 && g < radius)
            setGhostLayer(t, k, m_at.layers - 1 - g, highLayers, g);
    }
    void setGhostLayer(Index t, Index k, Index mirrored, const Side &side, Index g)
    {
        Range rows = rowsOf(t);
        if (stencil::dimension == 3 && lowRows.rule != Rule::periodic)
            rows = {rows.begin == 0 ? -radius : rows.begin,
                    rows.end == m_at.rows ? rows.end + radius : rows.end};
        for (Index j = rows.begin; j < rows.end; ++j) {
            const Value *from = row(t, j, mirrored);
            setGhostRow(row(t, j, k), from, from, side, g, m_at.points);
        }
    }

    const Run &m_run;
    Layers m_at;
    Value *m_memory;
    Index m_depth;
    Index m_ringRows;
    Range m_layers;
    Range m_rows{0, 1};
};
)";

} // namespace gridhelm::stencil
