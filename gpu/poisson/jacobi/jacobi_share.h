// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/poisson/cuda_share.h"
#include "gpu/poisson/jacobi/kernels.h"

#include <cstddef>
#include <numeric>
#include <optional>

namespace gridhelm::gpu::jacobi {

/// What updates of a share do.
struct Updates
{
    int mostDepth =
        1; ///< exact iterations of one at most: in 2D more than 1, as temporal does them
    std::optional<AsyncChoice> async = {}; ///< or a launch of asynchronous tiles, 2D

    /// Rows (2D) or planes (3D) that slabs begin at multiples of: whole tiles of iterateTuned(),
    /// and of as many rows as a pass has iterations, or an asynchronous tile has.
    template <typename T>
    std::size_t thickness(const GridView<T> &grid) const
    {
        const auto other = async ? async->tileRows : mostDepth;
        return std::lcm(tunedTiles(grid).thickness, static_cast<std::size_t>(other));
    }
};

/// One GPU's slab in Jacobi's iteration.
template <typename T>
class JacobiShare final : public CudaShare<T>
{
public:
    /// Made while the GPU is current; waits for the values.
    JacobiShare(const solvers::PoissonProblem &whole, const solvers::Slab &slab,
                const GpuDevice &gpu, const Updates &updates);

    /// Iterations of the updates from here on, as from passDepth().
    void setDepth(int depth)
    {
        m_depth = depth;
        m_alpha.reset();
    }
    /// They are launches of asynchronous tiles, with so many iterations before the closing one.
    void setAlpha(int alpha) { m_alpha = alpha; }

    /// Between begin() and an update that examines, or squareResiduals().
    void clearChange();
    /// Of the present values, which stay as they are; as an update that examines finds them.
    void squareResiduals();
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
                const GpuDevice &gpu, const Updates &updates, const GridView<T> &grid);

    void launchAsyncTiles(LayerRange rows, const Stream &stream);

    int m_thickness; ///< rows or planes of a tile
    int m_depth = 1;
    std::optional<int> m_alpha;         ///< none: exact iterations
    std::optional<AsyncChoice> m_async; ///< if such launches are asked for
    std::optional<Fringes<T>> m_fringes;
    TunedTiles m_tiles;
    DeviceValues<T> m_source;
    DeviceBuffer<double> m_blockSums;
    DeviceBuffer<unsigned long long> m_largest{1};
    Event m_cleared = Event::untimed();
};

} // namespace gridhelm::gpu::jacobi
