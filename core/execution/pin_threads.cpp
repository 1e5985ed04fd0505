// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/pin_threads.h"

#include "core/support/cpu_topology.h"
#include "core/support/error.h"

#include <omp.h>

#include <string>
#include <vector>

namespace gridhelm {

struct PinnedThreads::Places
{
    CpuSet allowed = CpuSet::ofCallingThread();
    std::vector<CpuSet> ofThread = allowed.coresFirst();
};

PinnedThreads::PinnedThreads(const CpuDevice &cpu)
    : m_places(std::make_unique<Places>())
{
    auto &places = m_places->ofThread;
    const int threads = cpu.threads;
    if (threads < 1 || static_cast<std::size_t>(threads) > places.size())
        throw Error(std::to_string(threads) + " threads cannot each have a CPU of their own ("
                    + std::to_string(places.size())
                    + " may be used); choose another number of threads, or leave pinning out");
    places.erase(places.begin() + threads, places.end());
    pinAgain();
}

void PinnedThreads::pinAgain()
{
    const auto &places = m_places->ofThread;
    bool isPinned = true;
#pragma omp parallel num_threads(static_cast <int>(places.size())) reduction(&& : isPinned)
    isPinned = places[static_cast<std::size_t>(omp_get_thread_num())].bindCallingThread();
    if (!isPinned)
        throw Error("the operating system does not let threads be pinned; leave pinning out");
}

PinnedThreads::~PinnedThreads()
{
    const auto &places = *m_places;
#pragma omp parallel num_threads(static_cast <int>(places.ofThread.size()))
    static_cast<void>(places.allowed.bindCallingThread());
}

} // namespace gridhelm
