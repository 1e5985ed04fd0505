// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/process_pool.h"
#include "app/python/process_pool_parts.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <utility>

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace gridhelm::python {

namespace nb = nanobind;
using data::RunState;
using std::chrono::milliseconds;

namespace {

constexpr double quick = 0.02;   ///< seconds of a call, below which runs are handed over in groups
constexpr double grouped = 0.05; ///< seconds of calls that are here before they are begun
constexpr milliseconds together(15);   ///< that the first of a group waits for the others
constexpr double queued = 0.008;       ///< seconds of calls that lie in the queue for each process
constexpr double longestPause = 0.003; ///< seconds in which answers gather before they are read
constexpr std::size_t gathered = 100'000; ///< bytes of them that a stream holds

/// Other processes open it by our number and its; it goes when it is closed.
Descriptor memoryFile(const std::string &bytes)
{
    Descriptor file(memfd_create("gridhelm-call", MFD_CLOEXEC));
    if (file && !writeAll(file.get(), bytes))
        file.reset();
    return file;
}

} // namespace

ProcessPool::ProcessPool(const Callable &processes, const Callable &accept)
    : m_processes(processes)
    , m_forms(accept)
    , m_pace(1)
{
    const auto &python = processes.object();
    m_calls = nb::cast<int>(python.attr("calls"));
    m_queue = nb::cast<int>(python.attr("queue"));
    m_timeout = nb::cast<std::optional<double>>(python.attr("timeout"));
    const auto slots =
        nb::cast<nb::ndarray<std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>>(
            python.attr("slots"));
    m_slots = slots.data(); // as long as `processes` is
    for (const auto &[stream, pid] :
         nb::cast<std::vector<std::pair<int, int>>>(python.attr("streams"))) {
        m_all.push_back(std::make_unique<Process>());
        m_all.back()->begin(stream, pid);
    }
    for (std::size_t k = 0; k < m_all.size(); ++k)
        m_all[k]->thread = std::jthread([this, k] { serve(k); });
}

ProcessPool::~ProcessPool()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isOver = true;
        for (const auto &process : m_all)
            if (process->pid != 0)
                shutdown(process->stream, SHUT_RD); // whoever reads it sees that it is over
    }
    m_work.notify_all();
    m_room.notify_all();
    m_all.clear();
}

bool ProcessPool::isQuick() const
{
    return m_pace < quick;
}

/// Calls in the queue for each process.
std::size_t ProcessPool::ahead() const
{
    return static_cast<std::size_t>(std::clamp(queued / m_pace, 2.0, 64.0));
}

/// Who wakes for each answer of a quick call takes time from those that make them.
std::chrono::duration<double> ProcessPool::pause() const
{
    const auto most = isQuick() && m_answerBytes * ahead() < gathered ? longestPause : 0;
    return std::chrono::duration<double>(std::min(most, m_pace * static_cast<double>(ahead()) / 3));
}

std::size_t ProcessPool::maxSubmitted(std::size_t atATime) const
{
    const std::scoped_lock lock(m_mutex);
    if (!isQuick())
        return atATime;
    constexpr double most = 64;
    return atATime * static_cast<std::size_t>(std::clamp(grouped / m_pace, 4.0, most));
}

void ProcessPool::submit(std::span<const data::RunRequest> runs, std::size_t atATime)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_atATime = std::max<std::size_t>(atATime, 1);
        for (const auto &request : runs) {
            auto run = std::make_shared<Run>();
            run->request = request;
            m_runs[request.name] = run;
            m_waiting.push_back(std::move(run));
        }
        feed();
    }
    m_work.notify_all();
}

void ProcessPool::feed()
{
    const auto most = isQuick() ? (1 + ahead()) * m_atATime : m_atATime;
    while (!m_waiting.empty() && m_sent.size() < most) {
        const auto run = m_waiting.front();
        if (!send(*run))
            return;
        m_waiting.pop_front();
        m_sent[run->number] = run;
    }
}

/// False if there is no room for it just now.
bool ProcessPool::send(Run &run)
{
    run.number = ++m_lastNumber;
    const auto put = [this](const std::string &message) {
        return ::send(m_calls, message.data(), message.size(), MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
    };
    const auto message = callMessage(run.number, run.request);
    bool isSent = put(message);
    if (!isSent && errno == EMSGSIZE) {
        if (!run.file) // there may have been no room for it then
            run.file = memoryFile(message);
        isSent = put(callInFile(run.number, getpid(), run.file.get()));
    }
    if (isSent)
        run.status.state = RunState::running;
    return isSent;
}

std::vector<data::RunStatus> ProcessPool::poll(std::span<const std::string> ids)
{
    const std::scoped_lock lock(m_mutex);
    std::vector<data::RunStatus> all;
    for (const auto &id : ids) {
        const auto found = m_runs.find(id);
        all.push_back(found == m_runs.end() ? data::RunStatus{RunState::lost}
                                            : found->second->status);
    }
    return all;
}

data::RunStatus ProcessPool::collect(const std::string &id, const data::RunSink &sink)
{
    std::shared_ptr<Run> run;
    std::vector<data::RunSnapshot> arrived;
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_runs.find(id);
        if (found == m_runs.end())
            return {RunState::lost};
        run = found->second;
        arrived = std::exchange(run->arrived, {});
        m_arrivedBytes -= std::exchange(run->bytes, 0);
        if (run->thrown)
            std::rethrow_exception(run->thrown);
    }
    m_room.notify_all();
    for (std::size_t i = 0; i < arrived.size(); ++i)
        sink(i, std::move(arrived[i]));
    return run->status;
}

