// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/poisson/share.h"
#include "gpu/poisson/cuda_slab.h"
#include "gpu/poisson/neighbour.h"
#include "gpu/poisson/rank_border.h"
#include "gpu/poisson/share_sample.h"
#include "gpu/poisson/tile_range.h"
#include "gpu/support/nccl_link.h"
#include "gpu/support/stream.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

namespace gridhelm::gpu {

/// A share on a GPU. Everything is enqueued: edges in a stream of their own beside the interior's,
/// kept in order by events, also between GPUs. The slab is tiles of a kernel, of which the first
/// and the last are the edges. Halos have one layer (row or plane) or several, and all slabs but
/// the last no fewer than that.
///
/// One thread enqueues for all shares of a grid, the same update for each before the next. Edges
/// that go to another rank are exchanged by NCCL, in the stream of the edges, or through pinned
/// memory: then turn() waits until its edges are on their way to the GPU.
template <typename T>
class CudaShare : public solvers::Share, protected CudaSlab<T>
{
public:
    /// With the share whose slab comes next.
    static void connect(CudaShare &lower, CudaShare &upper, PeerRoute route);
    /// With the shares of the ranks before and after this one; `link` may be null.
    /// Collective, like MPI and NCCL themselves: they connect at the first message.
    void connect(const std::shared_ptr<Ranks> &ranks, std::shared_ptr<NcclLink> link);
    /// With a share of another kind of device behind this one: messages are the values of unknowns
    /// alone, x fastest.
    void connectUpper(const std::shared_ptr<Messages> &messages, int party);

    /// Work from here on begins after the event; the neighbours begin after it, too.
    void begin(const Event &event);
    /// `stream`, of whichever GPU, goes on after all that has been enqueued here.
    void end(cudaStream_t stream);

    void turn() override;

    /// Of the next update, which is sampled, or is the one before that; or none any more.
    void setSample(ShareSample::Update update) { m_sample.set(update); }
    std::optional<ShareTimes> sampledTimes() const;

    const GpuDevice &gpu() const { return CudaSlab<T>::gpu(); }
    using solvers::Share::slab;
    /// Whatever happened: nothing uses the memory of its neighbours any more.
    void waitUntilIdle() const noexcept;

protected:
    /// `grid` is the whole one, with the strides of an array; tiles have so many rows (2D) or
    /// planes (3D), and the slab begins with one. Made while the GPU is current.
    CudaShare(const GridView<T> &grid, const solvers::Slab &slab, std::size_t thickness,
              const GpuDevice &gpu, std::size_t haloLayers = 1);

    /// The update of these tiles, from present() to next(). The GPU is current.
    virtual void launch(TileRange tiles, bool examines, const Stream &stream) = 0;

    void awaitEdges() override;
    void updateEdges(bool examines) override;
    void sendEdges() override;
    void updateInterior(bool examines) override;

    TileRange own() const { return m_own; }
    /// 0 before the first update and after every second one, otherwise 1.
    std::size_t turns() const { return m_turn; }
    const DeviceValues<T> &present() const { return m_values[m_turn]; }
    const DeviceValues<T> &next() const { return m_values[1 - m_turn]; }
    /// Those that are the present values when turns() is as given.
    DeviceValues<T> &values(std::size_t turn) { return m_values[turn]; }
    const DeviceValues<T> &values(std::size_t turn) const { return m_values[turn]; }
    const Stream &edges() const { return m_edges; }
    const Stream &interior() const { return m_interior; }
    /// What is enqueued for the interior goes on after the edges of this update.
    void joinEdges() { m_interior.waitFor(m_edgesUpdated[m_turn]); }

private:
    std::size_t before() const { return 1 - m_turn; }
    /// What a neighbour gets, also of the last slab.
    std::size_t layersSent() const;
    /// A row or plane, counted in the whole grid.
    T *layer(std::size_t turn, std::size_t index) const;
    void send(Neighbour<CudaShare> &neighbour, std::size_t first);
    void send(std::optional<RankBorder> &border, std::size_t first);
    /// Edges of the next values for halos of them.
    void exchangeByLink();
    /// Of arrays with that turn, whose edges are on their way to the host.
    void exchangeThroughHost(std::size_t turn);
    /// That come from the rank above: all slabs but the last are as thick as a halo.
    std::size_t layersFromAbove() const;
    std::size_t bytesOf(std::size_t layers) const;
    /// Of a message: with all that lies between rows, or without.
    LayerRows wholeLayers() const { return {1, bytesOf(1), bytesOf(1)}; }
    LayerRows packedLayers() const;

    TileRange m_own;
    Stream m_edges = Stream::urgent();
    Stream m_interior;
    std::array<DeviceValues<T>, 2> m_values; ///< with a halo on both ends; taken in turn
    std::size_t m_turn = 0;                  ///< which of them are the present ones
    bool m_begins = true;                    ///< the first update after begin()
    Neighbour<CudaShare> m_lower, m_upper;
    std::optional<RankBorder> m_lowerRank, m_upperRank;
    std::shared_ptr<NcclLink> m_link; ///< instead of these
    int m_rank = 0;                   ///< in it
    ShareSample m_sample;
    // By turns: a neighbour may record the next one before this one waits.
    std::array<Event, 2> m_edgesUpdated{Event::untimed(), Event::untimed()};
    std::array<Event, 2> m_edgesSent{Event::untimed(), Event::untimed()};
    std::array<Event, 2> m_interiorUpdated{Event::untimed(), Event::untimed()};
    Event m_edgesEnd = Event::untimed();
    Event m_interiorEnd = Event::untimed();
};

} // namespace gridhelm::gpu
