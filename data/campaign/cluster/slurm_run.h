// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/cluster/slurm_cluster.h"
#include "data/campaign/job_runner.h"
#include "data/campaign/work_folder.h"

#include <optional>

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

} // namespace gridhelm::data
