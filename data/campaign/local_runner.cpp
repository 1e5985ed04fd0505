// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/local_runner.h"

#include <omp.h>

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

namespace gridhelm::data {

namespace {

/// Of snapshots that wait for being collected; a run that has more of them waits, too.
constexpr std::size_t maxWaitingBytes = std::size_t{64} << 20;

std::size_t bytesOf(const RunSnapshot &snapshot)
{
    std::size_t bytes = 0;
    for (const auto &values : snapshot.values)
        bytes += values.size() * sizeof(float);
    return bytes;
}

} // namespace

struct LocalRunner::Run
{
    RunRequest request;
    std::unique_ptr<LocalRun> run; ///< from its beginning on
    std::stop_source stop = {};
    RunStatus status = {};
    std::deque<std::pair<std::size_t, RunSnapshot>> arrived = {};
    std::size_t bytes = 0;          ///< of these
    std::exception_ptr thrown = {}; ///< by run() or collect(); a finished run is said to be there
    bool wasCollected = false;      ///< by who collects
    bool hasLost = false;           ///< something that it delivered; of its own thread
};

LocalRunner::LocalRunner(Make make)
    : m_make(std::move(make))
    , m_cores(omp_get_max_threads())
{
}

LocalRunner::~LocalRunner()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isOver = true;
        for (auto &[id, run] : m_runs)
            run->stop.request_stop();
    }
    m_work.notify_all();
    m_room.notify_all();
    m_threads.clear();
}

std::vector<std::string> LocalRunner::submit(std::span<const RunRequest> runs, std::size_t atATime)
{
    std::vector<std::string> ids;
    {
        const std::scoped_lock lock(m_mutex);
        m_atATime = std::max<std::size_t>(atATime, 1);
        requireThreads(
            std::min(m_atATime, m_threads.size() - m_idle + m_waiting.size() + runs.size()));
        for (const auto &request : runs) {
            auto run = std::make_shared<Run>();
            run->request = request;
            m_runs[request.name] = run;
            m_waiting.push_back(std::move(run));
            ids.push_back(request.name);
        }
    }
    m_work.notify_all();
    return ids;
}

/// With the mutex.
void LocalRunner::requireThreads(std::size_t wanted)
{
    while (m_threads.size() < wanted) {
        try {
            m_threads.emplace_back([this] { takeRuns(); });
        } catch (const std::system_error &) {
            if (m_threads.empty())
                throw;
            return; // fewer do as well
        }
    }
}

std::vector<RunStatus> LocalRunner::poll(std::span<const std::string> ids)
{
    const std::scoped_lock lock(m_mutex);
    std::vector<RunStatus> all;
    for (const auto &id : ids) {
        const auto found = m_runs.find(id);
        if (found == m_runs.end()) {
            all.push_back({RunState::lost});
            continue;
        }
        all.push_back(found->second->status);
        all.back().hasSnapshots = !found->second->arrived.empty();
    }
    return all;
}

RunStatus LocalRunner::collect(const std::string &id, const RunSink &sink,
                               const std::stop_token &stop)
{
    std::unique_lock lock(m_mutex);
    const auto found = m_runs.find(id);
    if (found == m_runs.end())
        return {RunState::lost};
    const auto run = found->second;
    // What comes from now on is for the next call.
    const bool hasFinished = run->status.state == RunState::finished;
    auto arrived = std::exchange(run->arrived, {});
    run->bytes = 0;
    lock.unlock();
    m_room.notify_all();
    if (hasFinished && run->thrown)
        std::rethrow_exception(run->thrown);
    for (auto &[index, snapshot] : arrived)
        sink(index, std::move(snapshot));
    if (hasFinished && !run->wasCollected)
        collectEnd(*run, sink, stop);
    lock.lock();
    return run->status;
}

