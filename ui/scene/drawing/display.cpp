// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/drawing/display.h"

#include "core/support/error.h"

#include <X11/Xlib.h>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gridhelm::ui {
namespace {

constexpr auto startLimit = std::chrono::seconds(30); // a busy machine
constexpr std::string_view cookieName = "MIT-MAGIC-COOKIE-1";

using Cookie = std::array<char, 16>;

Cookie newCookie()
{
    Cookie cookie;
    if (getrandom(cookie.data(), cookie.size(), 0) != static_cast<ssize_t>(cookie.size()))
        throw Error(fmt::format("the system gives no random numbers ({}); try again later",
                                std::strerror(errno)));
    return cookie;
}

/// A folder that no other user can look into, removed with everything in it.
class PrivateFolder
{
public:
    PrivateFolder()
    {
        std::error_code failed;
        const auto parent = std::filesystem::temp_directory_path(failed);
        if (failed)
            throw Error(
                fmt::format("there is no folder for temporary files ({}); set TMPDIR to one",
                            failed.message()));
        std::string pattern = (parent / "gridhelm-display-XXXXXX").string();
        if (!mkdtemp(pattern.data()))
            throw Error(fmt::format("no folder could be made in {} ({}); free some space there, or "
                                    "set TMPDIR to another folder",
                                    parent.string(), std::strerror(errno)));
        m_path = pattern;
    }
    ~PrivateFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    PrivateFolder(const PrivateFolder &) = delete;
    PrivateFolder &operator=(const PrivateFolder &) = delete;

    const std::filesystem::path &path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

/// As the X server reads it (man Xsecurity; the format is in libXau's README): one entry, for any
/// address and display.
void writeAuthority(const std::filesystem::path &path, const Cookie &cookie)
{
    std::string bytes;
    const auto number = [&bytes](std::size_t value) {
        bytes += static_cast<char>(value >> 8);
        bytes += static_cast<char>(value & 255);
    };
    number(65535); // FamilyWild
    number(0);
    number(0);
    number(cookieName.size());
    bytes += cookieName;
    number(cookie.size());
    bytes.append(cookie.data(), cookie.size());
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file)
        throw Error(path.string()
                    + " could not be written; free some space, or set TMPDIR to "
                      "another folder");
}

bool isOnThisMachine(std::string_view display)
{
    return display.starts_with(':') || display.starts_with("unix:") || display.starts_with('/');
}

struct Pipe
{
    Pipe()
    {
        if (pipe2(ends.data(), O_CLOEXEC) != 0)
            throw Error(fmt::format("no pipe could be opened ({}); close other programs",
                                    std::strerror(errno)));
    }
    ~Pipe()
    {
        closeEnd(0);
        closeEnd(1);
    }
    void closeEnd(std::size_t end)
    {
        if (ends[end] >= 0)
            close(ends[end]);
        ends[end] = -1;
    }
    std::array<int, 2> ends{-1, -1};
};

std::string firstLineOf(const std::filesystem::path &path)
{
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line))
        if (line.find_first_not_of(" (") != line.npos && !line.starts_with("Fatal server error"))
            return line.substr(0, 200);
    return "it said nothing";
}

} // namespace

struct Display::Connection
{
    explicit Connection(const std::string &displayName)
        : name(displayName)
        , display(XOpenDisplay(displayName.c_str()))
    {
    }
    ~Connection()
    {
        if (display)
            XCloseDisplay(display);
    }
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    bool canDraw() const
    {
        int opcode = 0, event = 0, error = 0;
        return display && XQueryExtension(display, "GLX", &opcode, &event, &error) == True;
    }

    std::string name;
    ::Display *display;
};

/// A running Xvfb.
class Display::VirtualServer
{
public:
    VirtualServer()
        : m_cookie(newCookie())
    {
        writeAuthority(m_folder.path() / "authority", m_cookie);
        start();
        try {
            waitUntilReady();
        } catch (...) {
            end();
            throw;
        }
    }
    ~VirtualServer() { end(); }
    VirtualServer(const VirtualServer &) = delete;
    VirtualServer &operator=(const VirtualServer &) = delete;

    const std::string &displayName() const { return m_displayName; }
    void authorize()
    {
        // Xlib copies both.
        std::string name(cookieName);
        XSetAuthorization(name.data(), static_cast<int>(name.size()), m_cookie.data(),
                          static_cast<int>(m_cookie.size()));
    }

private:
    void start();
    void waitUntilReady();
    void end();

    PrivateFolder m_folder;
    Cookie m_cookie;
    Pipe m_number; ///< Xvfb writes the number of its display to it
    pid_t m_pid = -1;
    std::string m_displayName;
};

