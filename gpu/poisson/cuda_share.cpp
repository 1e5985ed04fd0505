// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/cuda_share.h"

#include "gpu/support/on_gpu.h"

#include <algorithm>

namespace gridhelm::gpu {

template <typename T>
CudaShare<T>::CudaShare(const GridView<T> &grid, const solvers::Slab &slab, std::size_t thickness,
                        const GpuDevice &gpu, std::size_t haloLayers)
    : Share(slab)
    , m_gpu(gpu)
    , m_grid(grid)
    , m_haloLayers(haloLayers)
    , m_own{static_cast<int>(slab.begin / thickness),
            static_cast<int>((slab.end + thickness - 1) / thickness)}
    , m_layerStride(grid.is3D ? grid.planeStride : grid.rowStride)
    , m_values{makeValues(grid), makeValues(grid)}
{
}

template <typename T>
DeviceValues<T> CudaShare<T>::makeValues(GridView<T> grid) const
{
    (grid.is3D ? grid.nz : grid.ny) = static_cast<int>(slab().size() + 2 * m_haloLayers);
    return DeviceValues<T>(grid, m_edges);
}

template <typename T>
std::size_t CudaShare<T>::rowsOfLayer() const
{
    return m_grid.is3D ? static_cast<std::size_t>(m_grid.ny) : 1;
}

template <typename T>
void CudaShare<T>::assign(DeviceValues<T> &values, std::span<const double> whole,
                          double factor) const
{
    const auto layer = rowsOfLayer() * static_cast<std::size_t>(m_grid.nx);
    const auto part = withHalos();
    values.assign(whole.subspan(part.begin * layer, part.size() * layer), factor, m_edges,
                  rowsBeforeHalos());
}

template <typename T>
solvers::Slab CudaShare<T>::withHalos() const
{
    return solvers::widened(slab(), m_haloLayers);
}

template <typename T>
std::size_t CudaShare<T>::layersSent() const
{
    return std::min(m_haloLayers, slab().size());
}

template <typename T>
void CudaShare<T>::connect(CudaShare &lower, CudaShare &upper, PeerRoute route)
{
    const auto bytes =
        lower.m_haloLayers * static_cast<std::size_t>(lower.m_layerStride) * sizeof(T);
    lower.m_upper.share = &upper;
    lower.m_upper.copy.emplace(lower.m_gpu, upper.m_gpu, bytes, route);
    upper.m_lower.share = &lower;
    upper.m_lower.copy.emplace(upper.m_gpu, lower.m_gpu, bytes, route);
}

template <typename T>
void CudaShare<T>::begin(const Event &event)
{
    m_edges.waitFor(event);
    m_interior.waitFor(event);
    m_begins = true;
}

template <typename T>
void CudaShare<T>::end(cudaStream_t stream)
{
    const OnGpu scope(m_gpu);
    m_edgesEnd.record(m_edges);
    m_interiorEnd.record(m_interior);
    for (const cudaEvent_t event : {cudaEvent_t(m_edgesEnd), cudaEvent_t(m_interiorEnd)})
        check(cudaStreamWaitEvent(stream, event), "wait for an event");
}

template <typename T>
void CudaShare<T>::turn()
{
    m_turn = 1 - m_turn;
    m_begins = false;
}

template <typename T>
void CudaShare<T>::waitUntilIdle() const noexcept
{
    cudaStreamSynchronize(m_edges);
    cudaStreamSynchronize(m_interior);
}

/// The edges need the neighbours' edges and the interior beside them of the iteration before; the
/// interior needs the edges. Both write where the other one has read in that iteration.
template <typename T>
void CudaShare<T>::awaitEdges()
{
    if (m_begins)
        return;
    for (const auto *neighbour : {&m_lower, &m_upper}) {
        if (neighbour->share != nullptr)
            m_edges.waitFor(neighbour->share->m_edgesSent[before()]);
    }
    m_edges.waitFor(m_interiorUpdated[before()]);
    m_interior.waitFor(m_edgesUpdated[before()]);
}

template <typename T>
void CudaShare<T>::updateEdges(bool examines)
{
    const OnGpu scope(m_gpu);
    const bool hasLower = m_lower.share != nullptr;
    const int last = m_own.end - 1;
    if (hasLower)
        launch({m_own.first, m_own.first + 1}, examines, m_edges);
    if (m_upper.share != nullptr && !(hasLower && last == m_own.first))
        launch({last, last + 1}, examines, m_edges);
    m_edgesUpdated[m_turn].record(m_edges);
}

template <typename T>
void CudaShare<T>::sendEdges()
{
    const OnGpu scope(m_gpu);
    send(m_lower, slab().begin);
    send(m_upper, slab().end - layersSent());
    m_edgesSent[m_turn].record(m_edges);
}

template <typename T>
void CudaShare<T>::updateInterior(bool examines)
{
    const OnGpu scope(m_gpu);
    const TileRange interior{m_own.first + (m_lower.share != nullptr ? 1 : 0),
                             m_own.end - (m_upper.share != nullptr ? 1 : 0)};
    if (interior.first < interior.end)
        launch(interior, examines, m_interior);
    m_interiorUpdated[m_turn].record(m_interior);
}

template <typename T>
T *CudaShare<T>::origin(const DeviceValues<T> &values, std::ptrdiff_t layerStride) const
{
    return values.data()
           + (static_cast<std::ptrdiff_t>(m_haloLayers) - static_cast<std::ptrdiff_t>(slab().begin))
                 * layerStride;
}

template <typename T>
T *CudaShare<T>::layer(std::size_t turn, std::size_t index) const
{
    return origin(m_values[turn]) + static_cast<std::ptrdiff_t>(index) * m_layerStride;
}

/// Layers of the next values from `first` on, into the halo of a neighbour, which takes the same
/// turns.
template <typename T>
void CudaShare<T>::send(Neighbour &neighbour, std::size_t first)
{
    if (neighbour.share == nullptr)
        return;
    neighbour.copy->enqueue(layer(1 - m_turn, first), neighbour.share->layer(1 - m_turn, first),
                            layersSent() * static_cast<std::size_t>(m_layerStride) * sizeof(T),
                            m_edges);
}

template class CudaShare<float>;
template class CudaShare<double>;

} // namespace gridhelm::gpu
