// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/run_schedule.h"

#include "data/campaign/submitted_jobs.h"

#include <algorithm>
#include <utility>

namespace gridhelm::data {

namespace {

constexpr std::chrono::milliseconds maxWait(20);         ///< for news, until a stop is noticed
constexpr std::chrono::milliseconds grace(100);          ///< between a stop and the end of runs
constexpr std::chrono::milliseconds betweenWatches(100); ///< of who may cancel, or shows progress
constexpr std::chrono::milliseconds longestGroup(50);    ///< of runs that are stored together

std::size_t atATime(std::size_t total, const CampaignOptions &options)
{
    return std::min(total, static_cast<std::size_t>(std::max(options.jobs, 1)));
}

} // namespace

RunSchedule::RunSchedule(std::size_t total, ScheduledRuns &runs, JobRunner &runner,
                         const CampaignOptions &options)
    : m_runs(runs)
    , m_runner(runner)
    , m_options(options)
    , m_atATime(atATime(total, options))
    , m_held(m_atATime)
    , m_timings(total)
    , m_begun(total)
{
}

void RunSchedule::adopt(std::size_t index, std::string id)
{
    noteBegun(index);
    m_inFlight.push_back({index, std::move(id)});
}

void RunSchedule::noteBegun(std::size_t index)
{
    m_timings[index].state = RunTiming::State::running;
    m_begun[index] = Clock::now();
    while (m_next < m_timings.size() && m_timings[m_next].state != RunTiming::State::waiting)
        ++m_next;
}

std::size_t RunSchedule::notBegun() const
{
    return static_cast<std::size_t>(
        std::ranges::count(m_timings, RunTiming::State::waiting, &RunTiming::state));
}

bool RunSchedule::work()
{
    const std::stop_callback stopping(m_options.stop, [this] { m_stop.request_stop(); });
    try {
        for (beginRuns(); !m_inFlight.empty(); look()) {
            m_runner.waitForNews(maxWait);
            watch();
            cancelIfStopped();
        }
    } catch (...) {
        m_stop.request_stop();
        abandon();
        report();
        throw;
    }
    m_cancelled = m_stop.stop_requested();
    report();
    return !m_cancelled;
}

/// What is about to end may end: its work is not thrown away.
void RunSchedule::cancelIfStopped()
{
    if (!m_stop.stop_requested() || m_wereCancelled)
        return;
    if (!m_stopped)
        m_stopped = Clock::now();
    if (Clock::now() - *m_stopped < grace)
        return;
    m_wereCancelled = true;
    leaveRemembered();
    if (!m_inFlight.empty())
        m_runner.cancel(ids());
}

/// To whoever comes next.
void RunSchedule::leaveRemembered()
{
    if (m_runner.leavesRunsOnStop())
        m_left += std::erase_if(m_inFlight,
                                [this](const auto &run) { return m_runs.isRemembered(run.index); });
}

void RunSchedule::watch()
{
    if (Clock::now() - m_watched < betweenWatches)
        return;
    if (!m_stop.stop_requested() && m_options.cancelled && m_options.cancelled())
        m_stop.request_stop();
    m_isPausing = (m_options.pausing && m_options.pausing()) || m_isPausing;
    for (const auto &sentence : m_runner.takeNews())
        if (m_options.say)
            m_options.say(sentence);
    report();
    m_watched = Clock::now();
}

bool RunSchedule::mayBeginNow()
{
    m_isPausing = m_isPausing || !m_runs.mayBegin();
    return !m_stop.stop_requested() && !m_isPausing;
}

bool RunSchedule::mayBegin()
{
    return mayBeginNow() && isAnyLeft();
}

bool RunSchedule::isAnyLeft()
{
    // Who holds more than run at a time has all of them before one ends.
    if (m_next == m_timings.size() && m_mayThereBeMore && !m_inFlight.empty()
        && m_inFlight.size() < static_cast<std::size_t>(m_options.jobs))
        askForMore();
    return m_next < m_timings.size();
}

void RunSchedule::askForMore()
{
    m_mayThereBeMore = false;
    const auto total = m_timings.size() + m_runs.more();
    m_timings.resize(total);
    m_begun.resize(total);
    m_atATime = atATime(total, m_options);
}

void RunSchedule::beginRuns()
{
    std::vector<RunRequest> batch;
    std::vector<std::size_t> indices;
    try {
        beginBatch(batch, indices);
        if (batch.empty())
            return;
        const auto ids = m_runner.submit(batch, m_atATime);
        for (std::size_t i = 0; i < ids.size(); ++i)
            m_inFlight.push_back({indices[i], ids[i]});
        const auto begun = std::exchange(indices, {}); // nobody gives these up any more
        m_runs.submitted(begun, ids);
    } catch (...) {
        std::vector<std::string> tokens;
        for (std::size_t i = 0; i < indices.size(); ++i)
            tokens.push_back(batch[i].token);
        const auto may = mayRun(m_runner, tokens);
        for (std::size_t i = 0; i < indices.size(); ++i)
            if (!may[i])
                m_runs.giveUp(indices[i]);
        throw;
    }
}

void RunSchedule::beginBatch(std::vector<RunRequest> &batch, std::vector<std::size_t> &indices)
{
    const auto most = m_runner.maxSubmitted(m_atATime);
    m_held = std::max(m_atATime, most);
    while (m_inFlight.size() + batch.size() < most && mayBegin()) {
        const auto number =
            std::min(most - m_inFlight.size() - batch.size(), m_timings.size() - m_next);
        if (number > 1)
            m_runs.inOneCommit([&] { beginSome(batch, indices, number); });
        else
            beginSome(batch, indices, number);
    }
}

void RunSchedule::beginSome(std::vector<RunRequest> &batch, std::vector<std::size_t> &indices,
                            std::size_t most)
{
    for (std::size_t i = 0; i < most && m_next < m_timings.size() && mayBeginNow(); ++i) {
        const auto index = m_next;
        noteBegun(index);
        if (auto request = m_runs.begin(index)) {
            batch.push_back(*std::move(request));
            indices.push_back(index);
            continue;
        }
        RunStatus finished;
        finished.state = RunState::finished;
        if (const auto result = m_runs.advance(index, {}, finished, m_stop.get_token()))
            endRun(index, *result);
    }
}

std::vector<std::string> RunSchedule::ids() const
{
    std::vector<std::string> all;
    for (const auto &run : m_inFlight)
        all.push_back(run.id);
    return all;
}

void RunSchedule::look()
{
    const auto runs = m_inFlight; // others come, and these go, meanwhile
    const auto statuses = m_runner.poll(ids());
    for (std::size_t i = 0; i < runs.size(); ++i)
        m_timings[runs[i].index].part = statuses[i].part;
    noteRunning(statuses);
    std::vector<std::size_t> news;
    bool areQuick = true;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!hasEnded(statuses[i].state) && !statuses[i].hasSnapshots)
            continue;
        news.push_back(i);
        areQuick =
            areQuick && hasEnded(statuses[i].state) && m_runs.isQuick(runs[i].index, statuses[i]);
    }
    const bool areGrouped = areQuick && news.size() > 1;
    for (auto next = news.begin(); next != news.end();) {
        const auto advanceSome = [&] {
            const auto until = Clock::now() + longestGroup;
            do {
                // Elsewhere, what is begun together is one order.
                if (advance(runs[*next], statuses[*next]) && !areGrouped && m_runner.isLocal())
                    beginRuns();
                watch();
                cancelIfStopped();
            } while (++next != news.end() && areGrouped && Clock::now() < until);
        };
        if (areGrouped)
            m_runs.inOneCommit(advanceSome);
        else
            advanceSome();
    }
    beginRuns();
}

