// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/poisson/cuda_slab.h"
#include "gpu/poisson/neighbour.h"
#include "gpu/poisson/rank_border.h"
#include "gpu/poisson/sor/mlssor_tiles.h"
#include "gpu/poisson/sor/slab_residual.h"
#include "gpu/support/nccl_link.h"
#include "gpu/support/stream.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace gridhelm::gpu::sor {

/// One GPU's slab in MLSSOR: whole rows of sub-domains. Its tiles 1 reach across a border by less
/// than K rows, so it has the values of K rows of each neighbour, and the borders travel as they do
/// between CPUs (core/solvers/sor/mlssor_team.cpp says which rows, and why nobody is in the way):
/// after its tiles 0 to one neighbour, after its tiles 1 to the other one.
///
/// Everything is enqueued, in one stream, by one thread for all shares of a grid: relax(0) for
/// each of them, then await(0), relax(1), await(1) and turn().
template <typename T>
class MlssorShare final : private CudaSlab<T>
{
public:
    /// Made while the GPU is current.
    MlssorShare(const solvers::PoissonProblem &whole, const solvers::Slab &slab,
                const GpuDevice &gpu, const solvers::MlssorShape &shape,
                solvers::SweepDirection direction);
    /// With the share whose slab comes next.
    static void connect(MlssorShare &lower, MlssorShare &upper, PeerRoute route);
    /// As CudaShare::connect().
    void connect(const std::shared_ptr<Ranks> &ranks, std::shared_ptr<NcclLink> link);

    const GpuDevice &gpu() const { return CudaSlab<T>::gpu(); }
    const solvers::Slab &slab() const { return CudaSlab<T>::slab(); }

    /// Work from here on begins after the event.
    void begin(const Event &event) { m_stream.waitFor(event); }
    /// `stream`, of whichever GPU, goes on after all that has been enqueued here.
    void end(cudaStream_t stream);
    void waitUntilIdle() const noexcept { cudaStreamSynchronize(m_stream); }

    /// The kernels of tiles ty in y, and what they have made of the rows that a neighbour needs.
    void relax(int ty, T w);
    /// What follows begins when the neighbour's part of that has arrived. All shares have been
    /// asked to relax() as often as this one. Of a rank through the hosts, it waits for that.
    void await(int ty);
    void turn() { m_tiles.turn(); }

    void setSides(const std::array<solvers::SideCondition, 6> &sides);
    /// Of the whole grid; this takes the slab's and its halos'.
    void setValues(std::span<const double> whole);
    void setScaledSource(std::span<const double> whole); ///< likewise
    void copyValues(std::span<T> values) const;          ///< of the slab; waits

    /// Enqueues the squared residuals of its blocks, which are those of Jacobi's kernel.
    void findResiduals(PeerCopy &copy, double *blockSums);
    std::size_t blocks() const { return m_residual.blocks(); }

private:
    /// By its grid without a source, which comes by setScaledSource().
    MlssorShare(const solvers::PoissonProblem &whole, const solvers::Slab &slab,
                const GpuDevice &gpu, const solvers::MlssorShape &shape,
                solvers::SweepDirection direction, const GridView<T> &grid);

    /// Forward, tiles 0 are sent downwards; backward, and with tiles 1, it is the other way round.
    bool sendsUp(int ty) const { return m_tiles.isBackward() == (ty == 0); }
    /// The rows of the whole grid that are sent after tiles ty by the slab that begins, or ends,
    /// there (as sendsUp() says).
    LayerRange sent(int ty, std::size_t border) const;
    LayerRange rowsOut(int ty) const { return sent(ty, sendsUp(ty) ? slab().end : slab().begin); }
    static std::size_t layersOf(const LayerRange &rows);
    std::size_t bytesOf(const LayerRange &rows) const;
    void sendThroughHost(int ty); ///< to a rank; part of relax()
    /// With the ranks that sent() is for; part of await().
    void exchange(int ty);
    void settle(); ///< what ranks have been sent has left
    T *row(int j) const { return this->origin(m_values) + j * this->layerStride(); }

    double m_spacing;
    MlssorTiles m_tiles;
    TileRange m_own; ///< rows of sub-domains
    Stream m_stream;
    DeviceValues<T> m_values; ///< with halos of K rows
    DeviceValues<T> m_source; ///< likewise; empty unless h^2 f is an array
    SlabResidual<T> m_residual;
    Neighbour<MlssorShare> m_lower, m_upper;
    std::optional<RankBorder> m_lowerRank, m_upperRank;
    std::shared_ptr<NcclLink> m_link;                                ///< instead of these
    int m_rank = 0;                                                  ///< in it
    std::array<Event, 2> m_sent{Event::untimed(), Event::untimed()}; ///< after tiles 0, 1
    Event m_end = Event::untimed();
};

} // namespace gridhelm::gpu::sor
