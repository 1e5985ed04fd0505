// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/machine/background_thread.h"

#include "ui/machine/lower_priority.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace gridhelm::ui {
namespace {

struct LeftBehind
{
    std::mutex mutex;
    std::condition_variable_any changed;
    int count = 0;
};

/// Never destroyed: threads that were left behind may outlive main().
LeftBehind &leftBehind()
{
    static auto *all = new LeftBehind;
    return *all;
}

} // namespace

struct BackgroundThread::State
{
    std::mutex mutex;
    std::condition_variable done;
    bool isDone = false;
    bool isLeftBehind = false;
};

BackgroundThread::BackgroundThread(std::function<void(std::stop_token)> work)
    : m_state(std::make_shared<State>())
    , m_thread([state = m_state, stop = m_stop.get_token(), work = std::move(work)]() mutable {
        lowerPriority();
        work(stop);
        work = nullptr; // what it holds is gone before anybody hears of the end
        bool wasLeftBehind = false;
        {
            const std::lock_guard lock(state->mutex);
            state->isDone = true;
            wasLeftBehind = state->isLeftBehind;
            state->done.notify_all();
        }
        if (wasLeftBehind) {
            auto &all = leftBehind();
            const std::lock_guard lock(all.mutex);
            --all.count;
            all.changed.notify_all();
        }
    })
{
}

BackgroundThread::~BackgroundThread()
{
    constexpr std::chrono::milliseconds patience(30);
    m_stop.request_stop();
    std::unique_lock lock(m_state->mutex);
    if (m_state->done.wait_for(lock, patience, [this] { return m_state->isDone; })) {
        lock.unlock();
        m_thread.join();
        return;
    }
    {
        auto &all = leftBehind();
        const std::lock_guard allLock(all.mutex);
        ++all.count;
    }
    m_state->isLeftBehind = true;
    lock.unlock();
    m_thread.detach();
}

void BackgroundThread::waitForThoseLeftBehind(const std::stop_token &stop)
{
    auto &all = leftBehind();
    std::unique_lock lock(all.mutex);
    all.changed.wait(lock, stop, [&all] { return all.count == 0; });
}

} // namespace gridhelm::ui
