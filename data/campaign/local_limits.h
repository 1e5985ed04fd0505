// SPDX-License-Identifier: GPL-3.0-or-later
//
// What each command on this machine may take ([run] with on = "local").
#pragma once

#include "data/campaign/run_plan.h"
#include "data/campaign/runner_type.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace gridhelm::data {

struct LocalLimits
{
    std::uint64_t memory = 0; ///< bytes, of all processes of a command together; 0: no limit
    int cores = 0;            ///< 0: all
};

std::vector<RunnerOption> localOptions();
/// None if the plan says nothing. Throws gridhelm::Error for what is no amount of memory, and for
/// what this machine cannot do or has not.
LocalLimits localLimits(const RunPlan &run);

/// Memory that the processes of a group, but for its leader (ours: see runChild()), have in use and
/// do not share with files, in bytes: the sum, so that what a process and its fork have in common
/// counts twice. Nothing where there is no /proc.
std::optional<std::uint64_t> memoryOfGroup(int group);

/// The cores that this process may use, for runs that take some each. Thread-safe.
class CoreShare
{
public:
    CoreShare();

    std::size_t size() const { return m_cores.size(); }
    /// So many, of those that the fewest others have; give them back.
    std::vector<int> take(int count);
    void giveBack(const std::vector<int> &cores);

private:
    struct Core
    {
        int number;
        int users = 0;
    };
    std::mutex m_mutex;
    std::vector<Core> m_cores;
};

} // namespace gridhelm::data