void ProcessPool::cancel(std::span<const std::string> ids)
{
    const std::scoped_lock lock(m_mutex);
    for (const auto &id : ids)
        if (const auto found = m_runs.find(id); found != m_runs.end())
            found->second->isCancelled = true;
    recall();
    for (const auto &run : std::exchange(m_waiting, {}))
        if (run->isCancelled)
            endRun(run, RunState::cancelled);
        else
            m_waiting.push_back(run);
    for (std::size_t k = 0; k < m_all.size(); ++k)
        if (const auto run = workedOn(k); run && run->isCancelled)
            kill(k);
    feed();
}

/// What no process has taken yet waits here again, in the same order.
void ProcessPool::recall()
{
    std::vector<std::shared_ptr<Run>> back;
    std::array<char, sizeof(std::uint64_t)> head{};
    while (recv(m_queue, head.data(), head.size(), MSG_DONTWAIT)
           >= static_cast<ssize_t>(head.size())) {
        std::uint64_t number = 0;
        std::copy(head.begin(), head.end(), reinterpret_cast<char *>(&number));
        const auto found = m_sent.find(number);
        if (found == m_sent.end())
            continue;
        found->second->status.state = RunState::queued;
        back.push_back(found->second);
        m_sent.erase(found);
    }
    m_waiting.insert(m_waiting.begin(), back.begin(), back.end());
}

std::shared_ptr<ProcessPool::Run> ProcessPool::workedOn(std::size_t k)
{
    const auto number = std::atomic_ref(m_slots[2 * k]).load();
    const auto found = number < 0 ? m_sent.end() : m_sent.find(static_cast<std::uint64_t>(number));
    return found == m_sent.end() ? nullptr : found->second;
}

std::optional<ProcessPool::Clock::time_point> ProcessPool::deadline(std::size_t k)
{
    if (!m_timeout)
        return std::nullopt;
    const auto most = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(std::min(*m_timeout, 1e9)));
    if (!workedOn(k))
        return Clock::now() + most; // no call ends earlier that begins from now on
    const std::chrono::nanoseconds since(std::atomic_ref(m_slots[2 * k + 1]).load());
    return Clock::time_point(std::chrono::duration_cast<Clock::duration>(since)) + most;
}

/// With all that the function has begun. It is replaced by who reads its answers.
void ProcessPool::kill(std::size_t k)
{
    if (const int pid = m_all[k]->pid; pid != 0) {
        killpg(pid, SIGKILL); // it may have no group yet
        ::kill(pid, SIGKILL);
    }
}

void ProcessPool::endRun(const std::shared_ptr<Run> &run, RunState state, std::string log)
{
    run->status.state = run->isCancelled ? RunState::cancelled : state;
    run->status.log = std::move(log);
    if (const auto known = m_runs.find(run->request.name);
        known != m_runs.end() && known->second == run)
        ++m_arrived;
    if (!m_news)
        m_news = Clock::now();
    m_newsCame.notify_all();
}

void ProcessPool::release(const std::string &id)
{
    Lock lock(m_mutex);
    auto found = m_runs.find(id);
    if (found == m_runs.end())
        return;
    if (!data::hasEnded(found->second->status.state)) {
        lock.unlock();
        cancel(std::array{id});
        lock.lock();
        found = m_runs.find(id);
    }
    const auto run = found->second; // outlives the lock: letting go of it may take a moment
    m_arrivedBytes -= std::exchange(run->bytes, 0);
    if (data::hasEnded(run->status.state))
        --m_arrived;
    m_runs.erase(found);
    lock.unlock();
    m_room.notify_all();
}

/// Quick runs are waited for until there is a group of them: who stores them at once saves most of
/// the work that each would be.
void ProcessPool::waitForNews(milliseconds most)
{
    Lock lock(m_mutex);
    findLost();
    m_newsCame.wait_for(lock, most, [this] { return m_news.has_value(); });
    if (m_news && isQuick())
        m_newsCame.wait_until(lock, *m_news + together, [this] {
            return 2 * m_arrived >= m_runs.size() || (m_sent.empty() && m_waiting.empty());
        });
    m_news.reset();
}

/// A process may have ended after it had taken a call from the queue, and before it said so.
void ProcessPool::findLost()
{
    if (!m_lookForLost || Clock::now() < *m_lookForLost)
        return;
    m_lookForLost.reset();
    recall();
    std::vector<std::shared_ptr<Run>> held;
    for (std::size_t k = 0; k < m_all.size(); ++k)
        if (const auto run = workedOn(k))
            held.push_back(run);
    for (auto it = m_sent.begin(); it != m_sent.end();) {
        const auto run = it->second;
        if (std::ranges::find(held, run) != held.end()) {
            ++it;
            continue;
        }
        it = m_sent.erase(it);
        if (run->isCancelled)
            endRun(run, RunState::cancelled);
        else
            m_waiting.push_front(run);
    }
    feed();
}

void ProcessPool::end()
{
    {
        std::vector<std::string> ids;
        {
            const std::scoped_lock lock(m_mutex);
            for (const auto &[id, run] : m_runs)
                ids.push_back(id);
        }
        cancel(ids);
    }
    Lock lock(m_mutex);
    while (!m_sent.empty() || m_taking > 0) { // a process may just have taken one
        m_lookForLost = Clock::now();
        m_newsCame.wait_for(lock, milliseconds(20));
        for (std::size_t k = 0; k < m_all.size(); ++k)
            if (workedOn(k))
                kill(k);
        findLost();
    }
    m_runs.clear();
    m_waiting.clear();
    m_arrived = m_arrivedBytes = 0;
    m_news.reset();
    m_room.notify_all();
}

} // namespace gridhelm::python
