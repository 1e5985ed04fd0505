// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/execution/ranks.h"
#include "core/solvers/arrivals.h"
#include "core/solvers/pmm/plane_march.h"
#include "core/solvers/pmm/pmm_grids.h"
#include "core/solvers/pmm/pmm_partition.h"
#include "core/solvers/pmm/pmm_run.h"

#include <array>
#include <barrier>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::solvers {

/// One CPU's part of the parallel marching method: a slab of planes and, for `repartition`, a slab
/// of rows. Each has a thread that calls sweep() at the same time as the others'.
///
/// In a sub-sweep within the slabs a share needs of its neighbours their edge rows of the plane
/// before: these copy them into its ghosts as soon as they are there, those of the given plane
/// first, and count how many have arrived. So two shares are never more than a plane apart, and
/// nothing else keeps them together until the next meeting. Ranks send each other the same rows as
/// messages, and need no meeting: each waits for what it uses next.
template <typename T>
class CpuPmmShare
{
public:
    /// Bands in which a plane is handed on (`pipelined`): more let the next share begin earlier.
    static constexpr std::ptrdiff_t bandsOfPlane = 8;

    using Meeting = std::barrier<>; ///< of all shares

    /// Share `index` of the slabs, of which it may have none in one direction. They outlive it.
    CpuPmmShare(const PmmRun &run, const PmmSlabs &slabs, std::size_t index, const CpuDevice &cpu);

    /// With the shares of all devices, in order; `meeting` is theirs. `stayAwake`: whoever waits
    /// keeps its CPU for a while, since no other thread of theirs needs it.
    void connect(std::span<const std::unique_ptr<CpuPmmShare>> all, Meeting &meeting,
                 bool stayAwake);

    /// With the shares of the other ranks: this is the rank's own number of the slabs.
    void connect(Ranks &ranks) { m_ranks = &ranks; }

    /// The medium as it is in the run now, and the times of the whole grid, infinite where not
    /// reached. Waits for nobody.
    void restart(std::span<const T> times);

    /// Returns the largest decrease of a time of this share.
    T sweep();

    /// Those of its planes, into times of the grid from a plane on; infinite where not reached.
    void copyTimes(std::span<T> times, std::size_t firstPlane) const;

private:
    /// Times and coefficients of some part of the grid, in one of its layouts.
    struct Layout
    {
        PaddedGrid<T> times;
        std::vector<PaddedGrid<T>> coefficients; ///< of a varying medium, otherwise empty

        Layout(const std::array<std::size_t, 3> &nodes, bool varies, const CpuDevice &cpu);
    };
    using OptionalLayout = std::optional<Layout> CpuPmmShare::*;
    using Extent = std::array<std::size_t, 3>;

    /// Whom something is sent to.
    struct Receiver
    {
        PlaneMarch<T> march;
        Arrivals &arrivals;
    };

    /// The next share or the one before, of this process or of another rank.
    struct Neighbour
    {
        std::optional<Receiver> receiver; ///< of this process
        int rank = 0;
    };
    /// Times of some rows of some planes, of one of the layouts.
    struct Block
    {
        PaddedGrid<T> &times;
        std::size_t firstRow, rows;
        std::size_t firstPlane, planes;
    };

    OptionalLayout layoutAlong(std::size_t axis) const;
    PlaneMarch<T> marchAlong(std::size_t axis, int sense);
    std::optional<Neighbour> neighbour(std::ptrdiff_t step, std::size_t axis, int sense) const;
    void awaitHalo(const Neighbour &neighbour, const Arrivals &arrivals, std::uint64_t count) const;
    void sendEdge(const PlaneMarch<T> &march, std::ptrdiff_t plane, bool isLast,
                  const Neighbour &neighbour) const;
    void settle(const std::optional<Neighbour> &neighbour) const;
    T marchBesideOthers(std::size_t axis, int sense);
    void awaitBand(const PlaneMarch<T> &march, const RowRange &rows, const Neighbour &before,
                   const Arrivals &arrivals, std::uint64_t count) const;
    void sendBand(const PlaneMarch<T> &march, const RowRange &rows, const Neighbour &next,
                  std::uint64_t count) const;
    T marchAfterOthers(int sense);
    void exchange(const PaddedGrid<T> &from, PaddedGrid<T> &to) const;
    void takeRows();
    void takePlanes();
    std::optional<Block> ownPlanes(std::size_t rank);
    std::optional<Block> ownRows(std::size_t rank);
    void exchangeBlocks(bool intoRows);
    void meet() const;
    T sweepAlongZ();

    const PmmRun &m_run;
    const PmmSlabs &m_slabs;
    CpuDevice m_cpu;
    std::size_t m_index;
    std::optional<Slab> m_planes; ///< none: there are fewer slabs than devices
    std::optional<Slab> m_rows;
    bool m_dividesAgain;
    std::optional<Layout> m_alongX; ///< of the planes
    std::optional<Layout> m_alongY; ///< of the planes, x and y exchanged
    std::optional<Layout> m_ofRows;
    std::span<const std::unique_ptr<CpuPmmShare>> m_all;
    Meeting *m_meeting = nullptr;
    Ranks *m_ranks = nullptr;          ///< null: all shares are of this process
    int m_glances = 0;                 ///< at arrivals, before it sleeps
    Arrivals m_fromLower, m_fromUpper; ///< halo by halo
    std::uint64_t m_halos = 0;         ///< that arrive in the sub-sweeps that are over
};

extern template class CpuPmmShare<float>;
extern template class CpuPmmShare<double>;

} // namespace gridhelm::solvers