/// What it has at its end: once, also if that was seen before anybody was told of the end.
void LocalRunner::collectEnd(Run &run, const RunSink &sink, const std::stop_token &stop)
{
    auto status = run.status;
    try {
        const auto result = run.run->collect(sink, stop, status.log);
        if (result != RunResult::finished)
            status.state = result == RunResult::failed ? RunState::failed : RunState::cancelled;
    } catch (...) {
        run.thrown = std::current_exception();
        throw;
    }
    run.wasCollected = true;
    const std::scoped_lock lock(m_mutex);
    run.status = status;
}

void LocalRunner::cancel(std::span<const std::string> ids)
{
    {
        const std::scoped_lock lock(m_mutex);
        for (const auto &id : ids) {
            const auto found = m_runs.find(id);
            if (found == m_runs.end())
                continue;
            found->second->stop.request_stop();
            if (std::erase(m_waiting, found->second) > 0)
                found->second->status.state = RunState::cancelled;
        }
        m_hasNews = true;
    }
    m_room.notify_all();
    m_newsCame.notify_all();
}

void LocalRunner::release(const std::string &id)
{
    std::shared_ptr<Run> last; // outlives the lock: ending it may take a moment
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_runs.find(id);
        if (found == m_runs.end())
            return;
        last = std::move(found->second);
        m_runs.erase(found);
        std::erase(m_waiting, last);
        last->stop.request_stop();
    }
    m_room.notify_all();
}

void LocalRunner::waitForNews(std::chrono::milliseconds most)
{
    std::unique_lock lock(m_mutex);
    m_newsCame.wait_for(lock, most, [this] { return m_hasNews; });
    m_hasNews = false;
}

void LocalRunner::takeRuns()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        ++m_idle;
        m_work.wait(lock, [this] { return m_isOver || !m_waiting.empty(); });
        --m_idle;
        if (m_isOver)
            return;
        const auto run = std::move(m_waiting.front());
        m_waiting.pop_front();
        run->status.state = RunState::running;
        // Runs share the cores: each with all of them would wait for the others' threads at every
        // turn.
        const int threads = std::max(1, m_cores / static_cast<int>(m_atATime));
        lock.unlock();
        omp_set_num_threads(threads);
        make(*run);
        lock.lock();
        m_hasNews = true;
        m_newsCame.notify_all();
    }
}

void LocalRunner::make(Run &run)
{
    auto result = RunResult::finished;
    std::string log;
    std::exception_ptr thrown;
    try {
        run.run = m_make(run.request);
        result = run.run->run(
            [&](std::size_t index, RunSnapshot snapshot) { put(run, index, std::move(snapshot)); },
            run.stop.get_token(),
            [&](double part) {
                const std::scoped_lock lock(m_mutex);
                run.status.part = std::clamp(part, 0.0, 0.99);
            },
            log);
    } catch (...) {
        thrown = std::current_exception();
    }
    if (run.hasLost && result == RunResult::finished)
        result = RunResult::cancelled; // it was at its very end; what it has is not all
    const std::scoped_lock lock(m_mutex);
    run.thrown = thrown;
    run.status.log = std::move(log);
    run.status.state = result == RunResult::finished ? RunState::finished
                       : result == RunResult::failed ? RunState::failed
                                                     : RunState::cancelled;
}

void LocalRunner::put(Run &run, std::size_t index, RunSnapshot snapshot)
{
    if (run.stop.stop_requested()) {
        run.hasLost = true; // nobody wants it any more
        return;
    }
    if (run.request.prepare)
        snapshot = run.request.prepare(std::move(snapshot));
    std::unique_lock lock(m_mutex);
    m_room.wait(
        lock, [&] { return run.bytes < maxWaitingBytes || run.stop.stop_requested() || m_isOver; });
    run.bytes += bytesOf(snapshot);
    run.arrived.emplace_back(index, std::move(snapshot));
    m_hasNews = true;
    m_newsCame.notify_all();
}

} // namespace gridhelm::data
