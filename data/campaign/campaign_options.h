// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/mesh/snapshot_reader.h"
#include "data/study/study_types.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace gridhelm::data {

struct CampaignReport;

struct CampaignProgress
{
    std::size_t done = 0; ///< runs that have ended, failed ones included
    std::size_t failed = 0;
    std::size_t total = 0;
    double seconds = 0;          ///< since the beginning
    double secondsRemaining = 0; ///< estimated; negative: not known yet
    double part = 0;             ///< of all work that is done, as far as runs tell; 0 .. 1
};

/// See CampaignOptions::keepGoing.
inline constexpr int failuresToStop = 5;

struct CampaignOptions
{
    int jobs = 1; ///< at a time, each in a thread
    bool retryFailed = false;
    std::optional<JobId> only = std::nullopt; ///< this job alone; it may have failed before
    std::stop_token stop = {};                ///< ends all runs, cleanly, and at once
    /// Asked several times a second by the calling thread, but not while results are read or
    /// stored; true does what `stop` does.
    std::function<bool()> cancelled = {};
    /// Asked likewise; true lets the runs in flight end, and begins no others.
    std::function<bool()> pausing = {};
    std::function<void(const CampaignProgress &)> progress = {}; ///< likewise
    /// Gets sentences for the user, each once: that a cluster does not answer, say. Likewise.
    std::function<void(const std::string &)> say = {};
    MeshFitter fit = refuseOtherMeshes();
    /// Otherwise no more runs are begun once the first `failuresToStop` have failed alike: what is
    /// wrong is wrong with all of them, and each may take hours.
    bool keepGoing = false;
    /// No runs are begun from then on.
    std::optional<std::chrono::steady_clock::time_point> beginUntil = std::nullopt;
    /// Asked by the calling thread when fewer runs are left than may run at a time: adds jobs to
    /// the study's grid, or plans runs off it, which follow then; false if there are to be no
    /// others for now. Gets what has come of the campaign so far. See runCampaign().
    std::function<bool(const CampaignReport &)> more = {};
};

} // namespace gridhelm::data
