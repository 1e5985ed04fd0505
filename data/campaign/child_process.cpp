// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/child_process.h"

#include "core/support/error.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

extern char **environ; // NOLINT: POSIX

namespace gridhelm::data {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds patience{2};

class Descriptor
{
public:
    explicit Descriptor(int number)
        : m_number(number)
    {
    }
    ~Descriptor() { reset(); }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;

    int get() const { return m_number; }
    void reset()
    {
        if (m_number >= 0)
            close(m_number);
        m_number = -1;
    }

private:
    int m_number;
};

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

std::vector<char *> pointersTo(std::vector<std::string> &texts)
{
    std::vector<char *> pointers;
    for (auto &text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// Between fork and exec, with other threads about: nothing but async-signal-safe calls.
[[noreturn]] void becomeProgram(const char *folder, int log, int report, char **arguments,
                                char **environment)
{
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); // who is killed leaves no orphans computing for nobody
#endif
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (int number : {SIGINT, SIGTERM, SIGPIPE, SIGQUIT})
        signal(number, SIG_DFL);
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0 && dup2(nothing, 0) >= 0 && dup2(log, 1) >= 0 && dup2(log, 2) >= 0
        && chdir(folder) == 0) {
        environ = environment;
        execvp(arguments[0], arguments);
    }
    const int code = errno;
    [[maybe_unused]] const auto written = write(report, &code, sizeof code);
    _exit(127);
}

} // namespace

ChildOutcome runChild(const ChildRequest &request, const std::stop_token &stop)
{
    auto argumentTexts = request.arguments;
    auto environmentTexts = environmentOf(request);
    auto arguments = pointersTo(argumentTexts);
    auto environment = pointersTo(environmentTexts);
    const auto folder = request.folder.string();

    Descriptor log(
        open(request.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_APPEND, 0666));
    int ends[2];
    if (log.get() < 0 || pipe2(ends, O_CLOEXEC) != 0)
        throw Error("The job's log " + request.log.string() + " cannot be written ("
                    + std::strerror(errno) + "); see to the disk and try again");
    Descriptor reading(ends[0]), writing(ends[1]);
    const pid_t child = fork();
    if (child < 0)
        throw Error(std::string("No process can be started (") + std::strerror(errno)
                    + "); run fewer jobs at a time");
    if (child == 0)
        becomeProgram(folder.c_str(), log.get(), writing.get(), arguments.data(),
                      environment.data());
    setpgid(child, child); // both do it: whoever comes first
    writing.reset();
    int code = 0;
    ssize_t got = 0;
    do
        got = read(reading.get(), &code, sizeof code);
    while (got < 0 && errno == EINTR);
    if (got == sizeof code) {
        waitpid(child, nullptr, 0);
        throw Error(
            "The command '" + request.arguments.front() + "' cannot be started in " + folder + " ("
            + std::strerror(code)
            + "); write its whole path or list it among the plan's templates, and check that "
              "it may be executed");
    }

    const auto started = Clock::now();
    auto asked = Clock::time_point::max();
    bool killed = false;
    ChildOutcome outcome;
    std::chrono::milliseconds pause{1};
    for (;;) {
        int status = 0;
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR)) {
            // What it started and left behind goes, too.
            kill(-child, SIGKILL);
            if (outcome.end == ChildOutcome::End::exited) {
                if (WIFSIGNALED(status))
                    outcome = {ChildOutcome::End::killed, WTERMSIG(status)};
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
            if (late || stop.stop_requested()) {
                outcome.end = late ? ChildOutcome::End::timedOut : ChildOutcome::End::stopped;
                kill(-child, SIGTERM);
                asked = now;
            }
        } else if (!killed && now - asked > patience) {
            kill(-child, SIGKILL);
            killed = true;
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::milliseconds(20));
    }
}

} // namespace gridhelm::data
