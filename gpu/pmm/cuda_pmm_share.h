// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/pmm/pmm_partition.h"
#include "core/solvers/pmm/pmm_run.h"
#include "gpu/pmm/march.h"
#include "gpu/pmm/pmm_grid.h"
#include "gpu/pmm/share_memory.h"
#include "gpu/support/buffer.h"
#include "gpu/support/stream.h"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::gpu {

/// How the planes are marched through: one way is fast, the others are what it is measured against.
struct CudaPmmChoices
{
    bool launchPerPlane = false;     ///< instead of one launch for all planes of a sub-sweep
    bool exchangeForX = true;        ///< sub-sweeps along x on a copy with x and y exchanged
    bool skipsUnchangedTiles = true; ///< instead of updating every tile in every sub-sweep
    int rowsOfTile = 0;              ///< as MarchLaunch has it
    /// Called with a share's number and MarchPlanes::subSweep before that is enqueued: what it
    /// throws is a failure of that GPU. For tests.
    std::function<void(std::size_t, int)> beforeSubSweep = {};
};

/// Which sub-sweep it is, for all shares alike.
struct SubSweepCount
{
    int number;         ///< of MarchPlanes::subSweep
    unsigned beginning; ///< of MarchPlanes::beginning
};

/// One GPU's part of the parallel marching method: a slab of planes, in which sub-sweeps along y
/// and x are made, and, if there are several GPUs, a slab of rows for those along z. Everything is
/// enqueued in one stream; begins and ends of sub-sweeps, and of copies from slabs to slabs, are
/// meetings of all shares (meet()). Slabs begin and end between bricks.
///
/// Everything but meet() is called while the share's GPU is current.
template <typename T>
class CudaPmmShare
{
public:
    using Shares = std::span<const std::unique_ptr<CudaPmmShare>>;

    CudaPmmShare(const solvers::PmmRun &run, const solvers::PmmSlabs &slabs, std::size_t index,
                 const GpuDevice &gpu, const CudaPmmChoices &choices);

    /// What each of all enqueues from now on begins after what all have enqueued until now.
    static void meet(Shares shares);
    const Stream &stream() const { return m_stream; }

    /// What others reach; after clear() there may be more of it than before.
    PmmShareMemory<T> memory() const;
    /// After clear(), with all shares, those of other processes included, in order. `abandoned`: as
    /// Abandonment::flag().
    void connect(std::vector<ReachedPmmShare<T>> all, const int *abandoned);

    /// Times that are not reached, a medium as it is in the run now, no brick that has changed.
    void clear();
    /// After clear(), and before the times: the medium of the slabs of rows. Between meetings.
    void sendMedium();
    /// `sources`: of the whole grid, sorted by node and time. Waits for them.
    void setSources(std::span<const PmmSourceNode<T>> sources, int change);
    /// `times`: of the whole grid, infinite where not reached. Waits for them.
    void setTimes(std::span<const T> times, int change);
    void setOutcome(const MarchOutcome &outcome);
    /// That sub-sweeps of an even or odd number receive. Each sub-sweep does it for the next one.
    void emptyHalos(int subSweep);

    void beginSweep();
    /// Along an axis of the grid.
    void subSweep(std::size_t axis, int sense, const SubSweepCount &count);
    /// Within the slab of planes: what changed after a sub-sweep, to the copy with x and y
    /// exchanged, and back.
    void exchangeForX(int changedAfter);
    void exchangeBack(int changedAfter);
    /// From the slab of planes to all slabs of rows, and back. Between meetings.
    void sendRows(int changedAfter);
    void sendPlanes(int changedAfter);
    /// Enqueues that it be told.
    void endSweep();
    double largestChange(); ///< waits

    /// Those of its planes, into times of the grid from a plane on, which may be pinned.
    void copyTimes(std::span<T> times, std::size_t firstPlane) const;

    const GpuDevice &gpu() const { return m_gpu; }
    /// Whether all that was enqueued has been done. Throws DeviceError if it has failed.
    bool isIdle() const;
    /// Whatever happened: nothing uses the memory of the others any more.
    void waitUntilIdle() const noexcept;

private:
    struct Layout : PmmPart
    {
        DeviceBuffer<T> times;
        std::vector<DeviceBuffer<T>> coefficients; ///< of a varying medium, otherwise empty
    };
    using OptionalLayout = std::optional<Layout> CudaPmmShare::*;
    using Reached = ReachedPmmShare<T>;

    template <typename Value>
    std::span<Value> planesOf(std::span<Value> all, std::size_t firstPlane) const;
    std::size_t coefficientCount() const;
    void setMedium();
    std::ptrdiff_t firstBrick(const Layout &layout) const;
    PmmBricks bricksOf(const Layout &layout) const;
    OptionalLayout layoutAlong(std::size_t axis) const;
    const std::optional<PmmPart> &partAlong(std::size_t axis, const PmmParts &parts) const;
    MarchPlanes<T> planesOf(const Layout &layout, std::size_t normalAxis, std::size_t rowAxis,
                            int sense) const;
    MarchMedium<T> mediumOf(const Layout &layout, std::size_t lineAxis, std::size_t rowAxis,
                            std::size_t normalAxis, int sense) const;
    T *halo(T *halos, int subSweep, std::size_t side) const;
    void addBorders(MarchPlanes<T> &planes, std::size_t axis) const;
    /// Since when bricks of which nothing is known have changed, seen from the first sub-sweep.
    static constexpr int neverChanged = 0;
    void sendChanges(const Layout &layout);
    void sendRows(const T *planes, const PmmPart &receiver, T *rows, int changedAfter);

    GpuDevice m_gpu;
    const solvers::PmmRun &m_run;
    CudaPmmChoices m_choices;
    std::size_t m_index;
    Stream m_stream;
    std::array<std::size_t, 3> m_bricks; ///< of the whole grid
    std::optional<Layout> m_alongX;      ///< of the planes
    std::optional<Layout> m_alongY;      ///< of the planes, x and y exchanged
    std::optional<Layout> m_ofRows;
    bool m_dividesAgain;
    DeviceBuffer<int> m_changes; ///< per brick of the whole grid
    DeviceBuffer<unsigned> m_progress;
    DeviceBuffer<std::byte> m_messages;
    DeviceBuffer<MarchOutcome> m_outcome;
    PinnedBuffer<MarchOutcome> m_outcomeHere;
    std::vector<Reached> m_all;
    // What neighbours send; empty if there is one share. Halos in turns, before the first row and
    // behind the last one: while one is written, the other is made empty.
    std::size_t m_haloSize = 0;
    DeviceBuffer<T> m_halos;
    std::size_t m_tilesOfHalo = 0;
    DeviceBuffer<unsigned> m_progressBeyond;
    DeviceBuffer<MarchOutcome *> m_others; ///< of the other shares
    const int *m_abandoned = nullptr;
    Event m_met = Event::untimed();
};

extern template class CudaPmmShare<float>;
extern template class CudaPmmShare<double>;

} // namespace gridhelm::gpu
