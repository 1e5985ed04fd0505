// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/cuda_share.h"

#include "gpu/support/on_gpu.h"

#include <algorithm>
#include <utility>

namespace gridhelm::gpu {

template <typename T>
CudaShare<T>::CudaShare(const GridView<T> &grid, const solvers::Slab &slab, std::size_t thickness,
                        const GpuDevice &gpu, std::size_t haloLayers)
    : Share(slab)
    , CudaSlab<T>(grid, slab, gpu, haloLayers)
    , m_own{static_cast<int>(slab.begin / thickness),
            static_cast<int>((slab.end + thickness - 1) / thickness)}
    , m_values{this->makeValues(grid, m_edges), this->makeValues(grid, m_edges)}
{
}

template <typename T>
std::size_t CudaShare<T>::layersSent() const
{
    return std::min(this->haloLayers(), slab().size());
}

template <typename T>
void CudaShare<T>::connect(CudaShare &lower, CudaShare &upper, PeerRoute route)
{
    const auto bytes = lower.bytesOfHalo();
    lower.m_upper.connect(lower, upper, bytes, route);
    upper.m_lower.connect(upper, lower, bytes, route);
}

template <typename T>
void CudaShare<T>::connect(const std::shared_ptr<Ranks> &ranks, std::shared_ptr<NcclLink> link)
{
    m_link = std::move(link);
    m_rank = ranks->number();
    if (!m_link && slab().hasLower())
        m_lowerRank.emplace(ranks, m_rank - 1, wholeLayers(), this->haloLayers());
    if (!m_link && slab().hasUpper())
        m_upperRank.emplace(ranks, m_rank + 1, wholeLayers(), this->haloLayers());
    // The first message, of values that the first update writes anew, takes as long as connecting.
    sendEdges();
    exchangeThroughHost(1 - m_turn);
    m_edges.wait("connect with other processes");
}

template <typename T>
void CudaShare<T>::connectUpper(const std::shared_ptr<Messages> &messages, int party)
{
    const OnGpu scope(gpu());
    m_upperRank.emplace(messages, party, packedLayers(), this->haloLayers());
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
    const OnGpu scope(gpu());
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
    exchangeThroughHost(m_turn);
}

template <typename T>
std::size_t CudaShare<T>::layersFromAbove() const
{
    return std::min(this->haloLayers(), slab().of - slab().end);
}

template <typename T>
void CudaShare<T>::exchangeByLink()
{
    if (!m_link)
        return;
    const auto next = 1 - m_turn;
    const auto sent = bytesOf(layersSent());
    const auto halo = this->haloLayers();
    m_link->together([&] {
        if (slab().hasLower()) {
            m_link->send(m_rank - 1, layer(next, slab().begin), sent, m_edges);
            m_link->receive(m_rank - 1, layer(next, slab().begin - halo), bytesOf(halo), m_edges);
        }
        if (slab().hasUpper()) {
            m_link->send(m_rank + 1, layer(next, slab().end - layersSent()), sent, m_edges);
            m_link->receive(m_rank + 1, layer(next, slab().end), bytesOf(layersFromAbove()),
                            m_edges);
        }
    });
}

template <typename T>
void CudaShare<T>::exchangeThroughHost(std::size_t turn)
{
    if (!m_lowerRank && !m_upperRank)
        return;
    const OnGpu scope(gpu());
    if (m_lowerRank) {
        m_lowerRank->send();
        m_lowerRank->receive(this->haloLayers());
    }
    if (m_upperRank) {
        m_upperRank->send();
        m_upperRank->receive(layersFromAbove());
    }
    if (m_lowerRank)
        m_lowerRank->end(layer(turn, slab().begin - this->haloLayers()), m_edges);
    if (m_upperRank)
        m_upperRank->end(layer(turn, slab().end), m_edges);
}

template <typename T>
std::optional<ShareTimes> CudaShare<T>::sampledTimes() const
{
    const OnGpu scope(gpu());
    return m_sample.times();
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
    const OnGpu scope(gpu());
    m_sample.edgesBegin(m_edges);
    const bool hasLower = slab().hasLower();
    const int last = m_own.end - 1;
    if (hasLower)
        launch({m_own.first, m_own.first + 1}, examines, m_edges);
    if (slab().hasUpper() && !(hasLower && last == m_own.first))
        launch({last, last + 1}, examines, m_edges);
    m_sample.edgesUpdated(m_edges);
    m_edgesUpdated[m_turn].record(m_edges);
}

template <typename T>
void CudaShare<T>::sendEdges()
{
    const OnGpu scope(gpu());
    send(m_lower, slab().begin);
    send(m_upper, slab().end - layersSent());
    exchangeByLink();
    send(m_lowerRank, slab().begin);
    send(m_upperRank, slab().end - layersSent());
    m_sample.edgesSent(m_edges);
    m_edgesSent[m_turn].record(m_edges);
}

template <typename T>
void CudaShare<T>::updateInterior(bool examines)
{
    const OnGpu scope(gpu());
    const TileRange interior{m_own.first + (slab().hasLower() ? 1 : 0),
                             m_own.end - (slab().hasUpper() ? 1 : 0)};
    m_sample.interiorBegins(m_interior);
    if (interior.first < interior.end)
        launch(interior, examines, m_interior);
    m_sample.interiorUpdated(m_interior);
    m_interiorUpdated[m_turn].record(m_interior);
}

template <typename T>
T *CudaShare<T>::layer(std::size_t turn, std::size_t index) const
{
    return this->origin(m_values[turn]) + static_cast<std::ptrdiff_t>(index) * this->layerStride();
}

/// Layers of the next values from `first` on, into the halo of a neighbour, which takes the same
/// turns.
template <typename T>
void CudaShare<T>::send(Neighbour<CudaShare> &neighbour, std::size_t first)
{
    if (neighbour.share == nullptr)
        return;
    neighbour.copy->enqueue(layer(1 - m_turn, first), neighbour.share->layer(1 - m_turn, first),
                            bytesOf(layersSent()), m_edges);
}

template <typename T>
void CudaShare<T>::send(std::optional<RankBorder> &border, std::size_t first)
{
    if (border)
        border->enqueueEdge(layer(1 - m_turn, first), layersSent(), m_edges);
}

template <typename T>
std::size_t CudaShare<T>::bytesOf(std::size_t layers) const
{
    return layers * static_cast<std::size_t>(this->layerStride()) * sizeof(T);
}

template <typename T>
LayerRows CudaShare<T>::packedLayers() const
{
    const auto &grid = this->grid();
    return {grid.is3D ? static_cast<std::size_t>(grid.ny) : 1,
            static_cast<std::size_t>(grid.nx) * sizeof(T),
            static_cast<std::size_t>(grid.rowStride) * sizeof(T)};
}

template class CudaShare<float>;
template class CudaShare<double>;

} // namespace gridhelm::gpu
