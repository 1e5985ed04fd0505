// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/pmm/plane_kernel.h"
#include "gpu/pmm/device_math.cuh"
#include "gpu/pmm/march.h"
#include "gpu/pmm/tiling.h"

#include <cuda/atomic>

#include <cstddef>

namespace gridhelm::gpu {

constexpr unsigned allLanes = 0xffffffffu;
constexpr unsigned perPlane = progressOf(1);

template <typename Value>
using DeviceAtomic = cuda::atomic_ref<Value, cuda::thread_scope_device>;
template <typename Value>
using SystemAtomic = cuda::atomic_ref<Value, cuda::thread_scope_system>;

/// Where a warp's tile is, for those that march with it. `divided`: among several devices.
template <typename T, bool divided>
class MarchTile
{
public:
    __device__ MarchTile(const MarchPlanes<T> &march, const Tiling &tiling, int tile, int plane)
        : m_march(march)
        , m_tiling(tiling)
        , m_lane(static_cast<int>(threadIdx.x) % 32)
        , m_tileU(tile % tiling.acrossU)
        , m_tileV(tile / tiling.acrossU)
        , m_plane(plane)
        , m_u(m_tileU * tileWidth + m_lane)
        , m_v(m_tileV * tiling.rowsPerTile)
    {
    }

protected:
    /// In the previous plane, around the tile, since this direction's last sub-sweep.
    __device__ bool changedInEarlierSubSweeps() const
    {
        constexpr int across = tileWidth / brickEdge + 2;
        const int u = m_tileU * (tileWidth / brickEdge) - 1 + m_lane % across;
        // Floored: from one row before the tile to one behind it.
        const int v = (m_v + brickEdge - 1) / brickEdge - 1 + m_lane / across;
        bool changed = false;
        const int first = hasBorder(0) ? -1 : 0; // the neighbours' bricks are known, too
        const int end = m_march.bricks[1] + (hasBorder(1) ? 1 : 0);
        if (u >= 0 && u < m_march.bricks[0] && v >= first && v < end
            && v * brickEdge <= m_v + m_tiling.rowsPerTile) {
            const int since =
                DeviceAtomic<int>(*brick(u, v, m_plane - 1)).load(cuda::memory_order_relaxed);
            changed = since > m_march.subSweep - subSweepsPerSweep;
        }
        return __any_sync(allLanes, changed);
    }

    /// The bricks of the lanes that changed.
    __device__ void markChanged(unsigned changedLanes) const
    {
        if (m_lane % brickEdge == 0 && ((changedLanes >> m_lane) & 0xffu) != 0)
            DeviceAtomic<int>(*brick(m_u / brickEdge, m_v / brickEdge, m_plane))
                .store(m_march.subSweep, cuda::memory_order_relaxed);
    }

    __device__ unsigned state(unsigned changedLanes) const
    {
        return m_march.beginning + static_cast<unsigned>(m_plane) * perPlane + 2 * m_ownState
               + (changedLanes != 0 ? 1u : 0u);
    }

    __device__ bool hasBorder(int side) const
    {
        return divided && m_march.borders[side].halo != nullptr;
    }

    /// Whether the tile has the row at this border.
    __device__ bool touches(int side) const
    {
        const int row = side == 0 ? 0 : m_march.rows - 1;
        return hasBorder(side) && row >= m_v && row < m_v + m_tiling.rowsPerTile;
    }

    /// The tile's part of the rows at the borders, changed or not.
    __device__ void sendEdges(unsigned changedLanes) const
    {
        for (int side = 0; side < 2; ++side) {
            if (!touches(side))
                continue;
            const auto &border = m_march.borders[side];
            if (m_u < m_march.width) {
                const int row = side == 0 ? 0 : m_march.rows - 1;
                const T time =
                    m_knowsEdges ? m_edges[side] : __ldcg(m_march.times + nodeOffset(row));
                SystemAtomic<T>(border.sentHalo[haloOffset(m_plane) + m_u])
                    .store(time, cuda::memory_order_relaxed);
            }
            if (m_lane == 0)
                SystemAtomic<unsigned>(border.sentProgress[m_tileU])
                    .store(state(changedLanes), cuda::memory_order_relaxed);
            if (m_lane % brickEdge == 0 && ((changedLanes >> m_lane) & 0xffu) != 0) {
                const auto offset =
                    brick(m_u / brickEdge, m_v / brickEdge, m_plane) - m_march.changes;
                SystemAtomic<int>(border.sentChanges[offset]) // for other sub-sweeps
                    .store(m_march.subSweep, cuda::memory_order_relaxed);
            }
        }
    }

