// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/support/isolated_process.h"

#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <fstream>
#include <new>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace gridhelm::data {

namespace {

void limit(int what, rlim_t value)
{
    rlimit limits{};
    if (::getrlimit(static_cast<__rlimit_resource>(what), &limits) == 0) {
        limits.rlim_cur = std::min(value, limits.rlim_max);
        ::setrlimit(static_cast<__rlimit_resource>(what), &limits);
    }
}

void limitChild([[maybe_unused]] std::uint64_t memory)
{
    limit(RLIMIT_CORE, 0);
#ifndef __SANITIZE_ADDRESS__ // the sanitizer reserves terabytes of addresses
    // What a damaged header asks for fails at once, instead of taking the machine's memory.
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    limit(RLIMIT_AS, pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + memory);
#endif
    if (const int nowhere = ::open("/dev/null", O_RDWR); nowhere >= 0) {
        ::dup2(nowhere, STDIN_FILENO);
        ::dup2(nowhere, STDOUT_FILENO);
        ::dup2(nowhere, STDERR_FILENO);
    }
    for (const int signal : {SIGINT, SIGTERM, SIGSEGV, SIGABRT, SIGPIPE})
        ::signal(signal, SIG_DFL);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody listens any more then
}

} // namespace

IsolatedProcess::IsolatedProcess(const std::string &purpose, std::uint64_t memory,
                                 const std::function<void(int pipe)> &work)
{
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
        throw Error(purpose + ", for the system gives no pipe (" + std::strerror(errno)
                    + "); close other programs");
    m_pipe = Descriptor(pipe[0]);
    Descriptor writing(pipe[1]);
    m_id = ::fork();
    if (m_id < 0)
        throw Error(purpose + ", for no process can be started (" + std::strerror(errno)
                    + "); close other programs");
    if (m_id == 0) {
        m_pipe.reset();
        limitChild(memory);
        work(writing.get());
        _exit(0);
    }
}

IsolatedProcess::~IsolatedProcess()
{
    m_pipe.reset();
    ::kill(m_id, SIGKILL);
    // A process that waits for a file server which does not answer cannot even be killed.
    for (int i = 0; i < 200 && ::waitpid(m_id, nullptr, WNOHANG) == 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(i < 10 ? 1 : 10));
}

bool IsolatedProcess::waitsForLock() const
{
    // Number and arguments of the system call that it is in; "running" between them.
    std::ifstream file("/proc/" + std::to_string(m_id) + "/syscall");
    long call = -1;
    return file >> call && (call == SYS_futex || call == SYS_sched_yield);
}

namespace {

/// One try; nothing if it waits for a lock.
std::optional<Isolated> tryOnce(const std::string &purpose, std::uint64_t memory,
                                std::chrono::milliseconds patience, const std::stop_token &stop,
                                const std::function<void()> &work)
{
    const IsolatedProcess child(purpose, memory, [&](int pipe) {
        bool wentWell = true;
        try {
            work();
        } catch (const std::bad_alloc &) {
            wentWell = false;
        } catch (...) { // it will be thrown here as well
        }
        if (wentWell)
            writeAll(pipe, "w");
        _exit(0);
    });
    const auto end = std::chrono::steady_clock::now() + patience;
    bool waitsForLock = false;
    while (std::chrono::steady_clock::now() < end) {
        if (stop.stop_requested())
            return Isolated::cancelled;
        pollfd waiting{child.pipe(), POLLIN, 0};
        if (::poll(&waiting, 1, 50) <= 0) {
            const bool waitedBefore = std::exchange(waitsForLock, child.waitsForLock());
            if (waitsForLock && waitedBefore)
                return std::nullopt;
            continue;
        }
        char says = 0;
        return readSome(child.pipe(), &says, 1) == 1 ? Isolated::well : Isolated::crashed;
    }
    return Isolated::tooLong;
}

} // namespace

Isolated tryIsolated(const std::string &purpose, std::uint64_t memory,
                     std::chrono::milliseconds patience, const std::stop_token &stop,
                     const std::function<void()> &work)
{
    for (int i = 0; i < isolatedTries; ++i) {
        if (const auto how = tryOnce(purpose, memory, patience, stop, work))
            return *how;
    }
    return Isolated::tooLong;
}

} // namespace gridhelm::data
