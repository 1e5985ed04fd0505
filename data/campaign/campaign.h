// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs what a study waits for.
#pragma once

#include "data/campaign/campaign_options.h"
#include "data/campaign/job_runner.h"
#include "data/study/study_writer.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::data {

struct CampaignReport
{
    std::string on;            ///< where runs went, see placeOf(); empty: none were to be run
    std::size_t done = 0;      ///< jobs that went well
    std::size_t failed = 0;    ///< their log is in the study
    std::size_t retried = 0;   ///< times that a job was tried again with more time or memory
    std::size_t recovered = 0; ///< jobs that somebody who was killed had left running
    std::size_t adopted = 0;   ///< jobs that ran elsewhere already, and were taken up again
    std::size_t elsewhere = 0; ///< jobs that go on at another place, which are left alone
    std::string elsewhereOn;   ///< the place of one of these
    std::size_t goOn = 0;      ///< jobs that run elsewhere, while it was cancelled here
    std::size_t waiting = 0;   ///< still
    bool cancelled = false;
    bool paused = false;      ///< some were not begun, because a pause was asked for
    bool stopped = false;     ///< some were not begun, because the first ones had failed alike
    bool areQuick = false;    ///< the last ones took so little time that commits did not wait
    std::size_t notBegun = 0; ///< if it was paused, cancelled or stopped
    /// Last line of its log; if the campaign was stopped, of one of those that failed alike.
    std::string firstFailure;
    JobId firstFailed = 0;
};

/// Runs jobs that are waiting, and after them runs off the grid that were planned (planPlaces()),
/// unless one job alone is asked for; and what `options.more` adds meanwhile, so that no place of a
/// run stands empty while one takes longer than others. A job's snapshots are stored in one
/// transaction with its end (large ones that come while it still runs in a few before it), so that
/// an interruption loses the jobs in flight at most (where they are short, and the power
/// fails: those of the last second), and a failed command leaves nothing in the study but its log.
/// Jobs that are done are never run again. What goes wrong with a job is its failure; what goes
/// wrong with the file is thrown, after the other jobs have been stopped.
///
/// Jobs that a runner elsewhere has already, because an earlier campaign was killed or could not
/// reach it any more, are taken up again; none is run twice.
///
/// A scalar study's job is one run, too: its snapshots are sampled at the job's points
/// (sampleSnapshot), and one value of each is stored.
CampaignReport runCampaign(StudyWriter &writer, JobRunner &runner, const CampaignOptions &options);

/// Runs the simulation at these parameters and stores hold-out snapshots; those that the study has
/// already are left out. Failures are counted, and their parameters not stored. Those of a scalar
/// study which differ in space only are one run; the report counts runs. Those that an earlier
/// call has left elsewhere are taken up again if the runner tells its tokens, else run once more.
CampaignReport runHoldOuts(StudyWriter &writer, JobRunner &runner,
                           std::span<const std::vector<double>> parameters,
                           const CampaignOptions &options);

/// Where a study's commands work: beside it.
std::filesystem::path workFolderOf(const std::filesystem::path &study);

} // namespace gridhelm::data
