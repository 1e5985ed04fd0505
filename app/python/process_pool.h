// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/answer_form.h"
#include "app/python/process_messages.h"
#include "app/python/python_runner.h"
#include "data/campaign/job_runner.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace gridhelm::python {

/// A JobRunner over processes that outlive it: see processRunners().
///
/// Calls lie in one socket, from which each process takes the next when it has time for it: a slow
/// one holds up nobody else's, and none waits for us. What a process is at is in the memory that is
/// shared with it. A thread for each process reads its answers; a process that has ended, or was
/// ended because its call was cancelled or takes too long, is replaced.
class ProcessPool
{
public:
    /// With the interpreter's lock; the others without it.
    ProcessPool(const Callable &processes, const Callable &accept);
    /// After end().
    ~ProcessPool();
    ProcessPool(const ProcessPool &) = delete;
    ProcessPool &operator=(const ProcessPool &) = delete;

    std::size_t maxSubmitted(std::size_t atATime) const;
    void submit(std::span<const data::RunRequest> runs, std::size_t atATime);
    std::vector<data::RunStatus> poll(std::span<const std::string> ids);
    data::RunStatus collect(const std::string &id, const data::RunSink &sink);
    void cancel(std::span<const std::string> ids);
    void release(const std::string &id);
    void waitForNews(std::chrono::milliseconds most);
    /// Cancels all runs, waits for their ends, and forgets them.
    void end();

private:
    struct Run;
    struct Process;
    using Clock = std::chrono::steady_clock;
    using Lock = std::unique_lock<std::mutex>;

    void serve(std::size_t k);
    bool requireProcess(std::size_t k, Lock &lock);
    void read(std::size_t k);
    void take(Answer answer);
    void hasEnded(std::size_t k, const std::string &why, Lock &lock);

    // With the mutex.
    void feed();
    bool send(Run &run);
    void recall();
    void findLost();
    void kill(std::size_t k);
    void endRun(const std::shared_ptr<Run> &run, data::RunState state, std::string log = {});
    std::shared_ptr<Run> workedOn(std::size_t k);
    std::optional<Clock::time_point> deadline(std::size_t k);
    bool isQuick() const;
    std::size_t ahead() const;
    std::chrono::duration<double> pause() const;

    Callable m_processes;
    AnswerForms m_forms;
    int m_calls = -1, m_queue = -1; ///< Python's, both
    std::int64_t *m_slots = nullptr;
    std::optional<double> m_timeout;

    mutable std::mutex m_mutex; ///< for what follows
    std::condition_variable m_work, m_newsCame, m_room;
    std::map<std::string, std::shared_ptr<Run>> m_runs; ///< by their names
    std::deque<std::shared_ptr<Run>> m_waiting;
    std::map<std::uint64_t, std::shared_ptr<Run>> m_sent; ///< and not yet answered
    std::uint64_t m_lastNumber = 0;
    std::size_t m_atATime = 1;
    std::size_t m_taking = 0;                      ///< threads that bring answers into form
    std::size_t m_arrived = 0, m_arrivedBytes = 0; ///< runs that nobody has collected
    double m_pace;                                 ///< seconds of the last calls
    std::size_t m_answerBytes = 0;                 ///< of the last one
    std::optional<Clock::time_point> m_news;       ///< since when
    std::optional<Clock::time_point> m_lookForLost;
    bool m_isOver = false;
    std::vector<std::unique_ptr<Process>> m_all;
};

} // namespace gridhelm::python
