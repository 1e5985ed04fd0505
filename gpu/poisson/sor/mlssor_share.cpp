// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/sor/mlssor_share.h"

#include "gpu/poisson/sor/source_in_view.h"
#include "gpu/support/on_gpu.h"

#include <algorithm>
#include <utility>

namespace gridhelm::gpu::sor {

using solvers::MlssorShape;
using solvers::PoissonProblem;
using solvers::Slab;
using solvers::SweepDirection;

template <typename T>
MlssorShare<T>::MlssorShare(const PoissonProblem &whole, const Slab &slab, const GpuDevice &gpu,
                            const MlssorShape &shape, SweepDirection direction)
    : MlssorShare(whole, slab, gpu, shape, direction, withoutSource(gridViewOf<T>(whole)))
{
}

template <typename T>
MlssorShare<T>::MlssorShare(const PoissonProblem &whole, const Slab &slab, const GpuDevice &gpu,
                            const MlssorShape &shape, SweepDirection direction,
                            const GridView<T> &grid)
    : CudaSlab<T>(grid, slab, gpu, shape.layers)
    , m_spacing(whole.spacing)
    , m_tiles(whole, shape, direction)
    , m_own{static_cast<int>(slab.begin / shape.width),
            static_cast<int>((slab.end + shape.width - 1) / shape.width)}
    , m_values(this->makeValues(grid, m_stream))
    , m_residual(grid, slab)
{
}

template <typename T>
void MlssorShare<T>::connect(MlssorShare &lower, MlssorShare &upper, PeerRoute route)
{
    const auto bytes = lower.bytesOfHalo();
    lower.m_upper.connect(lower, upper, bytes, route);
    upper.m_lower.connect(upper, lower, bytes, route);
}

template <typename T>
void MlssorShare<T>::connect(const std::shared_ptr<Ranks> &ranks, std::shared_ptr<NcclLink> link)
{
    m_link = std::move(link);
    m_rank = ranks->number();
    const auto layer = bytesOf({0, 1});
    const LayerRows rows{1, layer, layer};
    if (!m_link && slab().hasLower())
        m_lowerRank.emplace(ranks, m_rank - 1, rows, this->haloLayers());
    if (!m_link && slab().hasUpper())
        m_upperRank.emplace(ranks, m_rank + 1, rows, this->haloLayers());
    // The first messages, of values that are set before the first sweep, take as long as
    // connecting.
    for (int ty : {0, 1}) {
        sendThroughHost(ty);
        exchange(ty);
    }
    settle();
    m_stream.wait("connect with other processes");
}

template <typename T>
void MlssorShare<T>::end(cudaStream_t stream)
{
    const OnGpu scope(this->gpu());
    m_end.record(m_stream);
    check(cudaStreamWaitEvent(stream, m_end), "wait for an event");
    settle();
}

template <typename T>
void MlssorShare<T>::settle()
{
    for (auto *border : {&m_lowerRank, &m_upperRank}) {
        if (*border)
            (*border)->settle();
    }
}

template <typename T>
void MlssorShare<T>::relax(int ty, T w)
{
    const OnGpu scope(this->gpu());
    m_tiles.relax(ty, m_own, this->grid(), this->origin(m_values), w, m_stream);
    sendThroughHost(ty);
    auto &to = sendsUp(ty) ? m_upper : m_lower;
    if (to.share == nullptr)
        return;
    const auto rows = rowsOut(ty);
    if (rows.first < rows.end)
        to.copy->enqueue(row(rows.first), to.share->row(rows.first), bytesOf(rows), m_stream);
    m_sent[static_cast<std::size_t>(ty)].record(m_stream);
}

template <typename T>
void MlssorShare<T>::sendThroughHost(int ty)
{
    auto &to = sendsUp(ty) ? m_upperRank : m_lowerRank;
    if (!to)
        return;
    const auto rows = rowsOut(ty);
    to->enqueueEdge(row(rows.first), layersOf(rows), m_stream);
}

template <typename T>
void MlssorShare<T>::await(int ty)
{
    const auto *from = sendsUp(ty) ? m_lower.share : m_upper.share;
    if (from != nullptr)
        m_stream.waitFor(from->m_sent[static_cast<std::size_t>(ty)]);
    exchange(ty);
}

template <typename T>
void MlssorShare<T>::exchange(int ty)
{
    if (!m_link && !m_lowerRank && !m_upperRank)
        return;
    const bool up = sendsUp(ty);
    const bool sends = up ? slab().hasUpper() : slab().hasLower();
    const bool receives = up ? slab().hasLower() : slab().hasUpper();
    const auto out = rowsOut(ty);
    const auto in = sent(ty, up ? slab().begin : slab().end);
    const OnGpu scope(this->gpu());
    if (m_link) {
        m_link->together([&] {
            if (sends)
                m_link->send(m_rank + (up ? 1 : -1), row(out.first), bytesOf(out), m_stream);
            if (receives)
                m_link->receive(m_rank + (up ? -1 : 1), row(in.first), bytesOf(in), m_stream);
        });
        return;
    }
    auto &to = up ? m_upperRank : m_lowerRank;
    auto &from = up ? m_lowerRank : m_upperRank;
    if (to)
        to->send();
    if (from) {
        from->receive(layersOf(in));
        from->end(row(in.first), m_stream);
    }
}

template <typename T>
LayerRange MlssorShare<T>::sent(int ty, std::size_t border) const
{
    const auto at = static_cast<int>(border);
    const int K = m_tiles.layers();
    LayerRange rows;
    if (sendsUp(ty))
        rows = ty == 0 ? LayerRange{at - K, at} : LayerRange{at - 1, at + K - 1};
    else
        rows = ty == 0 ? LayerRange{at, at + K} : LayerRange{at - K + 1, at + 1};
    return {rows.first, std::min(rows.end, static_cast<int>(this->slab().of))};
}

template <typename T>
std::size_t MlssorShare<T>::layersOf(const LayerRange &rows)
{
    return static_cast<std::size_t>(std::max(rows.end - rows.first, 0));
}

template <typename T>
std::size_t MlssorShare<T>::bytesOf(const LayerRange &rows) const
{
    return layersOf(rows) * static_cast<std::size_t>(this->layerStride()) * sizeof(T);
}

template <typename T>
void MlssorShare<T>::setSides(const std::array<solvers::SideCondition, 6> &sides)
{
    gpu::setSides(this->grid(), sides, m_spacing);
}

template <typename T>
void MlssorShare<T>::setValues(std::span<const double> whole)
{
    const OnGpu scope(this->gpu());
    this->assign(m_values, whole, 1, m_stream);
}

template <typename T>
void MlssorShare<T>::setScaledSource(std::span<const double> whole)
{
    const OnGpu scope(this->gpu());
    this->grid().source = nullptr;
    if (takesAsSpike(this->grid(), whole))
        return;
    if (m_source.isEmpty())
        m_source = this->makeValues(this->grid(), m_stream);
    this->assign(m_source, whole, 1, m_stream);
    this->grid().source = this->origin(m_source);
}

template <typename T>
void MlssorShare<T>::copyValues(std::span<T> values) const
{
    const OnGpu scope(this->gpu());
    m_values.copyTo(values, m_stream, this->rowsBeforeSlab());
}

template <typename T>
void MlssorShare<T>::findResiduals(PeerCopy &copy, double *blockSums)
{
    const OnGpu scope(this->gpu());
    m_residual.find(this->grid(), this->origin(m_values), copy, blockSums, m_stream);
}

template class MlssorShare<float>;
template class MlssorShare<double>;

} // namespace gridhelm::gpu::sor
