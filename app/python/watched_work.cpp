// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/watched_work.h"

#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

namespace gridhelm::python {
namespace {

struct State
{
    std::mutex mutex;
    std::condition_variable ended;
    bool hasEnded = false;
    std::exception_ptr thrown;
};

/// Never destroyed: a thread may still use it while the process ends.
struct LeftWork
{
    std::mutex mutex;
    std::list<std::jthread> threads;
};
LeftWork &leftWork()
{
    static auto *const left = new LeftWork;
    return *left;
}

bool endsWithin(State &state, std::chrono::milliseconds most)
{
    std::unique_lock lock(state.mutex);
    return state.ended.wait_for(lock, most, [&] { return state.hasEnded; });
}

/// Whether it has ended; else a signal has raised something.
bool waitedFor(State &state)
{
    constexpr std::chrono::milliseconds pause{30};
    while (true) {
        {
            const nanobind::gil_scoped_release unlocked;
            if (endsWithin(state, pause))
                return true;
        }
        if (PyErr_CheckSignals() != 0)
            return false;
    }
}

} // namespace

void runWatched(const std::function<void(const std::stop_token &)> &work, Unstopped unstopped)
{
    const auto state = std::make_shared<State>();
    std::jthread thread([state, work](const std::stop_token &stop) {
        std::exception_ptr thrown;
        try {
            work(stop);
        } catch (...) {
            thrown = std::current_exception();
        }
        const std::scoped_lock lock(state->mutex);
        state->thrown = thrown;
        state->hasEnded = true;
        state->ended.notify_all();
    });
    if (!waitedFor(*state)) {
        nanobind::python_error raised;
        thread.request_stop();
        {
            const nanobind::gil_scoped_release unlocked;
            if (unstopped == Unstopped::waited || endsWithin(*state, std::chrono::milliseconds(50)))
                thread.join();
            else {
                auto &left = leftWork();
                const std::scoped_lock lock(left.mutex);
                left.threads.push_back(std::move(thread));
            }
        }
        throw raised;
    }
    {
        const nanobind::gil_scoped_release unlocked;
        thread.join();
    }
    if (state->thrown)
        std::rethrow_exception(state->thrown);
}

void waitForLeftWork()
{
    const nanobind::gil_scoped_release unlocked;
    auto &left = leftWork();
    const std::scoped_lock lock(left.mutex);
    left.threads.clear();
}

} // namespace gridhelm::python
