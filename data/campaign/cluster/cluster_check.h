// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/cluster/slurm_cluster.h"

#include <chrono>
#include <stop_token>
#include <string>

namespace gridhelm::data {

struct ClusterCheck
{
    ClusterFacts facts;
    bool hasRun = false;   ///< a trivial job, and its results came here
    bool isQueued = false; ///< it waits still
    double seconds = 0;    ///< from its submission to its results
    std::string node;      ///< where it ran
    std::string log;       ///< what it printed: how the cluster's modules and setup do
};

/// Does everything that a campaign does, with one job that does nothing. Waits for it for so long;
/// then it is cancelled. Nothing of it stays there. Throws gridhelm::Error for what goes wrong.
ClusterCheck checkCluster(const SlurmSettings &settings, std::chrono::seconds patience,
                          const std::stop_token &stop = {});

} // namespace gridhelm::data
