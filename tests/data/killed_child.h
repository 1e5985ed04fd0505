// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace gridhelm::test {

/// Does `action` in a process of its own, which is killed after `delay`; what waitpid() says of it.
/// One that has ended before has 0 as its exit code, or 1 if the action threw. Nothing may have
/// threads when it forks.
template <typename Rep, typename Period, typename Action>
int killedChild(std::chrono::duration<Rep, Period> delay, Action action)
{
    const auto child = ::fork();
    if (child == 0) {
        try {
            action();
        } catch (...) {
            ::_exit(1); // no second test program goes on
        }
        ::_exit(0);
    }
    std::this_thread::sleep_for(delay);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

} // namespace gridhelm::test
