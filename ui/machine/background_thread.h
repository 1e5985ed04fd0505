// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <thread>

namespace gridhelm::ui {

/// A thread of low priority that nobody has to wait for: work that does not notice the request to
/// stop in time (it allocates a huge grid, or is within one long sweep) is left behind and ends by
/// itself. So whatever the work uses must belong to it.
class BackgroundThread
{
public:
    explicit BackgroundThread(std::function<void(std::stop_token)> work);
    /// Requests the stop; returns within some hundredths of a second.
    ~BackgroundThread();
    BackgroundThread(const BackgroundThread &) = delete;
    BackgroundThread &operator=(const BackgroundThread &) = delete;

    void requestStop() { m_stop.request_stop(); }

    /// For work that needs much memory or all cores: waits until no thread is left behind any more,
    /// or the stop is requested.
    static void waitForThoseLeftBehind(const std::stop_token &stop);

private:
    struct State;

    std::shared_ptr<State> m_state;
    std::stop_source m_stop;
    std::thread m_thread;
};

} // namespace gridhelm::ui
