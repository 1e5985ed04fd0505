// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/jacobi/jacobi_share.h"

#include "gpu/support/on_gpu.h"

#include <algorithm>

namespace gridhelm::gpu::jacobi {

using solvers::PoissonProblem;
using solvers::Slab;

template <typename T>
JacobiShare<T>::JacobiShare(const PoissonProblem &whole, const Slab &slab, const GpuDevice &gpu,
                            const Updates &updates)
    : JacobiShare(whole, slab, gpu, updates, gridViewOf<T>(whole))
{
}

template <typename T>
JacobiShare<T>::JacobiShare(const PoissonProblem &whole, const Slab &slab, const GpuDevice &gpu,
                            const Updates &updates, const GridView<T> &grid)
    : CudaShare<T>(grid, slab, updates.thickness(grid), gpu,
                   static_cast<std::size_t>(updates.mostDepth))
    , m_thickness(static_cast<int>(updates.thickness(grid)))
    , m_async(updates.async)
    , m_tiles(tunedTiles(grid))
    , m_blockSums((slab.size() + m_tiles.thickness - 1) / m_tiles.thickness * m_tiles.blocks)
{
    if (whole.initialGuess)
        this->assign(this->values(0), *whole.initialGuess, 1, this->edges());
    if (grid.spikeX < 0) {
        if (const auto f = solvers::sampleSource(whole, this->withHalos()); !f.empty()) {
            m_source = this->makeValues(grid, this->edges());
            m_source.assign(f, whole.spacing * whole.spacing, this->edges(),
                            this->rowsBeforeHalos());
            this->grid().source = this->origin(m_source);
        }
    }
    if (m_async)
        m_fringes.emplace(grid,
                          LayerRange{static_cast<int>(slab.begin), static_cast<int>(slab.end)},
                          this->origin(this->values(0)), this->edges());
    this->edges().wait("take the values");
}

template <typename T>
void JacobiShare<T>::clearChange()
{
    const OnGpu scope(this->gpu());
    check(cudaMemsetAsync(m_largest.data(), 0, m_largest.bytes(), this->edges()),
          "clear its memory");
    m_cleared.record(this->edges());
    this->interior().waitFor(m_cleared);
}

template <typename T>
void JacobiShare<T>::squareResiduals()
{
    const OnGpu scope(this->gpu());
    const auto tile = m_tiles.thickness;
    const auto &slab = this->slab();
    const TileRange tiles{static_cast<int>(slab.begin / tile),
                          static_cast<int>((slab.end + tile - 1) / tile)};
    const ReductionSlots slots{m_blockSums.data(), m_largest.data()};
    iterateTunedTiles<T>(this->grid(), tiles, this->origin(this->present()), nullptr, &slots,
                         this->interior());
}

template <typename T>
void JacobiShare<T>::returnFound(PeerCopy &copy, double *blockSums, double *largestChange)
{
    const OnGpu scope(this->gpu());
    this->joinEdges(); // of this update, or of the last one
    if (blockSums != nullptr)
        copy.enqueue(m_blockSums.data(), blockSums, m_blockSums.bytes(), this->interior());
    check(cudaMemcpyAsync(largestChange, m_largest.data(), sizeof(double), cudaMemcpyDeviceToHost,
                          this->interior()),
          "return the largest change");
}

template <typename T>
void JacobiShare<T>::copyValues(std::span<T> values) const
{
    const OnGpu scope(this->gpu());
    this->present().copyTo(values, this->edges(), this->rowsBeforeSlab());
}

template <typename T>
void JacobiShare<T>::launch(TileRange tiles, bool examines, const Stream &stream)
{
    const auto first = static_cast<int>(this->slab().begin);
    const LayerRange layers{tiles.first * m_thickness,
                            std::min(tiles.end * m_thickness, static_cast<int>(this->slab().end))};
    if (m_alpha) {
        launchAsyncTiles(layers, stream);
        return;
    }
    const T *from = this->origin(this->present());
    T *to = this->origin(this->next());
    if (m_depth > 1) {
        const ReductionSlots slots{nullptr, m_largest.data()}; // of an iteration alone a residual
        iterateTemporalRows(this->grid(), layers, m_depth, from, to, examines ? &slots : nullptr,
                            stream);
        return;
    }
    const int rows = static_cast<int>(m_tiles.thickness);
    const auto skipped = static_cast<std::size_t>((layers.first - first) / rows) * m_tiles.blocks;
    const ReductionSlots slots{m_blockSums.data() + skipped, m_largest.data()};
    iterateTunedTiles(this->grid(), {layers.first / rows, (layers.end + rows - 1) / rows}, from, to,
                      examines ? &slots : nullptr, stream);
}

template <typename T>
void JacobiShare<T>::launchAsyncTiles(LayerRange rows, const Stream &stream)
{
    auto choice = *m_async;
    choice.alpha = *m_alpha;
    const TileRange tiles{rows.first / choice.tileRows,
                          (rows.end + choice.tileRows - 1) / choice.tileRows};
    launchAsync(this->grid(), tiles, choice, *m_fringes, this->origin(this->present()),
                this->origin(this->next()), stream);
}

template class JacobiShare<float>;
template class JacobiShare<double>;

} // namespace gridhelm::gpu::jacobi
