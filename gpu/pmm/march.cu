// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/pmm/march.h"

#include "core/solvers/pmm/media.h"
#include "core/solvers/pmm/plane_kernel.h"
#include "gpu/pmm/device_math.cuh"
#include "gpu/pmm/tiling.h"
#include "gpu/support/cuda_error.h"
#include "gpu/support/device_attribute.h"

#include <cuda/atomic>

#include <algorithm>

namespace gridhelm::gpu {
namespace {

constexpr int warpsPerBlock = 4;
constexpr unsigned allLanes = 0xffffffffu;
constexpr unsigned perPlane = progressOf(1);

template <typename Value>
using DeviceAtomic = cuda::atomic_ref<Value, cuda::thread_scope_device>;
template <typename Value>
using SystemAtomic = cuda::atomic_ref<Value, cuda::thread_scope_system>;

struct PlaneRange
{
    int first;
    int end;
};

/// One warp's view of its tile in one plane. `divided`: among several devices.
template <typename T, bool divided>
class TileStep
{
public:
    __device__ TileStep(const MarchPlanes<T> &march, const Tiling &tiling, int tile, int plane)
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

    /// Waits until the previous plane around the tile is final, updates the tile if anything there
    /// changed, and publishes that it is finished. Returns the largest decrease of the lane's
    /// nodes.
    template <typename Medium>
    __device__ T run(const Medium &medium)
    {
        const bool changedBefore = changedInEarlierSubSweeps();
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
        if (m_lane % brickEdge == 0 && ((changedLanes >> m_lane) & 0xffu) != 0)
            DeviceAtomic<int>(*brick(m_u / brickEdge, m_v / brickEdge, m_plane))
                .store(m_march.subSweep, cuda::memory_order_relaxed);
        __syncwarp(); // all lanes' times before the word that announces them
        if (m_lane == 0)
            DeviceAtomic<unsigned>(m_march.progress[m_tileV * m_tiling.acrossU + m_tileU])
                .store(state(changedLanes), cuda::memory_order_release);
        sendEdges(changedLanes);
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
            changedLanes |= updateRow(medium, t, v, now, largest);
            if (divided && v == 0)
                m_edges[0] = now;
            if (divided && v + 1 == m_march.rows)
                m_edges[1] = now;
        }
        m_knowsEdges = true;
        return changedLanes;
    }

