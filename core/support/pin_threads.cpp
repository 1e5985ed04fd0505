// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/pin_threads.h"

#include "core/support/error.h"

#include <omp.h>

#include <string>

#ifdef __linux__
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>
#endif

namespace gridhelm {

#ifdef __linux__

namespace {

/// A set of CPUs of any number; the kernel refuses sets smaller than its own.
class CpuSet
{
public:
    CpuSet()
        : m_set(mostCpus / 64)
    {
    }
    explicit CpuSet(int cpu)
        : CpuSet()
    {
        CPU_SET_S(static_cast<std::size_t>(cpu), bytes(), get());
    }

    static CpuSet ofCallingThread()
    {
        CpuSet set;
        if (sched_getaffinity(0, set.bytes(), set.get()) != 0)
            throw Error(std::string("the operating system does not say which CPUs may be used (")
                        + std::strerror(errno) + "); leave pinning out");
        return set;
    }

    bool applyToCallingThread() const { return sched_setaffinity(0, bytes(), get()) == 0; }

    std::vector<int> cpus() const
    {
        std::vector<int> result;
        for (int cpu = 0; cpu < mostCpus; ++cpu) {
            if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes(), get()))
                result.push_back(cpu);
        }
        return result;
    }

private:
    static constexpr int mostCpus = 8192; // as many as Linux can be built for

    std::size_t bytes() const { return m_set.size() * sizeof(unsigned long); }
    cpu_set_t *get() { return reinterpret_cast<cpu_set_t *>(m_set.data()); }
    const cpu_set_t *get() const { return reinterpret_cast<const cpu_set_t *>(m_set.data()); }

    std::vector<unsigned long> m_set;
};

/// (socket, core), or the CPU's own number where it is not said.
std::pair<int, int> coreOf(int cpu)
{
    const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    int socket = 0;
    int core = cpu;
    std::ifstream(folder + "physical_package_id") >> socket;
    if (!(std::ifstream(folder + "core_id") >> core))
        return {0, cpu};
    return {socket, core};
}

/// One CPU of every core, then the second of every core, ...
std::vector<int> coresFirst(const std::vector<int> &cpus)
{
    std::vector<std::pair<int, int>> cores;
    std::vector<std::pair<std::ptrdiff_t, int>> ranked;
    for (int cpu : cpus) {
        const auto core = coreOf(cpu);
        ranked.emplace_back(std::count(cores.begin(), cores.end(), core), cpu);
        cores.push_back(core);
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    std::vector<int> result;
    for (const auto &[rank, cpu] : ranked)
        result.push_back(cpu);
    return result;
}

} // namespace

struct PinnedThreads::Places
{
    CpuSet allowed;
    std::vector<CpuSet> ofThread;
};

PinnedThreads::PinnedThreads(const CpuDevice &cpu)
    : m_places(std::make_unique<Places>())
{
    m_places->allowed = CpuSet::ofCallingThread();
    const auto cpus = coresFirst(m_places->allowed.cpus());
    const int threads = cpu.threads;
    if (threads < 1 || static_cast<std::size_t>(threads) > cpus.size())
        throw Error(std::to_string(threads) + " threads cannot each have a CPU of their own ("
                    + std::to_string(cpus.size())
                    + " may be used); choose another number of threads, or leave pinning out");
    for (int thread = 0; thread < threads; ++thread)
        m_places->ofThread.emplace_back(cpus[static_cast<std::size_t>(thread)]);
    pinAgain();
}

void PinnedThreads::pinAgain()
{
    const auto &places = m_places->ofThread;
    bool isPinned = true;
#pragma omp parallel num_threads(static_cast <int>(places.size())) reduction(&& : isPinned)
    isPinned = places[static_cast<std::size_t>(omp_get_thread_num())].applyToCallingThread();
    if (!isPinned)
        throw Error("the operating system does not let threads be pinned; leave pinning out");
}

PinnedThreads::~PinnedThreads()
{
    const auto &places = *m_places;
#pragma omp parallel num_threads(static_cast <int>(places.ofThread.size()))
    static_cast<void>(places.allowed.applyToCallingThread());
}

#else

struct PinnedThreads::Places
{};

PinnedThreads::PinnedThreads(const CpuDevice &)
{
    throw Error("threads can be pinned on Linux only; leave pinning out");
}

PinnedThreads::~PinnedThreads() = default;

void PinnedThreads::pinAgain() {}

#endif

} // namespace gridhelm
