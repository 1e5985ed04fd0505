// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several devices under test, where there may be only one.
#pragma once

#include "tests/core/on_cpu.h"
#include "tests/solvers/tested_device.h"

#include <vector>

namespace gridhelm::test {

/// What shares the work.
#ifdef GRIDHELM_TEST_RANKS
inline constexpr const char *sharers = "ranks";
#else
inline constexpr const char *sharers = "devices";
#endif

/// One CPU thread, or the first GPU.
inline ExecutionContext onOne()
{
    return testedContext(CpuDevice{1});
}

/// CPUs with so many threads each; or as many parts of the first GPU.
inline ExecutionContext onTeam(const std::vector<int> &threads)
{
    std::vector<Device> team;
#ifdef GRIDHELM_TEST_CUDA
    for (const auto &part : split(onOne().gpus().front(), static_cast<int>(threads.size())))
        team.emplace_back(part);
    return onOne().withTeam(team);
#else
    const auto count = static_cast<int>(threads.size());
    for (int i = 0; i < count; ++i)
        team.emplace_back(CpuDevice{threads[static_cast<std::size_t>(i)], {i, count}});
    return test::onCpu().withTeam(team);
#endif
}

} // namespace gridhelm::test
