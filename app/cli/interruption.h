// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>

#include <atomic>
#include <stop_token>
#include <thread>

namespace gridhelm::cli {

/// While it lives, the first Ctrl-C (SIGINT), SIGTERM or SIGHUP requests a stop, so that the
/// command can write what it has; the second one ends the program at once. Signals that the program
/// was told to ignore when it started stay ignored. To be made before any other thread, as threads
/// inherit which signals they leave to the one that waits here.
class Interruption
{
public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption &) = delete;
    Interruption &operator=(const Interruption &) = delete;

    std::stop_token token() const { return m_stop.get_token(); }
    bool happened() const { return m_stop.stop_requested(); }

private:
    void wait();

    std::stop_source m_stop;
    sigset_t m_signals;
    sigset_t m_blockedBefore;
    std::atomic<bool> m_isOver = false;
    std::thread m_waiter;
};

} // namespace gridhelm::cli
