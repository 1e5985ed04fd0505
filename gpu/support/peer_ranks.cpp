// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/support/peer_ranks.h"

#include "core/support/error.h"
#include "gpu/support/cuda_error.h"
#include "gpu/support/gpu_place.h"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <string>

namespace gridhelm::gpu {
namespace {

constexpr auto reachOthers = "reach those of other processes";

/// Ranks that are threads of one process may have parts of one GPU.
void requireOneGpuEach(Ranks &ranks, const GpuDevice &gpu, std::uint64_t process)
{
    const auto &hosts = ranks.hosts();
    const bool isOneMachine =
        std::ranges::all_of(hosts, [&](const std::string &host) { return host == hosts.front(); });
    const auto places = textsOfAll(ranks, placeOf(ranks, gpu));
    const auto processes = ofAll(ranks, process);
    if (!isOneMachine)
        throw Error(
            "these GPUs store into each other's memory, which they reach within one machine "
            "only: start all ranks on one, or leave --devices gpu and --backend cuda out");
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (places[i] == places[j] && processes[i] != processes[j])
                throw Error("ranks " + std::to_string(j) + " and " + std::to_string(i)
                            + " have the same GPU, and would wait for each other there: start one "
                              "rank for each GPU");
        }
    }
}

} // namespace

PeerRanks::PeerRanks(std::shared_ptr<Ranks> ranks, const GpuDevice &gpu)
    : m_ranks(std::move(ranks))
    , m_process(static_cast<std::uint64_t>(getpid()))
    , m_here{Event::shared(), Event::shared()}
{
    requireOneGpuEach(*m_ranks, gpu, m_process);
    shareEvents();
}

PeerRanks::~PeerRanks()
{
    for (const auto &[whose, address] : m_opened)
        cudaIpcCloseMemHandle(address);
    if (std::uncaught_exceptions() == 0)
        m_ranks->numbersOfAll(0); // only then the others' memory may go
}

void PeerRanks::shareEvents()
{
    struct Shared
    {
        std::uint64_t process;
        std::array<cudaEvent_t, 2> events; ///< in that process
        std::array<cudaIpcEventHandle_t, 2> handles;
    };
    Shared mine{m_process, {m_here[0], m_here[1]}, {}};
    doneByAll(m_ranks.get(), [&] {
        for (std::size_t i = 0; i < 2; ++i)
            check(cudaIpcGetEventHandle(&mine.handles[i], m_here[i]), reachOthers);
    });
    const auto all = ofAll(*m_ranks, mine);
    doneByAll(m_ranks.get(), [&] {
        for (std::size_t rank = 0; rank < all.size(); ++rank) {
            for (std::size_t i = 0; i < 2; ++i) {
                if (static_cast<int>(rank) == m_ranks->number())
                    continue;
                if (all[rank].process != m_process)
                    m_openedEvents.push_back(Event::opened(all[rank].handles[i]));
                m_there[i].push_back(all[rank].process == m_process
                                         ? all[rank].events[i]
                                         : static_cast<cudaEvent_t>(m_openedEvents.back()));
            }
        }
    });
}

std::vector<std::vector<void *>> PeerRanks::reach(const std::vector<void *> &mine)
{
    std::vector<Exported> exported;
    doneByAll(m_ranks.get(), [&] {
        for (void *address : mine) {
            exported.push_back({m_process, address, {}});
            if (address != nullptr)
                check(cudaIpcGetMemHandle(&exported.back().handle, address), reachOthers);
        }
    });
    std::vector<std::vector<void *>> reached(static_cast<std::size_t>(m_ranks->count()));
    std::vector<std::vector<Exported>> all;
    for (const auto &memory : exported)
        all.push_back(ofAll(*m_ranks, memory));
    doneByAll(m_ranks.get(), [&] {
        for (std::size_t rank = 0; rank < reached.size(); ++rank) {
            for (const auto &ofRanks : all)
                reached[rank].push_back(opened(rank, ofRanks[rank]));
        }
    });
    return reached;
}

void *PeerRanks::opened(std::size_t rank, const Exported &memory)
{
    if (memory.address == nullptr || memory.process == m_process)
        return memory.address;
    auto &here = m_opened[{rank, memory.address}];
    if (here == nullptr)
        check(cudaIpcOpenMemHandle(&here, memory.handle, cudaIpcMemLazyEnablePeerAccess),
              reachOthers);
    return here;
}

void PeerRanks::meet(const Stream *stream)
{
    const auto turn = m_meetings++ % 2;
    if (stream != nullptr)
        m_here[turn].record(*stream);
    m_ranks->numbersOfAll(0); // all have recorded theirs
    if (stream == nullptr)
        return;
    for (const auto event : m_there[turn])
        stream->waitFor(event);
}

} // namespace gridhelm::gpu
