// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/campaign_options.h"
#include "data/campaign/job_runner.h"
#include "data/campaign/run_timing.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::data {

/// What is done with the runs of a schedule.
class ScheduledRuns
{
public:
    virtual ~ScheduledRuns() = default;
    /// What is to be run; nothing if all of it is there, so that the run has finished.
    virtual std::optional<RunRequest> begin(std::size_t index) = 0;
    /// These, which were begun, are known to the runner as `ids` from now on.
    virtual void submitted(std::span<const std::size_t> indices, std::span<const std::string> ids)
    {
        static_cast<void>(indices);
        static_cast<void>(ids);
    }
    /// These are seen to run: those that are queued elsewhere at first are no more.
    virtual void noteRunning(std::span<const std::size_t> indices) { static_cast<void>(indices); }
    /// Collects and stores what is there; a run that has ended is called with once. Returns how it
    /// has ended for us, or nothing if it goes on.
    virtual std::optional<RunResult> advance(std::size_t index, const std::string &id,
                                             const RunStatus &status,
                                             const std::stop_token &stop) = 0;
    /// Whether a run that has just failed is begun once more, instead; asked once.
    virtual bool isToBeginAgain(std::size_t index)
    {
        static_cast<void>(index);
        return false;
    }
    /// One that was begun was not submitted, surely: it waits for another time.
    virtual void giveUp(std::size_t index) { static_cast<void>(index); }
    /// Whether who comes next finds a run that goes on elsewhere: it is left there on a stop, if
    /// its runner leaves any.
    virtual bool isRemembered(std::size_t index) const
    {
        static_cast<void>(index);
        return false;
    }
    /// False as a pause does, at once: no others are begun from then on.
    virtual bool mayBegin() const { return true; }
    /// All have been begun, some go on, and fewer than there may be at a time: how many others
    /// there are now, which follow. Asked once more when another run has ended.
    virtual std::size_t more() { return 0; }
    /// Whether its run, which has ended so, took so little time that it is stored together with
    /// others.
    virtual bool isQuick(std::size_t index, const RunStatus &status) const
    {
        static_cast<void>(index);
        static_cast<void>(status);
        return false;
    }
    /// `work` begins or advances several: what it writes is committed once, at its end.
    virtual void inOneCommit(const std::function<void()> &work) { work(); }
};

/// Brings a number of runs to their ends, some at a time: begins and submits them, polls and
/// collects, all in the calling thread. The first exception of a run stops the others.
class RunSchedule
{
public:
    RunSchedule(std::size_t total, ScheduledRuns &runs, JobRunner &runner,
                const CampaignOptions &options);

    /// A run that the runner has already, as `id`, is brought to its end with the others, and not
    /// begun. To be called before work().
    void adopt(std::size_t index, std::string id);

    /// False if it was cancelled. Throws what a run throws.
    bool work();
    /// Whether runs were left out because a pause was asked for, or by ScheduledRuns::mayBegin().
    bool isPaused() const { return m_isPausing && !m_cancelled && notBegun() > 0; }
    std::size_t notBegun() const; ///< after work()
    /// Runs that go on elsewhere, for who comes next, after work().
    std::size_t left() const { return m_left; }

private:
    using Clock = std::chrono::steady_clock;

    struct InFlight
    {
        std::size_t index;
        std::string id;
        bool isRunning = false;
    };

    void watch();
    void cancelIfStopped();
    void noteBegun(std::size_t index);
    void beginBatch(std::vector<RunRequest> &batch, std::vector<std::size_t> &indices);
    void beginSome(std::vector<RunRequest> &batch, std::vector<std::size_t> &indices,
                   std::size_t most);
    void beginRuns();
    void look();
    void noteRunning(const std::vector<RunStatus> &statuses);
    bool advance(const InFlight &run, const RunStatus &status); ///< whether it has ended
    void endRun(std::size_t index, RunResult result);
    void waitAgain(std::size_t index);
    void abandon();
    bool mayBegin();
    bool mayBeginNow();
    bool isAnyLeft();
    void askForMore();
    void report();
    std::vector<std::string> ids() const;
    void leaveRemembered();

    ScheduledRuns &m_runs;
    JobRunner &m_runner;
    const CampaignOptions &m_options;
    std::size_t m_atATime; ///< at most as many as there are
    std::size_t m_held;    ///< at most, by the runner: a run's time has that of its waiting in it
    Clock::time_point m_started = Clock::now();
    Clock::time_point m_watched = Clock::now();
    std::stop_source m_stop;
    bool m_cancelled = false;
    bool m_isPausing = false;

    std::vector<RunTiming> m_timings;
    std::vector<Clock::time_point> m_begun; ///< of each run
    std::size_t m_next = 0;                 ///< those before it have been begun, and some after it
    bool m_mayThereBeMore = false;          ///< a run has ended since this was asked
    std::vector<InFlight> m_inFlight;
    std::optional<Clock::time_point> m_stopped; ///< when the stop was noticed
    bool m_wereCancelled = false;               ///< those in flight
    std::size_t m_left = 0;
};

} // namespace gridhelm::data
