// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/machine/latest_request_worker.h"

#include <QMetaObject>
#include <QPointer>

#include <algorithm>

namespace gridhelm::ui {

LatestRequestWorker::LatestRequestWorker(Work prepare, Work idleWork)
    : m_idleWork(std::move(idleWork))
    , m_thread([this, prepare = std::move(prepare)] {
        if (prepare)
            prepare();
        run();
    })
{
}

void LatestRequestWorker::end()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isOver = true;
        m_wake.notify_all();
    }
    if (m_thread.joinable())
        m_thread.join();
    startOver(); // what was delivered before
}

void LatestRequestWorker::request(Requester requester, Work work)
{
    const std::lock_guard lock(m_mutex);
    m_requests[requester].swap(work); // what is dropped goes without the lock
    m_wake.notify_all();
}

void LatestRequestWorker::command(int number, Work work)
{
    const std::lock_guard lock(m_mutex);
    m_commands[number].swap(work);
    m_wake.notify_all();
}

void LatestRequestWorker::startOver()
{
    decltype(m_requests) requests;
    decltype(m_answers) answers;
    const std::lock_guard lock(m_mutex);
    ++m_generation;
    m_requests.swap(requests);
    m_answers.swap(answers);
    m_wake.notify_all(); // what runs may wait for news
}

void LatestRequestWorker::wakeIdleWork()
{
    const std::lock_guard lock(m_mutex);
    m_isIdleWorkWanted = true;
    m_wake.notify_all();
}

void LatestRequestWorker::run()
{
    for (;;) {
        Work work;
        {
            Lock lock(m_mutex);
            work = next(lock);
        }
        if (!work)
            return;
        work();
    }
}

/// Waits for it; null: the end.
LatestRequestWorker::Work LatestRequestWorker::next(Lock &lock)
{
    for (;;) {
        m_begun = m_generation;
        if (m_isOver)
            return {};
        if (!m_commands.empty()) {
            m_idleWorkAt.reset();
            return std::move(m_commands.extract(m_commands.begin()).mapped());
        }
        if (!m_requests.empty()) {
            m_idleWorkAt.reset();
            return takeRequest();
        }
        if (m_isIdleWorkWanted || (m_idleWorkAt && Clock::now() >= *m_idleWorkAt)) {
            m_isIdleWorkWanted = false;
            m_idleWorkAt.reset();
            if (m_idleWork)
                return m_idleWork;
        } else if (m_idleWorkAt) {
            m_wake.wait_until(lock, *m_idleWorkAt);
        } else {
            m_wake.wait(lock);
        }
    }
}

LatestRequestWorker::Work LatestRequestWorker::takeRequest()
{
    constexpr Requester first;
    auto taken = m_requests.begin(); // that of Requester{}, if there is one
    const bool firstAsks = taken->first == first;
    if (!firstAsks || (m_isOthersTurn && m_requests.size() > 1)) {
        taken = m_requests.upper_bound(m_lastOther);
        if (taken == m_requests.end())
            taken = m_requests.upper_bound(first);
        m_lastOther = taken->first;
    }
    m_isOthersTurn = taken->first == first;
    return std::move(m_requests.extract(taken).mapped());
}

void LatestRequestWorker::deliver(Topic topic, Work answer)
{
    Work older;
    const std::lock_guard lock(m_mutex);
    if (isCancelledNow())
        return;
    const auto found = std::ranges::find(m_answers, topic, &std::pair<Topic, Work>::first);
    if (found != m_answers.end()) {
        older = std::move(found->second);
        m_answers.erase(found);
    }
    m_answers.emplace_back(topic, std::move(answer));
    if (!std::exchange(m_isHandingOver, true))
        QMetaObject::invokeMethod(
            &m_owner, [this] { handOver(); }, Qt::QueuedConnection);
}

/// By the owner. An answer may ask anew, start over, or destroy this.
void LatestRequestWorker::handOver()
{
    const QPointer<QObject> isThere(&m_owner);
    std::size_t left = 0;
    {
        const std::lock_guard lock(m_mutex);
        m_isHandingOver = false; // what is delivered from now on tells the event loop again
        left = m_answers.size();
    }
    for (; isThere && left > 0; --left) {
        Work answer;
        {
            const std::lock_guard lock(m_mutex);
            if (m_answers.empty())
                return;
            answer = std::move(m_answers.front().second);
            m_answers.erase(m_answers.begin());
        }
        answer();
    }
}

void LatestRequestWorker::idleWorkAfter(std::chrono::milliseconds time)
{
    const std::lock_guard lock(m_mutex);
    m_idleWorkAt = Clock::now() + time;
}

bool LatestRequestWorker::isCancelled() const
{
    const std::lock_guard lock(m_mutex);
    return isCancelledNow();
}

bool LatestRequestWorker::hasNews(Requester requester) const
{
    const std::lock_guard lock(m_mutex);
    return hasNewsNow(requester);
}

bool LatestRequestWorker::waitForNews(Requester requester, std::chrono::milliseconds time)
{
    Lock lock(m_mutex);
    return m_wake.wait_for(lock, time, [&] { return hasNewsNow(requester); });
}

bool LatestRequestWorker::isAsked(Requester requester) const
{
    const std::lock_guard lock(m_mutex);
    return m_requests.contains(requester);
}

} // namespace gridhelm::ui
