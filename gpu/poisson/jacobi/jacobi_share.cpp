// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/jacobi/jacobi_share.h"

#include "gpu/support/on_gpu.h"

namespace gridhelm::gpu::jacobi {

using solvers::PoissonProblem;
using solvers::Slab;

template <typename T>
JacobiShare<T>::JacobiShare(const PoissonProblem &whole, const Slab &slab, const GpuDevice &gpu)
    : JacobiShare(whole, slab, gpu, gridViewOf<T>(whole))
{
}

template <typename T>
JacobiShare<T>::JacobiShare(const PoissonProblem &whole, const Slab &slab, const GpuDevice &gpu,
                            const GridView<T> &grid)
    : CudaShare<T>(grid, slab, tunedTiles(grid).thickness, gpu)
    , m_tiles(tunedTiles(grid))
    , m_blockSums(static_cast<std::size_t>(this->own().end - this->own().first) * m_tiles.blocks)
{
    if (whole.initialGuess)
        this->assign(this->values(0), *whole.initialGuess, 1);
    if (grid.spikeX < 0) {
        if (const auto f = solvers::sampleSource(whole, slab); !f.empty()) {
            m_source = this->makeValues(grid);
            m_source.assign(f, whole.spacing * whole.spacing, this->edges(), this->rowsOfLayer());
            this->grid().source = this->origin(m_source);
        }
    }
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
void JacobiShare<T>::returnFound(PeerCopy &copy, double *blockSums, double *largestChange)
{
    const OnGpu scope(this->gpu());
    this->joinEdges();
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
    this->present().copyTo(values, this->edges(), this->rowsOfLayer());
}

template <typename T>
void JacobiShare<T>::launch(TileRange tiles, bool examines, const Stream &stream)
{
    const auto skipped = static_cast<std::size_t>(tiles.first - this->own().first) * m_tiles.blocks;
    const ReductionSlots slots{m_blockSums.data() + skipped, m_largest.data()};
    iterateTunedTiles(this->grid(), tiles, this->origin(this->present()),
                      this->origin(this->next()), examines ? &slots : nullptr, stream);
}

template class JacobiShare<float>;
template class JacobiShare<double>;

} // namespace gridhelm::gpu::jacobi
