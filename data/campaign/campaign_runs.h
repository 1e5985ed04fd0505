// SPDX-License-Identifier: GPL-3.0-or-later
//
// What all runs of campaigns have in common, whatever becomes of their snapshots.
#pragma once

#include "data/campaign/alike_failures.h"
#include "data/campaign/campaign.h"
#include "data/campaign/job_delivery.h"
#include "data/campaign/run_schedule.h"
#include "data/campaign/submitted_jobs.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::data {

/// What the run has printed, and why its results, which it has delivered, are of no use.
std::string unstorableLog(std::string log, std::string_view why);

/// Brings so many runs to their ends, or those that have been begun when it is paused, stopped or
/// cancelled, which the report says then.
void work(ScheduledRuns &runs, std::size_t total, std::span<const AdoptedRun> adopted,
          StudyWriter &writer, JobRunner &runner, const CampaignOptions &options,
          CampaignReport &report);

/// Commits wait for the disk again from its end on: see StudyWriter::setHasty().
struct NoHasteAfterwards
{
    StudyWriter &writer;
    ~NoHasteAfterwards() { writer.setHasty(false); }
};

/// What `work` writes, which are whole runs, is committed at its end, once for all of them; also
/// if it throws.
void inOneCommit(StudyWriter &writer, const std::function<void()> &work);

/// The runs of a campaign: what they were, and what came of them.
class CampaignRuns : public ScheduledRuns
{
public:
    /// All references must outlive it; the report is added to.
    CampaignRuns(StudyWriter &writer, JobRunner &runner, const CampaignOptions &options,
                 CampaignReport &report);

    /// work() on these. May be called again, with other runs.
    void work(std::size_t total, std::span<const AdoptedRun> adopted = {});

    /// One after the other, whichever of both they are, from now on: failures that are alike.
    void countFailuresWith(const CampaignRuns &others) { m_alike = others.m_alike; }

    /// Neither after its time, nor when the first runs have failed alike.
    bool mayBegin() const override;
    bool isQuick(std::size_t index, const RunStatus &status) const override;
    bool isToBeginAgain(std::size_t index) override;
    void inOneCommit(const std::function<void()> &work) override;

protected:
    /// Packs snapshots while nobody waits for it; those of scalar studies are not stored.
    std::function<RunSnapshot(RunSnapshot)> preparation() const;

    /// begin() has called it for a run that is to be submitted now.
    void noteBegun(std::size_t index);
    /// Before anything of a run is stored: whether to wait for the disk. Short runs would spend
    /// most of their time waiting, and to make those of the last second again takes no longer than
    /// that. Of a run elsewhere the last copy may be gone once it is released.
    void chooseHaste(std::size_t index, const RunStatus &status);
    void noteSuccess(); ///< after it was stored
    /// A run that has failed at a limit which its runner raises now is none that has failed:
    /// isToBeginAgain(). The log of its end begins with what is told of this one.
    bool isRetried(std::size_t index, const RunStatus &status);
    void noteFailure(JobId id, const std::string &name, const std::string &log);

    /// A new one, of a run elsewhere.
    std::string tokenOf(const std::string &name, RaisedLimits raised) const;
    /// Of a run, how often its limits were raised.
    RaisedLimits raised(std::size_t index) const;
    void setRaised(std::size_t index, RaisedLimits raised) { triesOf(index).raised = raised; }
    void say(const std::string &sentence) const; ///< to the user
    /// What its tries before this one have ended by, then this log.
    std::string wholeLog(std::size_t index, const std::string &log) const;

    CampaignStudy m_study;
    JobRunner &m_runner;
    const ParameterSpace m_space; ///< the writer's own moves when fields are added
    std::optional<std::size_t> m_time;
    std::string m_desk; ///< deskMark(), if runs go elsewhere
    std::string m_what; ///< JobRunner::whatIsRun()

private:
    struct Tries
    {
        RaisedLimits raised;
        std::string log;
        bool isToBeginAgain = false;
    };
    Tries &triesOf(std::size_t index);

    std::map<std::size_t, Tries> m_tries; ///< of those that were tried more than once
    const CampaignOptions &m_options;
    CampaignReport &m_report;
    /// Of each run; nothing of one that was not begun here.
    std::vector<std::optional<std::chrono::steady_clock::time_point>> m_begun;
    std::shared_ptr<AlikeFailures> m_alike = std::make_shared<AlikeFailures>();
};

/// Runs off the grid, of which each delivers one snapshot. Of runs elsewhere the study remembers
/// nothing: they are found again by their names, if their runner tells its tokens.
class SnapshotRuns : public CampaignRuns
{
public:
    using CampaignRuns::CampaignRuns;

    /// Those of the first `total` that the runner has already, and takes up again; those of another
    /// command are given up there. Throws what it throws if it cannot be asked.
    std::vector<AdoptedRun> findElsewhere(std::size_t total);

    bool isRemembered(std::size_t) const override { return m_runner.tellsTokens(); }
    std::optional<RunRequest> begin(std::size_t index) override;
    std::optional<RunResult> advance(std::size_t index, const std::string &id,
                                     const RunStatus &polled, const std::stop_token &stop) override;

protected:
    /// Of the run, unique in its study.
    virtual std::string nameOf(std::size_t index) const = 0;
    /// Values of all parameters.
    virtual const std::vector<double> &parametersOf(std::size_t index) const = 0;
    /// In one transaction, with everything that is to be remembered of the run's end.
    virtual void store(std::size_t index, RunSnapshot snapshot) = 0;
    /// Remembers that it has failed; returns its number, 0 if it has none.
    virtual JobId fail(std::size_t index, const std::string &log)
    {
        static_cast<void>(index);
        static_cast<void>(log);
        return 0;
    }

private:
    RunRequest requestOf(std::size_t index);

    std::vector<std::optional<RunSnapshot>> m_snapshots; ///< of runs that have been begun
};

} // namespace gridhelm::data