    /// Waits for it.
    __device__ T arrived(int side, int u)
    {
        const SystemAtomic<T> value(m_march.borders[side].halo[haloOffset(m_plane - 1) + u]);
        T time = value.load(cuda::memory_order_relaxed);
        unsigned looks = 0;
        while (isnan(time) && !m_isAbandoned) {
            time = value.load(cuda::memory_order_relaxed);
            m_isAbandoned = mustGiveUp(looks);
        }
        return time;
    }

    /// Of one that has looked so often in vain. Only now and then it is worth asking: the host's
    /// memory is far.
    __device__ bool mustGiveUp(unsigned &looks) const
    {
        constexpr unsigned often = 1u << 12;
        return ++looks % often == 0 && *static_cast<const volatile int *>(m_march.abandoned) != 0;
    }

    __device__ std::ptrdiff_t haloOffset(int plane) const
    {
        return static_cast<std::ptrdiff_t>(plane) * m_march.width;
    }

    __device__ int *brick(int u, int v, int plane) const
    {
        const int n = (m_march.backwards ? m_march.planes - 1 - plane : plane) / brickEdge;
        return m_march.changes + u * m_march.brickStrides[0] + v * m_march.brickStrides[1]
               + n * m_march.brickStrides[2];
    }

    __device__ std::ptrdiff_t rowOffset(int v, int plane) const
    {
        return v * m_march.rowStride + plane * m_march.planeStride;
    }

    /// Of the lane's node.
    __device__ std::ptrdiff_t nodeOffset(int v) const
    {
        return rowOffset(v, m_plane) + m_u * m_march.columnStride;
    }

    /// The lanes that changed, from 3 x 3 times of the previous plane and the earliest of them.
    /// Lets the cache fetch the row `ahead` planes from here.
    template <typename Medium>
    __device__ unsigned updateRow(const Medium &medium, const T (&t)[9], T earliest, int v,
                                  int ahead, T &time, T &largest) const
    {
        const T old = time;
        const bool inside = m_u < m_march.width;
        const std::ptrdiff_t offset = nodeOffset(v);
        if (inside && m_plane + ahead < m_march.planes)
            prefetch(m_march.times + offset + ahead * m_march.planeStride);
        bool mayChange = inside && medium.noEarlierThan(earliest) < old;
        if (!__any_sync(allLanes, mayChange))
            return 0;
        if constexpr (Medium::isAnisotropic) {
            mayChange = mayChange && !medium.isNoEarlierThan(t, old, offset);
            if (!__any_sync(allLanes, mayChange))
                return 0;
        }
        const T arrival = medium.arrival(t, inside ? offset : 0);
        const bool changes = mayChange && arrival < old;
        if (changes) {
            m_march.times[offset] = arrival;
            time = arrival;
            largest = DeviceMath<T>::max(largest, old - arrival);
        }
        return __ballot_sync(allLanes, changes);
    }

    static __device__ void prefetch(const T *address)
    {
        asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
    }

    const MarchPlanes<T> &m_march;
    const Tiling &m_tiling;
    int m_lane;
    int m_tileU, m_tileV;
    int m_plane;
    int m_u, m_v; ///< the lane's node in the tile's first row
    unsigned m_ownState = 0;
    bool m_isAbandoned = false;
    T m_edges[2] = {};         ///< the lane's new times in the rows at the borders
    bool m_knowsEdges = false; ///< otherwise the tile was left as it is
};

} // namespace gridhelm::gpu
