// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/poisson/cuda_share.h"
#include "gpu/poisson/sor/kernels.h"
#include "gpu/poisson/sor/slab_residual.h"

#include <array>

namespace gridhelm::gpu::sor {

/// One GPU's slab in red-black SOR: an update is a half sweep, red to begin with, whose colour's
/// values are next(), the other colour's present(). Between sweeps all work must have ended.
template <typename T>
class RedBlackShare final : public CudaShare<T>
{
public:
    /// Made while the GPU is current.
    RedBlackShare(const solvers::PoissonProblem &whole, const solvers::Slab &slab,
                  const GpuDevice &gpu);

    void setRelaxation(T w);
    void setSides(const std::array<solvers::SideCondition, 6> &sides);
    /// Of the whole grid; this takes the slab's and its halos'.
    void setValues(std::span<const double> whole);
    void setScaledSource(std::span<const double> whole); ///< likewise
    void copyValues(std::span<T> values);                ///< of the slab; waits

    /// Enqueues the squared residuals of its blocks, which are those of Jacobi's kernel.
    void findResiduals(PeerCopy &copy, double *blockSums);
    std::size_t blocks() const { return m_residual.blocks(); }

protected:
    void launch(TileRange tiles, bool examines, const Stream &stream) override;

private:
    /// By grids with rows of both colours, and of one.
    RedBlackShare(const solvers::PoissonProblem &whole, const solvers::Slab &slab,
                  const GpuDevice &gpu, const GridView<T> &plain, const GridView<T> &coloured);

    Coloured<T> colours() const;
    Coloured<T> source() const;
    LayerRange ownLayers() const;
    LayerRange layersWithHalos() const;
    T *plainOrigin(const DeviceValues<T> &plain) const;

    GridView<T> m_plainGrid;
    double m_spacing;
    int m_thickness;
    T m_relaxation = 1;
    std::array<DeviceValues<T>, 2> m_source; ///< red, black; empty unless h^2 f is an array
    DeviceValues<T> m_plainSource;           ///< likewise
    DeviceValues<T> m_plain;                 ///< on the way in and out
    SlabResidual<T> m_residual;
};

} // namespace gridhelm::gpu::sor