void Display::VirtualServer::start()
{
    const std::string authority = (m_folder.path() / "authority").string();
    const std::string log = (m_folder.path() / "log").string();
    const std::string number = std::to_string(m_number.ends[1]);
    const std::array arguments{"Xvfb",
                               "-displayfd",
                               number.c_str(),
                               "-auth",
                               authority.c_str(),
                               "-screen",
                               "0",
                               "1280x1024x24",
                               "-nolisten",
                               "tcp",
                               "-noreset",
                               "+extension",
                               "GLX",
                               static_cast<const char *>(nullptr)};
    const pid_t parent = getpid();
    m_pid = fork();
    if (m_pid < 0)
        throw Error(fmt::format("no program can be started ({}); close other programs",
                                std::strerror(errno)));
    if (m_pid == 0) {
        // Only what is allowed between fork and exec.
        prctl(PR_SET_PDEATHSIG, SIGTERM); // however this program ends
        if (getppid() != parent)
            _exit(0);
        setpgid(0, 0); // Ctrl-C is for us; we end, and so does Xvfb
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        const int nothing = open("/dev/null", O_RDWR);
        const int logFile = open(log.c_str(), O_WRONLY | O_CREAT, 0600);
        dup2(nothing, 0);
        dup2(logFile, 1);
        dup2(logFile, 2);
        fcntl(m_number.ends[1], F_SETFD, 0);
        execvp("Xvfb", const_cast<char *const *>(arguments.data()));
        _exit(errno == ENOENT ? 127 : 126);
    }
    m_number.closeEnd(1);
}

void Display::VirtualServer::waitUntilReady()
{
    const auto giveUp = std::chrono::steady_clock::now() + startLimit;
    std::string text;
    while (text.find('\n') == text.npos) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            giveUp - std::chrono::steady_clock::now());
        pollfd wait{m_number.ends[0], POLLIN, 0};
        const int ready = left.count() > 0 ? poll(&wait, 1, static_cast<int>(left.count())) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            throw Error("the virtual screen (Xvfb) did not start within 30 seconds; try again when "
                        "the machine is less busy");
        std::array<char, 32> part;
        const auto count = read(m_number.ends[0], part.data(), part.size());
        if (count > 0) {
            text.append(part.data(), static_cast<std::size_t>(count));
            continue;
        }
        int status = 0;
        waitpid(std::exchange(m_pid, -1), &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
            throw Error("drawing needs a screen, be it a virtual one, and the program Xvfb is not "
                        "installed; install the Debian package xvfb");
        throw Error("the virtual screen (Xvfb) could not be started ("
                    + firstLineOf(m_folder.path() / "log")
                    + "); see that /tmp can be written to, or set DISPLAY to a screen");
    }
    m_displayName = ":" + text.substr(0, text.find('\n'));
}

void Display::VirtualServer::end()
{
    if (m_pid < 0)
        return;
    kill(m_pid, SIGTERM); // it removes its socket and lock
    for (int attempt = 0; attempt < 300; ++attempt) {
        if (waitpid(m_pid, nullptr, WNOHANG) != 0) {
            m_pid = -1;
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    kill(m_pid, SIGKILL);
    waitpid(std::exchange(m_pid, -1), nullptr, 0);
}

Display::Display()
{
    if (const char *wanted = std::getenv("DISPLAY"); wanted && isOnThisMachine(wanted)) {
        auto connection = std::make_unique<Connection>(wanted);
        if (connection->canDraw()) {
            m_connection = std::move(connection);
            return;
        }
    }
    m_server = std::make_unique<VirtualServer>();
    m_server->authorize();
    m_connection = std::make_unique<Connection>(m_server->displayName());
    if (!m_connection->canDraw())
        throw Error("the virtual screen (Xvfb) has no OpenGL; install the Debian package "
                    "libgl1-mesa-dri");
}

Display::~Display() = default;

bool canReachDisplay(const std::string &name, std::chrono::seconds patience)
{
    // In a process of its own: Xlib cannot be told to give up.
    const pid_t child = fork();
    if (child == 0) {
        std::signal(SIGALRM, SIG_DFL);
        alarm(static_cast<unsigned>(patience.count()));
        if (const int nothing = open("/dev/null", O_RDWR); nothing >= 0)
            dup2(nothing, STDERR_FILENO); // it says more than a sentence
        _exit(XOpenDisplay(name.empty() ? nullptr : name.c_str()) ? 0 : 1);
    }
    if (child < 0)
        return true; // who tries will see
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void *Display::handle() const
{
    return m_connection->display;
}

const std::string &Display::name() const
{
    return m_connection->name;
}

bool Display::isVirtual() const
{
    return m_server != nullptr;
}

} // namespace gridhelm::ui
