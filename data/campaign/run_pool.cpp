// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/run_pool.h"

#include <omp.h>

#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>

namespace gridhelm::data {

double secondsRemaining(const std::vector<RunTiming> &runs, std::size_t atATime)
{
    // A run takes as long as those that have ended, or as those tell that are on their way.
    double taken = 0, told = 0;
    std::size_t ended = 0, telling = 0, left = 0;
    for (const auto &run : runs) {
        if (run.state == RunTiming::State::ended) {
            taken += run.seconds;
            ++ended;
        } else if (run.state == RunTiming::State::running && run.part > 0) {
            told += run.seconds / run.part;
            ++telling;
        }
        left += run.state == RunTiming::State::waiting || run.state == RunTiming::State::running;
    }
    if (left == 0)
        return 0;
    if (ended + telling == 0)
        return -1;
    const double one =
        ended > 0 ? taken / static_cast<double>(ended) : told / static_cast<double>(telling);
    double work = 0, longest = 0;
    for (const auto &run : runs) {
        double more = 0;
        if (run.state == RunTiming::State::waiting)
            more = one;
        else if (run.state == RunTiming::State::running)
            more = run.part > 0 ? run.seconds * (1 - run.part) / run.part
                                : std::max(0.0, one - run.seconds);
        work += more;
        longest = std::max(longest, more);
    }
    return std::max(longest,
                    work / static_cast<double>(std::max<std::size_t>(std::min(atATime, left), 1)));
}

RunPool::RunPool(std::size_t total, Run run, const CampaignOptions &options)
    : m_run(std::move(run))
    , m_options(options)
    , m_runs(total)
    , m_begun(total)
{
}

bool RunPool::work()
{
    const auto wanted =
        std::min(m_runs.size(), static_cast<std::size_t>(std::max(m_options.jobs, 1)));
    // Runs share the cores: each with all of them would wait for the others' threads at every turn.
    const int threadsOfRun =
        std::max(1, omp_get_max_threads() / static_cast<int>(std::max<std::size_t>(wanted, 1)));
    {
        std::vector<std::jthread> threads;
        std::unique_lock lock(m_mutex);
        for (; m_threads < wanted; ++m_threads) {
            try {
                threads.emplace_back([this, threadsOfRun] {
                    omp_set_num_threads(threadsOfRun);
                    takeRuns(); // waits for the mutex
                });
            } catch (const std::system_error &) {
                if (m_threads == 0)
                    throw;
                break; // fewer do as well
            }
            ++m_active;
        }
        while (m_active > 0) {
            m_ended.wait_for(lock, std::chrono::milliseconds(100));
            lock.unlock();
            if (!m_stop.stop_requested() && m_options.cancelled && m_options.cancelled()) {
                m_cancelled = true;
                m_stop.request_stop();
            }
            const bool isPausing = m_options.pausing && m_options.pausing();
            report();
            lock.lock();
            m_isPausing = m_isPausing || isPausing;
        }
    }
    report();
    if (m_exception)
        std::rethrow_exception(m_exception);
    return !m_cancelled;
}

void RunPool::beginNoMore()
{
    const std::scoped_lock lock(m_mutex);
    m_isPausing = true;
}

void RunPool::takeRuns()
{
    std::unique_lock lock(m_mutex);
    while (!m_stop.stop_requested() && !m_isPausing && m_next < m_runs.size()) {
        const auto index = m_next++;
        m_runs[index].state = RunTiming::State::running;
        m_begun[index] = Clock::now();
        lock.unlock();
        makeRun(index);
        lock.lock();
    }
    --m_active;
    m_ended.notify_all();
}

void RunPool::makeRun(std::size_t index)
{
    try {
        const auto result = m_run(index, m_stop.get_token(), [&](double part) {
            const std::scoped_lock lock(m_mutex);
            m_runs[index].part = std::clamp(part, 0.0, 0.99);
        });
        const std::scoped_lock lock(m_mutex);
        auto &run = m_runs[index];
        run.seconds = std::chrono::duration<double>(Clock::now() - m_begun[index]).count();
        if (result != RunResult::cancelled)
            run.state =
                result == RunResult::failed ? RunTiming::State::failed : RunTiming::State::ended;
    } catch (...) {
        const std::scoped_lock lock(m_mutex);
        if (!m_exception)
            m_exception = std::current_exception();
        m_stop.request_stop();
    }
}

void RunPool::report()
{
    if (!m_options.progress)
        return;
    const auto now = Clock::now();
    CampaignProgress progress;
    {
        const std::scoped_lock lock(m_mutex);
        progress.total = m_runs.size();
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            auto &run = m_runs[i];
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
        progress.secondsRemaining = secondsRemaining(m_runs, m_threads);
    }
    progress.seconds = std::chrono::duration<double>(now - m_started).count();
    m_options.progress(progress);
}

} // namespace gridhelm::data
