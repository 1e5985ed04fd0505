// SPDX-License-Identifier: GPL-3.0-or-later
//
// GPUs of several processes of one machine that store into each other's memory, as those of one
// process do (CUDA's interprocess communication).
#pragma once

#include "core/execution/device.h"
#include "core/execution/ranks.h"
#include "gpu/support/stream.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace gridhelm::gpu {

/// All ranks of a run, each with a GPU of its own, or with a part of one where ranks are threads of
/// one process. Memory that others reach must outlive their PeerRanks; since the destructor is
/// collective, it is enough that it outlives the own one. Used while the GPU is current, by one
/// thread at a time.
class PeerRanks
{
public:
    /// Collective. Throws gridhelm::Error, on all of them, if they are not on one machine, or if
    /// two have the same GPU.
    PeerRanks(std::shared_ptr<Ranks> ranks, const GpuDevice &gpu);
    /// Collective, unless an exception ends the run.
    ~PeerRanks();
    PeerRanks(const PeerRanks &) = delete;
    PeerRanks &operator=(const PeerRanks &) = delete;

    /// Collective: by rank, the addresses at which this process reaches what each has named:
    /// allocations, by their beginnings, or null. All name as many. Throws gridhelm::Error, on all
    /// ranks, if one does not reach another.
    std::vector<std::vector<void *>> reach(const std::vector<void *> &mine);

    /// Collective: what each enqueues in its stream from now on begins after what all have enqueued
    /// until now. Null: this rank has nothing to do.
    void meet(const Stream *stream);

private:
    struct Exported
    {
        std::uint64_t process;
        void *address; ///< in that process
        cudaIpcMemHandle_t handle;
    };
    void shareEvents();
    void *opened(std::size_t rank, const Exported &memory);

    std::shared_ptr<Ranks> m_ranks;
    std::uint64_t m_process;
    std::map<std::pair<std::size_t, void *>, void *> m_opened; ///< of other processes
    // In turns: until all have seen that a rank is at a meeting, it may come to the next one, not
    // to the one after that.
    std::array<Event, 2> m_here;
    std::array<std::vector<cudaEvent_t>, 2> m_there; ///< of the other ranks
    std::vector<Event> m_openedEvents;
    std::size_t m_meetings = 0;
};

} // namespace gridhelm::gpu
