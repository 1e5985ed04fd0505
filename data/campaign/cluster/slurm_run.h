// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/cluster/slurm_cluster.h"
#include "data/campaign/command_job.h"
#include "data/campaign/job_runner.h"
#include "data/campaign/work_folder.h"

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

/// One run on the cluster, as this process knows it. Its id is its token.
struct SlurmRun
{
    std::optional<RunRequest> request; ///< nothing: somebody asks only what it does
    RunStatus status;
    bool isKnown = false; ///< the cluster was asked after it, or has just taken it
    bool isCancelled = false;
    int missed = 0; ///< times that neither the queue knew it nor its folder said how it has ended
    int unfetched = 0;               ///< times that its results could not be brought here
    std::optional<JobFolder> folder; ///< with its results, once they are here
};

/// What has to be asked before more can be said.
enum class Doubt {
    none,
    whetherItStarts, ///< Slurm does not have it, and nobody has begun it
    howItFailed
};

/// Into the run's status goes what can be said at once. A run that has ended well is running until
/// its results are here.
Doubt conclude(SlurmRun &run, const RunSeen &seen);

/// A command that was killed at a limit has ended a moment before Slurm has a word for that:
/// whether to wait for it, since another try depends on it.
bool isEndUnsaid(SlurmRun &run, std::string_view word, const SlurmRetry &retry);

/// We wanted to make sure that it is never run: either it is not, or it was begun before.
void concludeClaim(SlurmRun &run, bool isClaimed);

/// Its results could not be brought here, once more; whether that is too often, so that it has
/// failed.
bool concludeUnfetched(SlurmRun &run, const std::string &why);

/// It has failed, or was cancelled: by Slurm's word for that, the command's exit code and what it
/// has printed.
void concludeFailure(SlurmRun &run, std::string_view word, std::optional<int> code, std::string log,
                     const SlurmSettings &settings);

/// Those that can be handed over together: an array has one limit of time and one of memory.
std::vector<std::vector<const RunRequest *>> arraysOf(std::span<const RunRequest> runs,
                                                      std::size_t most);

/// What goes to the cluster for it; `folder`: ClusterFacts::folder. `of` has to outlive it.
RunParcel parcelOf(const CommandOfPlan &of, const RunRequest &request, const std::string &folder);

/// Hands over what a run that has finished has written, which is here, and returns how that was:
/// see JobRunner::collect().
RunStatus readResultsOf(const CommandOfPlan &of, SlurmRun &run, const RunSink &sink,
                        const std::stop_token &stop);

} // namespace gridhelm::data
