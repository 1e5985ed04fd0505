// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/ending_signals.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace gridhelm::desktop {
namespace {

constexpr std::array endings{SIGTERM, SIGINT, SIGHUP};

/// Where handlers write; -1 when there is nobody to tell.
volatile std::sig_atomic_t writingEnd = -1;
/// Of each of `endings`: whether it was not ignored.
std::array<volatile std::sig_atomic_t, endings.size()> isOurs{};

void setHandlers(void (*handler)(int))
{
    for (std::size_t i = 0; i < endings.size(); ++i)
        if (isOurs[i])
            std::signal(endings[i], handler);
}

/// Only what is allowed in a handler.
extern "C" void tellOfSignal(int)
{
    const int before = errno;
    setHandlers(SIG_DFL); // the next one ends the program
    const char byte = 0;
    [[maybe_unused]] const auto written = ::write(writingEnd, &byte, 1);
    errno = before;
}

int readingEndOf(std::array<int, 2> &pipe)
{
    if (::pipe2(pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        pipe = {-1, -1};
    return pipe[0];
}

bool isIgnored(int signal)
{
    struct sigaction now = {};
    return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

} // namespace

EndingSignals::EndingSignals()
    : m_notifier(readingEndOf(m_pipe), QSocketNotifier::Read)
{
    if (m_pipe[1] < 0)
        return; // without pipes, signals do what they always did
    writingEnd = m_pipe[1];
    connect(&m_notifier, &QSocketNotifier::activated, this, [this] {
        m_notifier.setEnabled(false);
        emit endWanted();
    });
    for (std::size_t i = 0; i < endings.size(); ++i)
        isOurs[i] = !isIgnored(endings[i]);
    setHandlers(tellOfSignal);
}

EndingSignals::~EndingSignals()
{
    if (m_pipe[1] < 0)
        return;
    setHandlers(SIG_DFL);
    m_notifier.setEnabled(false);
    writingEnd = -1;
    ::close(m_pipe[0]);
    ::close(m_pipe[1]);
}

} // namespace gridhelm::desktop
