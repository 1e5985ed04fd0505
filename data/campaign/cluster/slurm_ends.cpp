// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/cluster/slurm_ends.h"

#include "data/campaign/command_job.h"

#include <fmt/format.h>

namespace gridhelm::data {

RunLimit limitOf(std::string_view end)
{
    return end == "TIMEOUT"         ? RunLimit::time
           : end == "OUT_OF_MEMORY" ? RunLimit::memory
                                    : RunLimit::none;
}

std::string failureText(std::string_view end, std::optional<int> code,
                        const SlurmSettings &settings)
{
    const auto asked = [](const std::string &value) {
        return value.empty() ? std::string("the partition's default") : value;
    };
    if (end == "TIMEOUT" || end == "DEADLINE")
        return fmt::format("the cluster has ended it at its limit of time ({}); let [run] time ask "
                           "for more",
                           asked(settings.time));
    if (end == "OUT_OF_MEMORY")
        return fmt::format("the cluster has ended it, as it needed more memory than it had asked "
                           "for ({}); let [run] memory ask for more",
                           asked(settings.memory));
    if (end == "NODE_FAIL" || end == "BOOT_FAIL")
        return "its node on the cluster has failed; run it again with --retry-failed";
    if (end == "PREEMPTED")
        return "the cluster has ended it in favour of other jobs; run it again with "
               "--retry-failed";
    if (end == "CANCELLED")
        return "it was cancelled on the cluster; run it again with --retry-failed";
    if (code)
        return fmt::format("the command ended with exit code {}{}", *code, meaningOf(*code));
    return "it has ended on the cluster without a word: it was killed, by a limit of time or "
           "memory, say, or by somebody, or the disk is full; look at what it has printed, and run "
           "it again with --retry-failed";
}

} // namespace gridhelm::data
