// SPDX-License-Identifier: GPL-3.0-or-later
//
// The threads of a ProcessPool, one for each process.
#include "app/python/process_pool.h"
#include "app/python/process_pool_parts.h"
#include "core/support/error.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <tuple>
#include <utility>

namespace gridhelm::python {

namespace nb = nanobind;
using data::RunState;

namespace {

constexpr std::size_t mostBytes = std::size_t{256} << 20; ///< that wait for being collected

} // namespace

void ProcessPool::serve(std::size_t k)
{
    Lock lock(m_mutex);
    while (!m_isOver) {
        if (!requireProcess(k, lock))
            continue;
        lock.unlock();
        std::string why;
        try {
            read(k);
        } catch (const std::exception &) {
            why = "sent what is no answer";
        }
        lock.lock();
        if (m_isOver)
            return;
        hasEnded(k, why, lock);
    }
}

/// Whether there is one; if there is none, and nothing to do either, waits until there is.
bool ProcessPool::requireProcess(std::size_t k, Lock &lock)
{
    if (m_all[k]->pid != 0)
        return true;
    m_work.wait(lock, [this] { return m_isOver || !m_waiting.empty() || !m_sent.empty(); });
    if (m_isOver)
        return false;
    lock.unlock();
    std::string problem;
    int stream = -1, pid = 0;
    {
        const nb::gil_scoped_acquire python;
        try {
            std::tie(stream, pid) =
                nb::cast<std::pair<int, int>>(m_processes.object().attr("begin")(k));
        } catch (nb::python_error &error) {
            problem = nb::cast<std::string>(nb::str(error.value()));
        }
    }
    lock.lock();
    if (pid != 0) {
        m_all[k]->begin(stream, pid);
        return true;
    }
    recall();
    if (!m_waiting.empty()) { // the next one tries again
        const auto run = m_waiting.front();
        m_waiting.pop_front();
        endRun(run, RunState::failed,
               fmt::format("no process could be begun for this run ({}): pass fewer, processes=",
                           problem));
    }
    feed();
    return false;
}

/// Until the process has ended, or all is over.
void ProcessPool::read(std::size_t k)
{
    auto &process = *m_all[k];
    while (true) {
        std::optional<Clock::time_point> until;
        std::chrono::duration<double> pause{};
        {
            const std::scoped_lock lock(m_mutex);
            if (m_isOver)
                return;
            pause = this->pause();
            until = deadline(k);
            if (until && *until <= Clock::now() && !process.answers->wait(Clock::now())) {
                process.isLate = true;
                kill(k);
                until.reset();
            }
        }
        if (!process.answers->wait(until))
            continue;
        if (pause.count() > 0 && !process.answers->holdsMore())
            std::this_thread::sleep_for(pause);
        auto answer = process.answers->next();
        if (!answer)
            return;
        take(std::move(*answer));
    }
}

void ProcessPool::take(Answer answer)
{
    std::shared_ptr<Run> run;
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_sent.find(answer.number);
        if (found == m_sent.end())
            return;
        run = found->second;
        m_sent.erase(found);
        ++m_taking;
        m_pace = std::max(answer.seconds, 1e-6);
        m_answerBytes = answer.text.size() + answer.values.size() * sizeof(double);
        feed(); // the others are not to wait until this one is packed
    }
    auto state = RunState::failed;
    const std::chrono::duration<double> took(answer.seconds);
    std::vector<data::RunSnapshot> snapshots;
    std::size_t bytes = 0;
    std::exception_ptr thrown;
    try {
        if (answer.hasFinished) {
            bytes = answer.values.size() * sizeof(double);
            snapshots = m_forms.snapshots(answer, run->request.times.size());
            answer = {};
            for (auto &snapshot : snapshots)
                if (run->request.prepare)
                    snapshot = run->request.prepare(std::move(snapshot));
            state = RunState::finished;
        }
    } catch (const Error &error) {
        answer.text = error.what();
    } catch (...) {
        thrown = std::current_exception();
        state = RunState::finished; // who collects it is told
    }
    Lock lock(m_mutex);
    m_room.wait(lock, [&] { return m_arrivedBytes < mostBytes || m_isOver || run->isCancelled; });
    if (state == RunState::finished && !run->isCancelled) {
        run->arrived = std::move(snapshots);
        run->bytes = bytes;
        run->thrown = thrown;
        m_arrivedBytes += bytes;
    }
    --m_taking;
    run->status.took = took; // not since it was submitted: many are at a time
    endRun(run, state, state == RunState::failed ? std::move(answer.text) : std::string());
}

void ProcessPool::hasEnded(std::size_t k, const std::string &why, Lock &lock)
{
    auto &process = *m_all[k];
    kill(k);
    process.pid = 0;
    const auto run = workedOn(k);
    if (run)
        m_sent.erase(run->number);
    std::atomic_ref(m_slots[2 * k]).store(-1);
    const bool isLate = process.isLate;
    lock.unlock();
    std::string how;
    {
        const nb::gil_scoped_acquire python;
        try {
            how = nb::cast<std::string>(m_processes.object().attr("ended")(k));
        } catch (nb::python_error &error) {
            how = error.what();
        }
    }
    lock.lock();
    if (!run) {
        m_lookForLost = Clock::now() + std::chrono::seconds(1);
        return;
    }
    if (isLate)
        how = fmt::format("the function did not return within {:g} s, so it was ended",
                          m_timeout.value_or(0));
    else if (!why.empty())
        how = "the process that ran the function " + why;
    endRun(run, RunState::failed, how);
    feed();
}

} // namespace gridhelm::python
