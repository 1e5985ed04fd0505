// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/child_process.h"

#include "core/support/descriptor.h"
#include "core/support/error.h"
#include "data/campaign/bounded_log.h"
#include "data/campaign/local_limits.h"
#include "data/campaign/work_folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char **environ; // NOLINT: POSIX

namespace gridhelm::data {

namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::string> environmentOf(const ChildRequest &request)
{
    std::vector<std::string> all;
    for (char **entry = environ; *entry; ++entry) {
        const std::string_view text(*entry);
        const auto name = text.substr(0, text.find('='));
        if (std::none_of(request.environment.begin(), request.environment.end(),
                         [&](const auto &own) { return own.first == name; }))
            all.emplace_back(text);
    }
    for (const auto &[name, value] : request.environment)
        all.push_back(name + "=" + value);
    return all;
}

/// Where it is read, and where it is written.
std::pair<Descriptor, Descriptor> makePipe()
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw Error(std::string("No process can be started (") + std::strerror(errno)
                    + "); run fewer jobs at a time");
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

std::vector<char *> pointersTo(std::vector<std::string> &texts)
{
    std::vector<char *> pointers;
    for (auto &text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

// Between fork and exec, with other threads about: nothing but async-signal-safe calls.

void resetSignals()
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (int number : {SIGINT, SIGTERM, SIGPIPE, SIGQUIT})
        signal(number, SIG_DFL);
}

/// Leads the process group of the program, and ends it when we have ended, however: then `life`,
/// which nobody writes to, is at its end. (PR_SET_PDEATHSIG would reach the program alone, and not
/// what that has started.) It must hold nothing that is ours open: no lock, no pipe.
[[noreturn]] void guard(int life)
{
    setpgid(0, 0);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr); // requests to end are for the program
    dup2(life, 0);
    if (close_range(1, ~0U, 0) != 0) { // an old kernel
        for (long descriptor = sysconf(_SC_OPEN_MAX); descriptor > 0; --descriptor)
            close(static_cast<int>(descriptor));
    }
    char nothing = 0;
    while (read(0, &nothing, 1) < 0 && errno == EINTR) {
    }
    if (getpgrp() == getpid())
        kill(0, SIGKILL);
    _exit(1);
}

/// Also those that execvp() would close: a program of another job that is just being written must
/// not be held open by one that waits for its own.
void closeAllBut(int kept)
{
    const auto last = static_cast<unsigned>(kept);
    if ((kept > 3 && close_range(3, last - 1, 0) != 0) || close_range(last + 1, ~0U, 0) != 0) {
        for (long descriptor = sysconf(_SC_OPEN_MAX); descriptor > 2;
             --descriptor) { // an old kernel
            if (descriptor != kept)
                close(static_cast<int>(descriptor));
        }
    }
}

/// execvp(). Another job that is just starting may hold a program that we have written open for an
/// instant, as it has copies of our descriptors; until then Linux refuses to run it.
void execute(char **arguments)
{
    constexpr int attempts = 200;
    constexpr timespec pause{0, 10'000'000};
    for (int attempt = 0; attempt < attempts; ++attempt) {
        execvp(arguments[0], arguments);
        if (errno != ETXTBSY)
            return;
        nanosleep(&pause, nullptr);
        errno = ETXTBSY;
    }
}

[[noreturn]] void becomeProgram(pid_t group, const char *folder, const cpu_set_t *cores, int log,
                                int report, char **arguments, char **environment)
{
    setpgid(0, group);
    resetSignals();
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0 && dup2(nothing, 0) >= 0 && dup2(log, 1) >= 0 && dup2(log, 2) >= 0
        && chdir(folder) == 0 && (!cores || sched_setaffinity(0, sizeof *cores, cores) == 0)) {
        environ = environment;
        closeAllBut(report);
        execute(arguments);
    }
    const int code = errno;
    [[maybe_unused]] const auto written = write(report, &code, sizeof code);
    _exit(127);
}

/// The guard, seen from here: ends the whole group with the object.
class Group
{
public:
    Group()
    {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0)
            return;
        const Descriptor reading(ends[0]);
        m_life = ends[1];
        m_leader = fork();
        if (m_leader == 0)
            guard(reading.get());
        if (m_leader > 0)
            setpgid(m_leader, m_leader); // both do it: whoever comes first
    }
    ~Group()
    {
        if (m_leader > 0) {
            signalAll(SIGKILL);
            while (waitpid(m_leader, nullptr, 0) < 0 && errno == EINTR) {
            }
        }
        if (m_life >= 0)
            close(m_life);
    }
    Group(const Group &) = delete;
    Group &operator=(const Group &) = delete;

    pid_t id() const { return m_leader; } ///< negative: there is none, and errno says why
    void signalAll(int number) const { kill(-m_leader, number); }

private:
    int m_life = -1;
    pid_t m_leader = -1;
};

