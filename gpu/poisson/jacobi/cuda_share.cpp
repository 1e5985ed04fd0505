// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/jacobi/cuda_share.h"

#include "gpu/support/on_gpu.h"

#include <algorithm>

namespace gridhelm::gpu {
namespace {

using solvers::PoissonProblem;
using solvers::Slab;

/// As much memory as the slab and its two halos take.
template <typename T>
GridView<T> withHalos(GridView<T> grid, const Slab &slab)
{
    (grid.is3D ? grid.nz : grid.ny) = static_cast<int>(slab.size() + 2);
    return grid;
}

} // namespace

template <typename T>
CudaShare<T>::CudaShare(const PoissonProblem &whole, const Slab &slab, const GpuDevice &gpu)
    : Share(slab)
    , m_gpu(gpu)
    , m_grid(gridViewOf<T>(whole))
    , m_tiles(jacobi::tunedTiles(m_grid))
    , m_own{static_cast<int>(slab.begin / m_tiles.thickness),
            static_cast<int>((slab.end + m_tiles.thickness - 1) / m_tiles.thickness)}
    , m_layerStride(m_grid.is3D ? m_grid.planeStride : m_grid.rowStride)
    , m_values{DeviceValues<T>(withHalos(m_grid, slab), m_edges),
               DeviceValues<T>(withHalos(m_grid, slab), m_edges)}
    , m_blockSums(static_cast<std::size_t>(m_own.end - m_own.first) * m_tiles.blocks)
{
    const auto unknowns = solvers::unknownsOfLayer(whole);
    const auto rows = unknowns / whole.unknowns[0];
    if (whole.initialGuess) {
        const auto first = slab.begin - (slab.hasLower() ? 1 : 0);
        const auto end = slab.end + (slab.hasUpper() ? 1 : 0);
        const auto values = std::span<const double>(*whole.initialGuess)
                                .subspan(first * unknowns, (end - first) * unknowns);
        m_values[0].assign(values, 1, m_edges, slab.hasLower() ? 0 : rows);
    }
    if (m_grid.spikeX < 0) {
        if (const auto f = solvers::sampleSource(whole, slab); !f.empty()) {
            m_source = DeviceValues<T>(withHalos(m_grid, slab), m_edges);
            m_source.assign(f, whole.spacing * whole.spacing, m_edges, rows);
            m_grid.source = origin(m_source);
        }
    }
    m_edges.wait("take the values");
}

template <typename T>
void CudaShare<T>::connect(CudaShare &lower, CudaShare &upper, PeerRoute route)
{
    const auto bytes = static_cast<std::size_t>(lower.m_layerStride) * sizeof(T);
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
void CudaShare<T>::clearChange()
{
    const OnGpu scope(m_gpu);
    check(cudaMemsetAsync(m_largest.data(), 0, m_largest.bytes(), m_edges), "clear its memory");
    m_cleared.record(m_edges);
    m_interior.waitFor(m_cleared);
}

template <typename T>
void CudaShare<T>::returnFound(PeerCopy &copy, double *blockSums, double *largestChange)
{
    const OnGpu scope(m_gpu);
    m_interior.waitFor(m_edgesUpdated[m_turn]);
    if (blockSums != nullptr)
        copy.enqueue(m_blockSums.data(), blockSums, m_blockSums.bytes(), m_interior);
    check(cudaMemcpyAsync(largestChange, m_largest.data(), sizeof(double), cudaMemcpyDeviceToHost,
                          m_interior),
          "return the largest change");
}

template <typename T>
void CudaShare<T>::copyValues(std::span<T> values) const
{
    const OnGpu scope(m_gpu);
    const auto rows = m_grid.is3D ? static_cast<std::size_t>(m_grid.ny) : 1;
    m_values[m_turn].copyTo(values, m_edges, rows);
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
    send(m_upper, slab().end - 1);
    m_edgesSent[m_turn].record(m_edges);
}

template <typename T>
void CudaShare<T>::updateInterior(bool examines)
{
    const OnGpu scope(m_gpu);
    const jacobi::TileRange interior{m_own.first + (m_lower.share != nullptr ? 1 : 0),
                                     m_own.end - (m_upper.share != nullptr ? 1 : 0)};
    if (interior.first < interior.end)
        launch(interior, examines, m_interior);
    m_interiorUpdated[m_turn].record(m_interior);
}

template <typename T>
T *CudaShare<T>::origin(const DeviceValues<T> &values) const
{
    return values.data() + (1 - static_cast<std::ptrdiff_t>(slab().begin)) * m_layerStride;
}

template <typename T>
T *CudaShare<T>::layer(std::size_t turn, std::size_t index) const
{
    return origin(m_values[turn]) + static_cast<std::ptrdiff_t>(index) * m_layerStride;
}

template <typename T>
void CudaShare<T>::launch(jacobi::TileRange tiles, bool examines, const Stream &stream)
{
    const auto skipped = static_cast<std::size_t>(tiles.first - m_own.first) * m_tiles.blocks;
    const ReductionSlots slots{m_blockSums.data() + skipped, m_largest.data()};
    jacobi::iterateTunedTiles(m_grid, tiles, origin(m_values[m_turn]), origin(m_values[1 - m_turn]),
                              examines ? &slots : nullptr, stream);
}

/// A row or plane of the next values, into the halo of a neighbour, which takes the same turns.
template <typename T>
void CudaShare<T>::send(Neighbour &neighbour, std::size_t edge)
{
    if (neighbour.share == nullptr)
        return;
    neighbour.copy->enqueue(layer(1 - m_turn, edge), neighbour.share->layer(1 - m_turn, edge),
                            static_cast<std::size_t>(m_layerStride) * sizeof(T), m_edges);
}

template class CudaShare<float>;
template class CudaShare<double>;

} // namespace gridhelm::gpu
