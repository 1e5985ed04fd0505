// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/pmm/march_tile.cuh"
#include "gpu/pmm/tile_message.cuh"

#include <cuda_pipeline.h>

namespace gridhelm::gpu {

/// What a warp keeps of its tile while it marches: the previous plane's times with those around the
/// tile, and the old times of this plane and the next one.
template <typename T>
struct TileTimes
{
    T previous[brickEdge + 2][tileWidth + 2];
    T old[2][brickEdge][tileWidth];
};

/// One warp marches with its tile through all planes; all tiles do so at the same time. Of the
/// times that it has just found it sends those at the tile's edges to the tiles around it, the
/// others stay in the multiprocessor: nothing waits until times have arrived in memory, and a
/// neighbour gets them with the word that says so.
///
/// A tile's messages lie in turns for even and odd planes. One that is two planes ahead overwrites
/// what has been used: it had to wait for its receiver's next plane.
template <typename T, bool divided>
class TileMarch : MarchTile<T, divided>
{
    using Tile = MarchTile<T, divided>;
    using Message = TileMessage<T>;
    using Tile::hasBorder, Tile::m_march, Tile::m_tiling, Tile::m_lane, Tile::m_tileU,
        Tile::m_tileV, Tile::m_plane, Tile::m_u, Tile::m_v, Tile::m_ownState, Tile::m_isAbandoned,
        Tile::m_edges, Tile::m_knowsEdges;

public:
    __device__ TileMarch(const MarchPlanes<T> &march, const Tiling &tiling, int tile,
                         TileTimes<T> &times)
        : Tile(march, tiling, tile, 0)
        , m_times(times)
        , m_rows(min(tiling.rowsPerTile, march.rows - m_v))
        , m_messages(static_cast<Message *>(march.messages))
    {
        findSenders();
    }

    /// Returns the largest decrease of the lane's nodes.
    template <typename Medium>
    __device__ T run(const Medium &medium)
    {
        if (divided)
            Tile::sendEdges(0); // of the first plane, which is given
        T largest = 0;
        for (m_plane = 1; m_plane < m_march.planes; ++m_plane) {
            step(medium, largest);
            if (divided && m_isAbandoned)
                break;
        }
        __pipeline_wait_prior(0);
        return largest;
    }

    /// Whether the warp has given up waiting.
    __device__ bool isAbandoned() const { return m_isAbandoned; }

private:
    /// Where a tile's messages lie.
    static constexpr int inFirstRow = 0, inLastRow = tileWidth, inFirstColumn = 2 * tileWidth,
                         inLastColumn = inFirstColumn + brickEdge;
    static_assert(messagesPerTile == inLastColumn + brickEdge);
    static constexpr unsigned isChanged = 1, isKnown = 2; ///< in the word, beside the plane

    template <typename Medium>
    __device__ void step(const Medium &medium, T &largest)
    {
        const bool changedBefore = changedInEarlierSubSweeps();
        const bool expects = changedBefore || m_isPresent || !m_march.skips;
        if (expects && !m_isPresent)
            fetchOld(m_plane); // while waiting
        const bool updates = receive() || changedBefore || !m_march.skips;
        if (divided && m_isAbandoned)
            return;
        if (updates) {
            if (!expects)
                fetchOld(m_plane);
            placePrevious();
        }
        if (divided && __any_sync(allLanes, m_isAbandoned)) {
            m_isAbandoned = true;
            return;
        }
        __pipeline_wait_prior(0);
        unsigned changedLanes = 0;
        if (updates) {
            if (m_plane + 1 < m_march.planes)
                fetchOld(m_plane + 1);
            changedLanes = update(medium, largest);
        }
        m_isPresent = updates;
        m_knowsEdges = updates;
        Tile::markChanged(changedLanes);
        send(changedLanes);
        if (divided)
            Tile::sendEdges(changedLanes);
        m_ownState = changedLanes != 0 ? 1 : 0;
    }

    /// Marks of this sub-sweep come with the messages, others are the same in a whole brick.
    __device__ bool changedInEarlierSubSweeps()
    {
        const int previous = m_march.backwards ? m_march.planes - m_plane : m_plane - 1;
        if (previous / brickEdge != m_layer) {
            m_layer = previous / brickEdge;
            m_changedBefore = Tile::changedInEarlierSubSweeps();
        }
        return m_changedBefore;
    }

    /// Into what this plane and the next one use in turns.
    __device__ void fetchOld(int plane)
    {
        if (m_u < m_march.width) {
            const T *from =
                m_march.times + Tile::rowOffset(m_v, plane) + m_u * m_march.columnStride;
            for (int row = 0; row < m_rows; ++row, from += m_march.rowStride)
                __pipeline_memcpy_async(&m_times.old[plane & 1][row][m_lane], from, sizeof(T));
        }
        __pipeline_commit();
    }

