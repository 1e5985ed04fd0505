// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/poisson/cuda_share.h"
#include "gpu/poisson/jacobi/kernels.h"

namespace gridhelm::gpu::jacobi {

/// One GPU's slab in Jacobi's iteration: whole tiles of iterateTuned(), and of as many rows as an
/// update may do iterations (in 2D more than 1, as temporal does them).
template <typename T>
class JacobiShare final : public CudaShare<T>
{
public:
    /// Made while the GPU is current; waits for the values.
    JacobiShare(const solvers::PoissonProblem &whole, const solvers::Slab &slab,
                const GpuDevice &gpu, int mostDepth);
    /// Rows (2D) or planes (3D) that slabs begin at multiples of.
    static std::size_t thickness(const GridView<T> &grid, int mostDepth);

    /// Iterations of the updates from here on, as from passDepth().
    void setDepth(int depth) { m_depth = depth; }

    /// Between begin() and an update that examines.
    void clearChange();
    /// After it: the squared residuals of its blocks, and the largest change, which is left in
    /// pinned memory.
    void returnFound(PeerCopy &copy, double *blockSums, double *largestChange);
    std::size_t blocks() const { return m_blockSums.size(); }

    void copyValues(std::span<T> values) const; ///< of the slab; waits
    void setParameters(const solvers::PoissonProblem &whole)
    {
        gpu::setParameters(this->grid(), whole);
    }

protected:
    void launch(TileRange tiles, bool examines, const Stream &stream) override;

private:
    JacobiShare(const solvers::PoissonProblem &whole, const solvers::Slab &slab,
                const GpuDevice &gpu, int mostDepth, const GridView<T> &grid);

    int m_thickness; ///< rows or planes of a tile
    int m_depth = 1;
    TunedTiles m_tiles;
    DeviceValues<T> m_source;
    DeviceBuffer<double> m_blockSums;
    DeviceBuffer<unsigned long long> m_largest{1};
    Event m_cleared = Event::untimed();
};

} // namespace gridhelm::gpu::jacobi
