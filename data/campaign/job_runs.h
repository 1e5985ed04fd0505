// SPDX-License-Identifier: GPL-3.0-or-later
//
// The runs of a grid's jobs. Private to data.
#pragma once

#include "data/campaign/campaign_runs.h"
#include "data/campaign/job_delivery.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::data {

class JobRuns : public CampaignRuns
{
public:
    JobRuns(StudyWriter &writer, JobRunner &runner, const CampaignOptions &options,
            std::vector<Job> jobs, CampaignReport &report);

    /// Marks the job as running, and says what it is to do.
    std::optional<RunRequest> begin(std::size_t index) override;
    /// The job was begun by an earlier campaign, and goes on elsewhere.
    void adopt(const AdoptedRun &run);
    void submitted(std::span<const std::size_t> indices, std::span<const std::string> ids) override;
    void noteRunning(std::span<const std::size_t> indices) override;
    std::optional<RunResult> advance(std::size_t index, const std::string &id,
                                     const RunStatus &polled, const std::stop_token &stop) override;
    void giveUp(std::size_t index) override;
    using CampaignRuns::setRaised;
    bool isRemembered(std::size_t) const override { return !m_runner.isLocal(); }

    /// The grid has grown. Returns how many jobs have come with that, whose indices follow.
    std::size_t takeNewJobs();

private:
    std::map<double, Moment> momentsOf(const Job &job, std::vector<double> &parameters) const;
    RunRequest prepared(std::size_t index);
    RunResult endUnfinished(std::size_t index, const RunStatus &status);
    void putBack(JobDelivery &delivery);

    std::vector<Job> m_jobs;
    std::vector<std::unique_ptr<JobDelivery>> m_deliveries; ///< of those that have been begun
    std::vector<std::string> m_tokens;                      ///< likewise, if they run elsewhere
    std::vector<bool> m_there; ///< points whose snapshots an interrupted job has left
};

} // namespace gridhelm::data