/// `statuses`: of those in flight.
void RunSchedule::noteRunning(const std::vector<RunStatus> &statuses)
{
    std::vector<std::size_t> begun;
    for (std::size_t i = 0; i < m_inFlight.size(); ++i) {
        if (statuses[i].state == RunState::running && !std::exchange(m_inFlight[i].isRunning, true))
            begun.push_back(m_inFlight[i].index);
    }
    if (!begun.empty())
        m_runs.noteRunning(begun);
}

bool RunSchedule::advance(const InFlight &run, const RunStatus &status)
{
    const auto forget = [&] {
        std::erase_if(m_inFlight, [&](const auto &other) { return other.index == run.index; });
    };
    std::optional<RunResult> result;
    try {
        // Those that have finished are stored, whatever the user wants next.
        const auto stop =
            status.state == RunState::finished ? std::stop_token() : m_stop.get_token();
        result = m_runs.advance(run.index, run.id, status, stop);
    } catch (...) {
        forget();
        m_runner.release(run.id);
        throw;
    }
    if (!result)
        return false;
    forget();
    m_runner.release(run.id);
    if (*result == RunResult::failed && m_runs.isToBeginAgain(run.index))
        waitAgain(run.index);
    else
        endRun(run.index, *result);
    return true;
}

void RunSchedule::waitAgain(std::size_t index)
{
    m_timings[index] = {};
    m_next = std::min(m_next, index);
}

void RunSchedule::endRun(std::size_t index, RunResult result)
{
    m_mayThereBeMore = true;
    auto &run = m_timings[index];
    run.seconds = std::chrono::duration<double>(Clock::now() - m_begun[index]).count();
    if (result != RunResult::cancelled)
        run.state =
            result == RunResult::failed ? RunTiming::State::failed : RunTiming::State::ended;
}

/// After an exception: the others end, and what they have not done waits for another time.
void RunSchedule::abandon()
{
    leaveRemembered();
    for (bool isCancelled = false; !m_inFlight.empty();) {
        const auto before = m_inFlight.size();
        try {
            if (!std::exchange(isCancelled, true))
                m_runner.cancel(ids());
            m_runner.waitForNews(maxWait);
            look();
        } catch (const std::exception &) {
            // The first one is what is reported. A runner that cannot be asked is left alone.
            if (m_inFlight.size() == before)
                return;
        }
    }
}

void RunSchedule::report()
{
    if (!m_options.progress)
        return;
    const auto now = Clock::now();
    CampaignProgress progress;
    progress.total = m_timings.size();
    for (std::size_t i = 0; i < m_timings.size(); ++i) {
        auto &run = m_timings[i];
        if (run.state == RunTiming::State::running)
            run.seconds = std::chrono::duration<double>(now - m_begun[i]).count();
        progress.failed += run.state == RunTiming::State::failed;
        if (run.state == RunTiming::State::running)
            progress.part += run.part;
        progress.done +=
            run.state == RunTiming::State::failed || run.state == RunTiming::State::ended;
    }
    progress.part += static_cast<double>(progress.done);
    progress.part /= static_cast<double>(std::max<std::size_t>(progress.total, 1));
    progress.secondsRemaining = secondsRemaining(m_timings, m_held);
    progress.seconds = std::chrono::duration<double>(now - m_started).count();
    m_options.progress(progress);
}

} // namespace gridhelm::data