/// What comes out of a pipe that is not waited for; false: it is at its end.
bool takeOutput(int pipe, BoundedLog &log, std::size_t atMost)
{
    std::array<char, 1 << 16> part;
    for (std::size_t taken = 0; taken < atMost;) {
        const auto count = readSome(pipe, part.data(), part.size());
        if (count < 0)
            return errno == EAGAIN;
        if (count == 0)
            return false;
        log.add({part.data(), static_cast<std::size_t>(count)});
        taken += static_cast<std::size_t>(count);
    }
    return true;
}

/// Sleeps until there is output, or for that long.
void waitForOutput(bool isOpen, int pipe, std::chrono::milliseconds pause)
{
    pollfd waiting{pipe, POLLIN, 0};
    if (isOpen)
        ::poll(&waiting, 1, static_cast<int>(pause.count()));
    else
        std::this_thread::sleep_for(pause);
}

class MemoryWatch
{
public:
    /// `limit`: bytes; 0: none.
    MemoryWatch(std::uint64_t limit, pid_t group)
        : m_limit(limit)
        , m_group(group)
    {
    }

    bool isTooMuch(Clock::time_point now)
    {
        constexpr std::chrono::milliseconds betweenLooks(200);
        if (m_limit == 0 || now < m_next)
            return false;
        m_next = now + betweenLooks;
        return memoryOfGroup(m_group).value_or(0) > m_limit;
    }

private:
    std::uint64_t m_limit;
    pid_t m_group;
    Clock::time_point m_next;
};

/// Of the program, which was asked to end when its time was over, or a stop was requested.
ChildOutcome waitForEnd(const ChildRequest &request, pid_t child, const Group &group, int output,
                        BoundedLog &log, const std::stop_token &stop)
{
    constexpr std::size_t outputAtATime = 4 << 20; // then see whether the time is over
    const auto started = Clock::now();
    auto asked = Clock::time_point::max();
    MemoryWatch memory(request.memoryLimit, group.id());
    bool killed = false, isOpen = true;
    ChildOutcome outcome;
    std::chrono::milliseconds pause{1};
    for (;;) {
        int status = 0;
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR)) {
            // What it started and left behind goes with the group.
            if (outcome.end == ChildOutcome::End::exited) {
                if (WIFSIGNALED(status))
                    outcome = {ChildOutcome::End::killed, WTERMSIG(status), {}};
                else
                    outcome.code = WEXITSTATUS(status);
            }
            return outcome;
        }
        const auto now = Clock::now();
        if (asked == Clock::time_point::max()) {
            const bool late =
                request.timeLimit > 0
                && std::chrono::duration<double>(now - started).count() > request.timeLimit;
            const bool isLarge = memory.isTooMuch(now);
            if (late || isLarge || stop.stop_requested()) {
                outcome.end = late      ? ChildOutcome::End::timedOut
                              : isLarge ? ChildOutcome::End::outOfMemory
                                        : ChildOutcome::End::stopped;
                group.signalAll(SIGTERM);
                asked = now;
            }
        } else if (!killed
                   && std::chrono::duration<double>(now - asked).count() > request.patience) {
            group.signalAll(SIGKILL);
            killed = true;
        }
        waitForOutput(isOpen, output, pause);
        isOpen = isOpen && takeOutput(output, log, outputAtATime);
        pause = std::min(pause * 2, std::chrono::milliseconds(20));
    }
}

} // namespace

ChildOutcome runChild(const ChildRequest &request, const std::stop_token &stop)
{
    auto argumentTexts = request.arguments;
    auto environmentTexts = environmentOf(request);
    auto arguments = pointersTo(argumentTexts);
    auto environment = pointersTo(environmentTexts);
    const auto folder = request.folder.string();

    Descriptor file(open(request.log.c_str(),
                         O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_APPEND | O_NOFOLLOW, 0666));
    if (!file)
        throwFolderError(request.log, "The job's log cannot be written");
    BoundedLog log(std::move(file));
    auto [reading, writing] = makePipe();
    auto [output, printing] = makePipe();
    fcntl(output.get(), F_SETFL, O_NONBLOCK);
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (const int core : request.cores)
        CPU_SET(static_cast<std::size_t>(core), &cores);
    const Group group;
    const pid_t child = group.id() < 0 ? -1 : fork();
    if (child < 0)
        throw Error(std::string("No process can be started (") + std::strerror(errno)
                    + "); run fewer jobs at a time");
    if (child == 0)
        becomeProgram(group.id(), folder.c_str(), request.cores.empty() ? nullptr : &cores,
                      printing.get(), writing.get(), arguments.data(), environment.data());
    setpgid(child, group.id());
    writing.reset();
    printing.reset();
    int code = 0;
    if (readSome(reading.get(), reinterpret_cast<char *>(&code), sizeof code) == sizeof code) {
        waitpid(child, nullptr, 0);
        throw Error(
            "The command '" + request.arguments.front() + "' cannot be started in " + folder + " ("
            + std::strerror(code)
            + "); write its whole path or list it among the plan's templates, and check that "
              "it may be executed");
    }

    auto outcome = waitForEnd(request, child, group, output.get(), log, stop);
    group.signalAll(SIGKILL);
    takeOutput(output.get(), log, std::size_t{1} << 20); // what it has said last
    log.finish();
    outcome.log = log.text();
    return outcome;
}

} // namespace gridhelm::data
