// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interruption.h"

#include <pthread.h>

namespace gridhelm::cli {
namespace {

constexpr int wakeUp = SIGUSR1; // for the waiter alone, when it is no longer needed

bool isIgnored(int signal)
{
    struct sigaction action
    {};
    return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

} // namespace

Interruption::Interruption()
{
    sigemptyset(&m_signals);
    sigaddset(&m_signals, wakeUp);
    for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
        if (!isIgnored(signal))
            sigaddset(&m_signals, signal);
    }
    pthread_sigmask(SIG_BLOCK, &m_signals, &m_blockedBefore);
    m_waiter = std::thread([this] { wait(); });
}

Interruption::~Interruption()
{
    m_isOver = true;
    pthread_kill(m_waiter.native_handle(), wakeUp);
    m_waiter.join();
    pthread_sigmask(SIG_SETMASK, &m_blockedBefore, nullptr);
}

void Interruption::wait()
{
    for (;;) {
        int signal = 0;
        if (sigwait(&m_signals, &signal) != 0 || m_isOver)
            return;
        if (signal == wakeUp)
            continue;
        if (m_stop.request_stop())
            continue;
        // The second one: die of it, as if nobody had waited.
        std::signal(signal, SIG_DFL);
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, signal);
        pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
        std::raise(signal);
    }
}

} // namespace gridhelm::cli
