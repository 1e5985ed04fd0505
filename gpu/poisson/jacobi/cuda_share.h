// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/poisson/share.h"
#include "gpu/poisson/device_values.h"
#include "gpu/poisson/jacobi/kernels.h"
#include "gpu/support/peer_copy.h"
#include "gpu/support/stream.h"

#include <array>
#include <optional>

namespace gridhelm::gpu {

/// One GPU's slab. Everything is enqueued: edges in a stream of their own beside the interior's,
/// kept in order by events, also between GPUs. The kernels count rows and planes in the whole grid,
/// so that they compute what they do for one GPU; here is where the slab's part of it lies.
///
/// One thread enqueues for all shares of a grid, the same iteration for each before the next.
template <typename T>
class CudaShare final : public solvers::Share
{
public:
    /// Made while the GPU is current; waits for the values.
    CudaShare(const solvers::PoissonProblem &whole, const solvers::Slab &slab,
              const GpuDevice &gpu);

    /// With the share whose slab comes next.
    static void connect(CudaShare &lower, CudaShare &upper, PeerRoute route);

    /// Work from here on begins after the event; the neighbours begin after it, too.
    void begin(const Event &event);
    /// `stream`, of whichever GPU, goes on after all that has been enqueued here.
    void end(cudaStream_t stream);

    void turn() override;

    /// Between begin() and an update that examines.
    void clearChange();
    /// After it: the squared residuals of its blocks, and the largest change, which is left in
    /// pinned memory.
    void returnFound(PeerCopy &copy, double *blockSums, double *largestChange);
    std::size_t blocks() const { return m_blockSums.size(); }

    void copyValues(std::span<T> values) const; ///< of the slab; waits
    void setParameters(const solvers::PoissonProblem &whole) { gpu::setParameters(m_grid, whole); }
    const GpuDevice &gpu() const { return m_gpu; }
    /// Whatever happened: nothing uses the memory of its neighbours any more.
    void waitUntilIdle() const noexcept;

protected:
    void awaitEdges() override;
    void updateEdges(bool examines) override;
    void sendEdges() override;
    void updateInterior(bool examines) override;

private:
    struct Neighbour
    {
        CudaShare *share = nullptr; ///< null: there is none
        std::optional<PeerCopy> copy;
    };

    std::size_t before() const { return 1 - m_turn; }
    /// Where the grid's first value would be.
    T *origin(const DeviceValues<T> &values) const;
    /// A row or plane, counted in the whole grid.
    T *layer(std::size_t turn, std::size_t index) const;
    void launch(jacobi::TileRange tiles, bool examines, const Stream &stream);
    void send(Neighbour &neighbour, std::size_t edge);

    GpuDevice m_gpu;
    GridView<T> m_grid; ///< the whole one
    jacobi::TunedTiles m_tiles;
    jacobi::TileRange m_own;
    std::ptrdiff_t m_layerStride;
    Stream m_edges = Stream::urgent();
    Stream m_interior;
    std::array<DeviceValues<T>, 2> m_values; ///< with a halo on both ends; taken in turn
    DeviceValues<T> m_source;
    std::size_t m_turn = 0; ///< which of them are the present ones
    bool m_begins = true;   ///< the first update after begin()
    Neighbour m_lower, m_upper;
    DeviceBuffer<double> m_blockSums;
    DeviceBuffer<unsigned long long> m_largest{1};
    // By turns: a neighbour may record the next one before this one waits.
    std::array<Event, 2> m_edgesUpdated{Event::untimed(), Event::untimed()};
    std::array<Event, 2> m_edgesSent{Event::untimed(), Event::untimed()};
    std::array<Event, 2> m_interiorUpdated{Event::untimed(), Event::untimed()};
    Event m_cleared = Event::untimed();
    Event m_edgesEnd = Event::untimed();
    Event m_interiorEnd = Event::untimed();
};

} // namespace gridhelm::gpu