    template <typename Medium>
    __device__ unsigned updateRow(const Medium &medium, const T (&t)[9], int v, T &time,
                                  T &largest) const
    {
        const T old = time;
        const bool inside = m_u < m_march.width;
        const std::ptrdiff_t offset = nodeOffset(v);
        if (inside && m_plane + 1 < m_march.planes)
            prefetch(m_march.times + offset + m_march.planeStride);
        T earliest = t[0];
        for (int i = 1; i < 9; ++i)
            earliest = DeviceMath<T>::min(earliest, t[i]);
        const bool mayChange = inside && medium.noEarlierThan(earliest) < old;
        if (!__any_sync(allLanes, mayChange))
            return 0;
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

/// Of the whole warp, into the sweep's report; that anything changed, into all devices'.
template <typename T>
__device__ void report(T largest, const MarchPlanes<T> &planes)
{
    for (int lanes = 16; lanes > 0; lanes /= 2)
        largest = DeviceMath<T>::max(largest, __shfl_xor_sync(allLanes, largest, lanes));
    if (threadIdx.x % 32 != 0 || !(largest > 0))
        return;
    atomicMax(&planes.outcome->largestChange,
              static_cast<unsigned long long>(
                  __double_as_longlong(static_cast<double>(largest)))); // positive: ordered as bits
    const int before = atomicMax(&planes.outcome->lastChange, planes.subSweep);
    for (int i = 0; before < planes.subSweep && i < planes.otherCount; ++i)
        SystemAtomic<int>(planes.others[i]->lastChange) // all write the same in a sub-sweep
            .store(planes.subSweep, cuda::memory_order_relaxed);
}

template <typename T, typename Medium, bool divided>
__global__ void __launch_bounds__(32 * warpsPerBlock, sizeof(T) == 8 ? 4 : 6)
    marchKernel(const __grid_constant__ MarchPlanes<T> planes,
                const __grid_constant__ Medium medium, const __grid_constant__ Tiling tiling,
                const PlaneRange range)
{
    const int since =
        DeviceAtomic<int>(planes.outcome->lastChange).load(cuda::memory_order_relaxed);
    if (planes.skips && since <= planes.subSweep - subSweepsPerSweep)
        return; // all warps see the same: no one changes anything then
    const int warps = static_cast<int>(gridDim.x) * warpsPerBlock;
    const int warp = static_cast<int>(blockIdx.x * warpsPerBlock + threadIdx.x / 32);
    T largest = 0;
    if (divided && range.first == 1) {
        for (int tile = warp; tile < tiling.count(); tile += warps)
            TileStep<T, divided>(planes, tiling, tile, 0).sendGiven();
    }
    for (int plane = range.first; plane < range.end; ++plane) {
        for (int tile = warp; tile < tiling.count(); tile += warps) {
            TileStep<T, divided> step(planes, tiling, tile, plane);
            largest = DeviceMath<T>::max(largest, step.run(medium));
            if (divided && __any_sync(allLanes, step.isAbandoned()))
                return;
        }
    }
    report(largest, planes);
}

/// Blocks of a kernel that fit on the device at the same time; found once for each device.
template <typename Kernel>
int residentBlocks(Kernel kernel)
{
    static OncePerDevice blocks; // one for each type of kernel, which says it all here
    return blocks([kernel] {
        int perMultiprocessor = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor, kernel,
                                                            32 * warpsPerBlock, 0),
              "tell how many blocks fit");
        return perMultiprocessor * deviceAttribute(cudaDevAttrMultiProcessorCount);
    });
}

template <bool divided, typename T, typename Medium>
void launch(const MarchPlanes<T> &planes, const Medium &medium, const MarchLaunch &how,
            cudaStream_t stream)
{
    const auto kernel = marchKernel<T, Medium, divided>;
    const int resident = std::max(residentBlocks(kernel) / how.parts, 1);
    const Tiling tiling = !divided && how.rowsOfTile > 0
                              ? Tiling(planes.width, planes.rows, how.rowsOfTile)
                              : tilingFor(planes.width, planes.rows, resident * warpsPerBlock);
    const int wanted = (tiling.count() + warpsPerBlock - 1) / warpsPerBlock;
    if (how.perPlane || deviceAttribute(cudaDevAttrCooperativeLaunch) == 0) {
        for (int plane = 1; plane < planes.planes; ++plane)
            kernel<<<divided ? std::min(wanted, resident) : wanted, 32 * warpsPerBlock, 0,
                     stream>>>(planes, medium, tiling, PlaneRange{plane, plane + 1});
        checkLaunch("march through the planes");
        return;
    }
    PlaneRange range{1, planes.planes};
    const dim3 blocks(static_cast<unsigned>(std::min(wanted, resident)));
    const dim3 threads(32 * warpsPerBlock);
    if (how.parts
        > 1) { // all parts' blocks are resident, and a cooperative launch may want to be alone
        kernel<<<blocks, threads, 0, stream>>>(planes, medium, tiling, range);
        checkLaunch("march through the planes");
        return;
    }
    void *arguments[] = {const_cast<MarchPlanes<T> *>(&planes), const_cast<Medium *>(&medium),
                         const_cast<Tiling *>(&tiling), &range};
    // Cooperative: tiles wait for each other, so all blocks must be resident.
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(kernel), blocks, threads,
                                      arguments, 0, stream),
          "march through the planes");
}

} // namespace

std::size_t maxTiles(std::size_t width, std::size_t rows)
{
    return (width + tileWidth - 1) / tileWidth * rows;
}

template <typename T>
void march(const MarchPlanes<T> &planes, const MarchMedium<T> &medium, const MarchLaunch &how,
           cudaStream_t stream)
{
    if (planes.planes < 2)
        return;
    const auto &c = planes.coefficients;
    const auto go = [&](const auto &kind) {
        if (planes.otherCount > 0)
            launch<true>(planes, kind, how, stream);
        else
            launch<false>(planes, kind, how, stream);
    };
    using Math = DeviceMath<T>;
    const T *a = medium.direction.data();
    if (!medium.anisotropic && !c[0])
        go(solvers::plain::ConstantIsotropicMedium<Math>(medium.constant[0]));
    else if (!medium.anisotropic)
        go(solvers::plain::VaryingIsotropicMedium<Math>(c[0]));
    else if (!c[0])
        go(solvers::plain::ConstantAnisotropicMedium<Math>(medium.constant[0], medium.constant[1],
                                                           a));
    else
        go(solvers::plain::VaryingAnisotropicMedium<Math>(c[0], c[1], a));
}

template void march<float>(const MarchPlanes<float> &, const MarchMedium<float> &,
                           const MarchLaunch &, cudaStream_t);
template void march<double>(const MarchPlanes<double> &, const MarchMedium<double> &,
                            const MarchLaunch &, cudaStream_t);

} // namespace gridhelm::gpu