    /// Where this lane's messages come from: from above the tile, from below it, and, for some
    /// lanes, from beside it. Null beyond the grid, and of other devices.
    __device__ void findSenders()
    {
        m_senders[0] = sender(0, -1, inLastRow + m_lane);
        m_senders[1] = sender(0, 1, inFirstRow + m_lane);
        if (isBeside())
            m_senders[2] = sender(isLeft() ? -1 : 1, 0,
                                  (isLeft() ? inLastColumn : inFirstColumn) + m_lane % brickEdge);
        else if (isCorner())
            m_senders[2] =
                sender(isLeft() ? -1 : 1, isUpper() ? -1 : 1,
                       (isUpper() ? inLastRow : inFirstRow) + (isLeft() ? tileWidth - 1 : 0));
    }

    // The node around the tile that a lane cares for, beside those above and below it: lanes 0 to 7
    // for the rows on the left, 8 to 15 on the right, 16 to 19 for the corners.
    __device__ bool isBeside() const
    {
        return m_lane < 2 * brickEdge && m_lane % brickEdge < m_rows;
    }
    __device__ bool isCorner() const
    {
        return m_lane >= 2 * brickEdge && m_lane < 2 * brickEdge + 4;
    }
    __device__ bool isLeft() const
    {
        return m_lane < 2 * brickEdge ? m_lane < brickEdge : m_lane % 2 == 0;
    }
    __device__ bool isUpper() const { return m_lane < 2 * brickEdge + 2; } ///< of a corner

    /// In the tile so far away.
    __device__ const Message *sender(int alongU, int alongV, int message) const
    {
        const int u = m_tileU + alongU;
        const int v = m_tileV + alongV;
        const bool isHere = u >= 0 && u < m_tiling.acrossU && v >= 0 && v < m_tiling.acrossV;
        return isHere ? m_messages + (v * m_tiling.acrossU + u) * messagesPerTile + message
                      : nullptr;
    }

    /// Of even or odd planes.
    __device__ int turn(int plane) const
    {
        return (plane & 1) * m_tiling.count() * messagesPerTile;
    }

    /// Waits for what the neighbours send of the previous plane. Whether anything changed there.
    __device__ bool receive()
    {
        for (auto &received : m_received)
            received = {solvers::unreachedTime<T>, 0};
        if (m_plane == 1)
            return false; // the first plane is given
        const unsigned wanted = m_march.beginning + static_cast<unsigned>(m_plane - 1) * perPlane;
        const int offset = turn(m_plane - 1);
        bool waits[3];
        for (int i = 0; i < 3; ++i)
            waits[i] = m_senders[i] != nullptr;
        unsigned looks = 0;
        bool isBehind = true;
        while (isBehind) {
            if (divided && __any_sync(allLanes, Tile::mustGiveUp(looks))) {
                m_isAbandoned = true;
                return false;
            }
            for (int i = 0; i < 3; ++i) {
                if (waits[i])
                    m_received[i] = Message::receive(m_senders[i] + offset);
            }
            for (int i = 0; i < 3; ++i)
                waits[i] = waits[i] && ((m_received[i].word ^ wanted) & ~3u) != 0;
            isBehind = __any_sync(allLanes, waits[0] || waits[1] || waits[2]);
        }
        unsigned words = m_ownState;
        for (const auto &received : m_received)
            words |= received.word;
        if (divided && changedBeyond(wanted))
            words |= isChanged;
        return __any_sync(allLanes, (words & isChanged) != 0);
    }

    /// In the tiles of other devices; waits for them.
    __device__ bool changedBeyond(unsigned wanted)
    {
        const int u = m_tileU + m_lane % 3 - 1;
        const int side = m_lane / 3; // lanes 0 to 5
        const bool watches = side < 2 && u >= 0 && u < m_tiling.acrossU
                             && (side == 0 ? m_tileV == 0 : m_tileV + 1 == m_tiling.acrossV)
                             && hasBorder(side);
        unsigned ahead = 0; // of what is wanted; wraps around
        unsigned looks = 0;
        bool isBehind = true;
        while (isBehind) {
            if (watches)
                ahead = SystemAtomic<unsigned>(m_march.borders[side].progress[u])
                            .load(cuda::memory_order_relaxed)
                        - wanted;
            isBehind = __any_sync(allLanes, watches && static_cast<int>(ahead) < 0);
            if (isBehind && __any_sync(allLanes, Tile::mustGiveUp(looks))) {
                m_isAbandoned = true;
                return false;
            }
        }
        // A neighbour may be one plane ahead, not two.
        return watches && (ahead & (ahead < perPlane ? 1u : 2u)) != 0;
    }

