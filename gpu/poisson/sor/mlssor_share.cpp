// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/sor/mlssor_share.h"

#include "gpu/poisson/sor/source_in_view.h"
#include "gpu/support/on_gpu.h"

#include <algorithm>

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
void MlssorShare<T>::end(cudaStream_t stream)
{
    const OnGpu scope(this->gpu());
    m_end.record(m_stream);
    check(cudaStreamWaitEvent(stream, m_end), "wait for an event");
}

template <typename T>
void MlssorShare<T>::relax(int ty, T w)
{
    const OnGpu scope(this->gpu());
    m_tiles.relax(ty, m_own, this->grid(), this->origin(m_values), w, m_stream);
    auto &to = sendsUp(ty) ? m_upper : m_lower;
    if (to.share == nullptr)
        return;
    const auto rows = sent(ty);
    if (rows.first < rows.end)
        to.copy->enqueue(row(rows.first), to.share->row(rows.first),
                         static_cast<std::size_t>(rows.end - rows.first)
                             * static_cast<std::size_t>(this->layerStride()) * sizeof(T),
                         m_stream);
    m_sent[static_cast<std::size_t>(ty)].record(m_stream);
}

template <typename T>
void MlssorShare<T>::await(int ty)
{
    const auto *from = sendsUp(ty) ? m_lower.share : m_upper.share;
    if (from != nullptr)
        m_stream.waitFor(from->m_sent[static_cast<std::size_t>(ty)]);
}

template <typename T>
LayerRange MlssorShare<T>::sent(int ty) const
{
    const auto begin = static_cast<int>(this->slab().begin);
    const auto end = static_cast<int>(this->slab().end);
    const int K = m_tiles.layers();
    LayerRange rows;
    if (sendsUp(ty))
        rows = ty == 0 ? LayerRange{end - K, end} : LayerRange{end - 1, end + K - 1};
    else
        rows = ty == 0 ? LayerRange{begin, begin + K} : LayerRange{begin - K + 1, begin + 1};
    return {rows.first, std::min(rows.end, static_cast<int>(this->slab().of))};
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
