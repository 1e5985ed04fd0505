// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/pmm/march_tile.cuh"

namespace gridhelm::gpu {

/// One warp's view of its tile in one plane: for tiles that take turns, or planes that do.
template <typename T, bool divided>
class TileStep : MarchTile<T, divided>
{
    using Tile = MarchTile<T, divided>;
    using Tile::hasBorder, Tile::arrived, Tile::mustGiveUp, Tile::sendEdges, Tile::rowOffset,
        Tile::nodeOffset, Tile::updateRow, Tile::m_march, Tile::m_tiling, Tile::m_lane,
        Tile::m_tileU, Tile::m_tileV, Tile::m_plane, Tile::m_u, Tile::m_v, Tile::m_ownState,
        Tile::m_isAbandoned, Tile::m_edges, Tile::m_knowsEdges;

public:
    using Tile::Tile;

    /// Waits until the previous plane around the tile is final, updates the tile if anything there
    /// changed, and publishes that it is finished. Returns the largest decrease of the lane's
    /// nodes.
    template <typename Medium>
    __device__ T run(const Medium &medium)
    {
        const bool changedBefore = Tile::changedInEarlierSubSweeps();
        bool changed = changedInThisSubSweep();
        T largest = 0;
        if (divided && m_isAbandoned)
            return largest;
        unsigned changedLanes = 0;
        if (changedBefore || changed || !m_march.skips)
            changedLanes = update(medium, largest);
        publish(changedLanes);
        return largest;
    }

    /// Whether this lane has given up waiting.
    __device__ bool isAbandoned() const { return m_isAbandoned; }

    /// Of the first plane, which is given.
    __device__ void sendGiven() const { sendEdges(0); }

private:
    /// Waits for the neighbours.
    __device__ bool changedInThisSubSweep()
    {
        m_ownState = 0;
        if (!divided && m_plane == 1)
            return false; // the first plane is given
        const int u = m_tileU + m_lane % 3 - 1;
        const int v = m_tileV + m_lane / 3 - 1;
        const bool hasTile = m_lane < 9 && u >= 0 && u < m_tiling.acrossU;
        const bool watchesHere = hasTile && v >= 0 && v < m_tiling.acrossV && m_plane > 1;
        const bool watchesBorder =
            hasTile && ((v < 0 && hasBorder(0)) || (v >= m_tiling.acrossV && hasBorder(1)));
        const bool watches = watchesHere || watchesBorder;
        const unsigned wanted = m_march.beginning + static_cast<unsigned>(m_plane - 1) * perPlane;
        unsigned ahead = 0; // of what is wanted; wraps around
        unsigned looks = 0;
        bool behind = true;
        while (behind) {
            if (divided && __any_sync(allLanes, mustGiveUp(looks))) {
                m_isAbandoned = true;
                return false;
            }
            if (watchesHere)
                ahead = DeviceAtomic<unsigned>(m_march.progress[v * m_tiling.acrossU + u])
                            .load(cuda::memory_order_acquire)
                        - wanted;
            if (watchesBorder)
                ahead = SystemAtomic<unsigned>(m_march.borders[v < 0 ? 0 : 1].progress[u])
                            .load(cuda::memory_order_relaxed) // values speak for themselves
                        - wanted;
            behind = __any_sync(allLanes, static_cast<int>(ahead) < 0);
        }
        __syncwarp(); // what the watching lanes have seen finished, all may read
        // A neighbour may be one plane ahead, not two: it waits for this tile.
        const bool changed = watches && (ahead & (ahead < perPlane ? 1u : 2u)) != 0;
        m_ownState = __shfl_sync(allLanes, ahead, 4) & 1u;
        return __any_sync(allLanes, changed);
    }

    __device__ void publish(unsigned changedLanes)
    {
        Tile::markChanged(changedLanes);
        __syncwarp(); // all lanes' times before the word that announces them
        if (m_lane == 0)
            DeviceAtomic<unsigned>(m_march.progress[m_tileV * m_tiling.acrossU + m_tileU])
                .store(Tile::state(changedLanes), cuda::memory_order_release);
        sendEdges(changedLanes);
    }

    /// A row of the previous plane: the lane's node, and one beside the tile for the outer lanes.
    struct RawRow
    {
        T centre;
        T beside;
    };

    /// Past other warps' caches: they have just written it.
    __device__ RawRow load(int v)
    {
        RawRow row{solvers::unreachedTime<T>, solvers::unreachedTime<T>};
        const int beside = m_lane == 0 ? m_u - 1 : m_u + 1;
        const bool loadsBeside =
            (m_lane == 0 || m_lane == 31) && beside >= 0 && beside < m_march.width;
        if (v < 0 || v >= m_march.rows) {
            const int side = v < 0 ? 0 : 1;
            if (hasBorder(side) && m_u < m_march.width)
                row.centre = arrived(side, m_u);
            if (hasBorder(side) && loadsBeside)
                row.beside = arrived(side, beside);
            return row;
        }
        const T *first = m_march.times + rowOffset(v, m_plane - 1);
        if (m_u < m_march.width)
            row.centre = __ldcg(first + m_u * m_march.columnStride);
        if (loadsBeside)
            row.beside = __ldcg(first + beside * m_march.columnStride);
        return row;
    }

    __device__ void place(const RawRow &row, T *three) const
    {
        const T left = __shfl_up_sync(allLanes, row.centre, 1);
        const T right = __shfl_down_sync(allLanes, row.centre, 1);
        three[0] = m_lane == 0 ? row.beside : left;
        three[1] = row.centre;
        three[2] = m_lane == 31 ? row.beside : right;
    }

    __device__ T loadOld(int v) const
    {
        return m_u < m_march.width && v < m_march.rows ? __ldcg(m_march.times + nodeOffset(v))
                                                       : T(0); // earlier than any candidate
    }

    /// The lanes that changed.
    template <typename Medium>
    __device__ unsigned update(const Medium &medium, T &largest)
    {
        T t[9];
        place(load(m_v - 1), t + 3);
        place(load(m_v), t + 6);
        RawRow next = load(m_v + 1);
        T old = loadOld(m_v);
        unsigned changedLanes = 0;
        const int end = min(m_v + m_tiling.rowsPerTile, m_march.rows);
        for (int v = m_v; v < end; ++v) {
            for (int i = 0; i < 6; ++i)
                t[i] = t[i + 3];
            place(next, t + 6);
            const T before = old;
            if (v + 1 < end) {
                next = load(v + 2);
                old = loadOld(v + 1);
            }
            T now = before;
            T earliest = t[0];
            for (int i = 1; i < 9; ++i)
                earliest = DeviceMath<T>::min(earliest, t[i]);
            changedLanes |= updateRow(medium, t, earliest, v, 1, now, largest);
            if (divided && v == 0)
                m_edges[0] = now;
            if (divided && v + 1 == m_march.rows)
                m_edges[1] = now;
        }
        m_knowsEdges = true;
        return changedLanes;
    }
};

} // namespace gridhelm::gpu
