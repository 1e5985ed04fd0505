// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/campaign_options.h"
#include "data/campaign/job_runner.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <vector>

namespace gridhelm::data {

/// What is known about the time that one run takes.
struct RunTiming
{
    enum class State { waiting, running, ended, failed } state = State::waiting;
    double seconds = 0; ///< that it has taken so far
    double part = 0;    ///< of its work that is done, 0 .. 1; 0 if it does not say
};

/// How long it will take until all runs have ended, `atATime` of them at a time. Negative: no run
/// tells yet. Failed runs count as ended, but not for how long a run takes.
double secondsRemaining(const std::vector<RunTiming> &runs, std::size_t atATime);

/// A number of runs, some at a time. The first exception of a run stops the others.
class RunPool
{
public:
    using Run = std::function<RunResult(std::size_t index, const std::stop_token &stop,
                                        const std::function<void(double)> &progress)>;

    RunPool(std::size_t total, Run run, const CampaignOptions &options);

    /// False if it was cancelled. Throws what a run throws.
    bool work();
    /// As a pause does, at once; for runs to call.
    void beginNoMore();
    /// Whether runs were left out because a pause was asked for, or by beginNoMore().
    bool isPaused() const { return m_isPausing && !m_cancelled && notBegun() > 0; }
    std::size_t notBegun() const { return m_runs.size() - m_next; } ///< after work()

private:
    using Clock = std::chrono::steady_clock;

    void takeRuns();
    void makeRun(std::size_t index);
    void report();

    Run m_run;
    const CampaignOptions &m_options;
    Clock::time_point m_started = Clock::now();
    std::stop_source m_stop;
    std::size_t m_threads = 0;
    bool m_cancelled = false;

    std::mutex m_mutex; ///< for what follows
    std::condition_variable m_ended;
    std::vector<RunTiming> m_runs;
    std::vector<Clock::time_point> m_begun; ///< of each run
    std::size_t m_next = 0;
    bool m_isPausing = false;
    std::size_t m_active = 0; ///< threads
    std::exception_ptr m_exception;
};

} // namespace gridhelm::data