    /// The previous plane around the tile, and the tile's own unless it is there.
    __device__ void placePrevious()
    {
        auto &previous = m_times.previous;
        for (int row = 0; !m_isPresent && row < m_rows; ++row)
            previous[row + 1][m_lane + 1] = before(m_u, m_v + row);
        const int above = m_v - 1;
        const int below = m_v + m_rows;
        previous[0][m_lane + 1] = around(0, m_u, above);
        previous[m_rows + 1][m_lane + 1] = around(1, m_u, below);
        const int u = m_tileU * tileWidth + (isLeft() ? -1 : tileWidth);
        const int column = isLeft() ? 0 : tileWidth + 1;
        if (isBeside())
            previous[m_lane % brickEdge + 1][column] = around(2, u, m_v + m_lane % brickEdge);
        else if (isCorner())
            previous[isUpper() ? 0 : m_rows + 1][column] = around(2, u, isUpper() ? above : below);
        __syncwarp();
    }

    /// What was received of a node, or, if it was not sent, where it has stayed the same.
    __device__ T around(int message, int u, int v)
    {
        if ((m_received[message].word & isKnown) != 0)
            return m_received[message].time;
        if (divided && (v < 0 || v >= m_march.rows)) {
            const int side = v < 0 ? 0 : 1;
            return hasBorder(side) && u >= 0 && u < m_march.width ? Tile::arrived(side, u)
                                                                  : solvers::unreachedTime<T>;
        }
        return before(u, v);
    }

    /// In the previous plane. Not through the cache of a multiprocessor: others have written it.
    __device__ T before(int u, int v) const
    {
        const bool isInside = u >= 0 && u < m_march.width && v >= 0 && v < m_march.rows;
        return isInside ? __ldcg(m_march.times + Tile::rowOffset(v, m_plane - 1)
                                 + u * m_march.columnStride)
                        : solvers::unreachedTime<T>;
    }

    /// The lanes that changed. Leaves the plane's times where the previous ones were.
    template <typename Medium>
    __device__ unsigned update(const Medium &medium, T &largest)
    {
        const auto &old = m_times.old[m_plane & 1];
        const bool isInside = m_u < m_march.width;
        T t[9];
        T earliest[3];
        earliest[1] = read(0, t + 3);
        earliest[2] = read(1, t + 6);
        unsigned changedLanes = 0;
        constexpr int unrolled = Medium::isAnisotropic ? 1 : 2; // more does not stay in the cache
#pragma unroll unrolled
        for (int row = 0; row < m_rows; ++row) {
            for (int i = 0; i < 6; ++i)
                t[i] = t[i + 3];
            earliest[0] = earliest[1];
            earliest[1] = earliest[2];
            earliest[2] = read(row + 2, t + 6);
            __syncwarp(); // all have read the row that is overwritten
            T time = isInside ? old[row][m_lane] : T(0); // earlier than any candidate
            const T all =
                DeviceMath<T>::min(DeviceMath<T>::min(earliest[0], earliest[1]), earliest[2]);
            changedLanes |= Tile::updateRow(medium, t, all, m_v + row, 2, time, largest);
            if (isInside)
                m_times.previous[row + 1][m_lane + 1] = time;
            if (divided && m_v + row == 0)
                m_edges[0] = time;
            if (divided && m_v + row + 1 == m_march.rows)
                m_edges[1] = time;
        }
        __syncwarp();
        return changedLanes;
    }

    /// Returns the earliest of the three.
    __device__ T read(int row, T *three) const
    {
        for (int i = 0; i < 3; ++i)
            three[i] = m_times.previous[row][m_lane + i];
        return DeviceMath<T>::min(DeviceMath<T>::min(three[0], three[1]), three[2]);
    }

    __device__ void send(unsigned changedLanes)
    {
        const unsigned word = m_march.beginning + static_cast<unsigned>(m_plane) * perPlane
                              + (m_isPresent ? isKnown : 0u) + (changedLanes != 0 ? isChanged : 0u);
        Message *to =
            m_messages + turn(m_plane) + (m_tileV * m_tiling.acrossU + m_tileU) * messagesPerTile;
        const auto &times = m_times.previous;
        Message::send(to + inFirstRow + m_lane, times[1][m_lane + 1], word);
        Message::send(to + inLastRow + m_lane, times[m_rows][m_lane + 1], word);
        const int row = m_lane % brickEdge;
        if (isBeside())
            Message::send(to + (isLeft() ? inFirstColumn : inLastColumn) + row,
                          times[row + 1][isLeft() ? 1 : tileWidth], word);
    }

    TileTimes<T> &m_times;
    int m_rows;
    Message *m_messages;
    const Message *m_senders[3] = {};
    Message m_received[3];
    int m_layer = -1;
    bool m_changedBefore = false;
    bool m_isPresent = false; ///< the times of the previous plane, and the old ones of this plane
};

} // namespace gridhelm::gpu
