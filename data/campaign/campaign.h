// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs what a study waits for.
#pragma once

#include "data/campaign/job_runner.h"
#include "data/study/study_writer.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::data {

struct CampaignProgress
{
    std::size_t done = 0; ///< runs that have ended, failed ones included
    std::size_t failed = 0;
    std::size_t total = 0;
    double seconds = 0;          ///< since the beginning
    double secondsRemaining = 0; ///< estimated; negative: not known yet
};

struct CampaignOptions
{
    int jobs = 1; ///< at a time, each in a thread
    bool retryFailed = false;
    std::optional<JobId> only = std::nullopt; ///< this job alone; it may have failed before
    /// Asked several times a second by the calling thread; true ends all runs, cleanly.
    std::function<bool()> cancelled = {};
    std::function<void(const CampaignProgress &)> progress = {}; ///< likewise
};

struct CampaignReport
{
    std::size_t done = 0;      ///< jobs that went well
    std::size_t failed = 0;    ///< their log is in the study
    std::size_t recovered = 0; ///< jobs that somebody who was killed had left running
    std::size_t waiting = 0;   ///< still
    bool cancelled = false;
    std::string firstFailure; ///< last line of its log
    JobId firstFailed = 0;
};

/// Runs jobs that are waiting. A job's snapshots are stored in one transaction with its end (large
/// ones in a few before it), so that an interruption loses the jobs in flight at most. Jobs that
/// are done are never run again. What goes wrong with a job is its failure; what goes wrong with
/// the file is thrown, after the other jobs have been stopped.
///
/// A scalar study's job is one run, too: its snapshots are sampled at the job's points
/// (sampleSnapshot), and one value of each is stored.
CampaignReport runCampaign(StudyWriter &writer, const JobRunner &runner,
                           const CampaignOptions &options);

/// Runs the simulation at these parameters and stores hold-out snapshots; those that the study has
/// already are left out. Failures are counted, and their parameters not stored. Those of a scalar
/// study which differ in space only are one run; the report counts runs.
CampaignReport runHoldOuts(StudyWriter &writer, const JobRunner &runner,
                           std::span<const std::vector<double>> parameters,
                           const CampaignOptions &options);

/// Where a study's commands work: beside it.
std::filesystem::path workFolderOf(const std::filesystem::path &study);

} // namespace gridhelm::data
