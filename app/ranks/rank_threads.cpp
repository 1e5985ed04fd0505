// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ranks/rank_threads.h"

#include "core/execution/device.h"

#include <algorithm>
#include <string>

#include <sched.h>

namespace gridhelm::app {
namespace {

/// The CPUs that this process may use, a letter for each.
std::string allowedCpus()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    std::string text;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            text += CPU_ISSET(cpu, &set) ? '1' : '0';
    }
    return text;
}

} // namespace

int threadsBesideOthers(Ranks &ranks)
{
    const auto &hosts = ranks.hosts();
    const auto mine = hosts[static_cast<std::size_t>(ranks.number())] + " " + allowedCpus();
    const auto all = textsOfAll(ranks, mine);
    const auto sharers = static_cast<int>(std::ranges::count(all, mine));
    return std::max(wholeCpu().threads / sharers, 1);
}

} // namespace gridhelm::app
