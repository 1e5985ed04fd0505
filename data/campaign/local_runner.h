// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/job_runner.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace gridhelm::data {

/// One run in this process. A thread calls run(), and, if that has finished, another one collect().
class LocalRun
{
public:
    virtual ~LocalRun() = default;
    /// Takes as long as the simulation does. A failure's reason is in `log`, and whatever the
    /// simulation printed. The sink may block. Throws what the sink throws, and StorageError.
    virtual RunResult run(const RunSink &sink, const std::stop_token &stop,
                          const std::function<void(double)> &progress, std::string &log) = 0;
    /// Hands over what was not handed over by run(): results that lie in files.
    virtual RunResult collect(const RunSink &, const std::stop_token &, std::string &)
    {
        return RunResult::finished;
    }
};

/// Runs in threads of its own, `atATime` at once, which share the cores.
class LocalRunner : public JobRunner
{
public:
    /// To be called by any thread.
    using Make = std::function<std::unique_ptr<LocalRun>(const RunRequest &)>;

    explicit LocalRunner(Make make);
    /// Cancels all runs, and waits for their ends.
    ~LocalRunner() override;
    LocalRunner(const LocalRunner &) = delete;
    LocalRunner &operator=(const LocalRunner &) = delete;

    bool isLocal() const override { return true; }
    std::vector<std::string> submit(std::span<const RunRequest> runs, std::size_t atATime) override;
    std::vector<RunStatus> poll(std::span<const std::string> ids) override;
    RunStatus collect(const std::string &id, const RunSink &sink,
                      const std::stop_token &stop) override;
    void cancel(std::span<const std::string> ids) override;
    void release(const std::string &id) override;
    void waitForNews(std::chrono::milliseconds most) override;

private:
    struct Run;

    void requireThreads(std::size_t wanted);
    void takeRuns();
    void make(Run &run);
    void collectEnd(Run &run, const RunSink &sink, const std::stop_token &stop);
    void put(Run &run, std::size_t index, RunSnapshot snapshot);

    Make m_make;
    int m_cores;        ///< that the thread which makes the runner may use
    std::mutex m_mutex; ///< for what follows, but the requests and results of runs
    std::condition_variable m_work, m_room, m_newsCame;
    std::map<std::string, std::shared_ptr<Run>> m_runs; ///< by their ids, which are their names
    std::deque<std::shared_ptr<Run>> m_waiting;
    std::size_t m_idle = 0; ///< threads
    std::size_t m_atATime = 1;
    bool m_hasNews = false;
    bool m_isOver = false;
    std::vector<std::jthread> m_threads;
};

} // namespace gridhelm::data
