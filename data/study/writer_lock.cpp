// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/writer_lock.h"

#include "core/support/error.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace gridhelm::data {

namespace {

/// What a killed holder was about to start has its lock until it has started: a moment.
constexpr auto patienceWithTheDead = std::chrono::seconds(5);
/// Who looks whether a study is being written (isHeld) has its lock for microseconds.
constexpr auto patienceWithLooks = std::chrono::milliseconds(50);
constexpr auto betweenTries = std::chrono::milliseconds(5);

/// As the present holder wrote it; none if that is no number (yet).
std::optional<pid_t> holderOf(int descriptor)
{
    std::array<char, 32> text{};
    const auto size = ::pread(descriptor, text.data(), text.size() - 1, 0);
    pid_t process = 0;
    const char *end = text.data() + std::max<ssize_t>(size, 0);
    const auto [rest, failed] = std::from_chars(text.data(), end, process);
    return failed == std::errc() && rest == end && process > 0 ? std::optional(process)
                                                               : std::nullopt;
}

bool isGone(pid_t process)
{
    return ::kill(process, 0) != 0 && errno == ESRCH;
}

/// The same lock whatever name the study is opened by (hard links aside).
std::filesystem::path lockPathOf(const std::filesystem::path &study)
{
    std::error_code ignored;
    const auto canonical = std::filesystem::weakly_canonical(study, ignored);
    return (canonical.empty() ? study : canonical).string() + "-writer";
}

/// What is opened here is truncated, written and removed: it must be what a writer leaves.
void requireLockFile(int descriptor, const std::filesystem::path &path)
{
    struct stat status
    {};
    std::array<char, 32> text{};
    const auto size = ::pread(descriptor, text.data(), text.size(), 0);
    const bool isNumber = std::all_of(text.data(), text.data() + std::max<ssize_t>(size, 0),
                                      [](char c) { return c >= '0' && c <= '9'; });
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink > 1
        || size < 0 || !isNumber || static_cast<std::size_t>(status.st_size) >= text.size())
        throw Error(path.string()
                    + " is no lock file of Gridhelm's, so it is left alone: look at what it is, "
                      "and remove it or give the study another name");
}

} // namespace

WriterLock::WriterLock(const std::filesystem::path &study)
{
    m_path = lockPathOf(study);
    const auto started = std::chrono::steady_clock::now();
    while (true) {
        m_descriptor =
            ::open(m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
        if (m_descriptor < 0 && (errno == ELOOP || errno == EISDIR || errno == ENXIO))
            throw Error(m_path.string()
                        + " is no plain file, so it is left alone: look at what it is, and remove "
                          "it");
        if (m_descriptor < 0)
            throw Error(study.string() + " cannot be written, because its folder cannot ("
                        + std::strerror(errno)
                        + "): copy the study to a folder of your own, or choose another folder");
        if (::flock(m_descriptor, LOCK_EX | LOCK_NB) != 0) {
            const auto reason = errno;
            const auto holder = reason == EWOULDBLOCK ? holderOf(m_descriptor) : std::nullopt;
            ::close(std::exchange(m_descriptor, -1));
            const auto waited = std::chrono::steady_clock::now() - started;
            if (reason == EWOULDBLOCK
                && waited < (holder && isGone(*holder) ? patienceWithTheDead : patienceWithLooks)) {
                std::this_thread::sleep_for(betweenTries);
                continue;
            }
            if (reason != EWOULDBLOCK)
                throw Error(study.string() + " cannot be locked for writing ("
                            + std::strerror(reason) + "): put it on a file system that has locks");
            throw Error(study.string() + " is being written by "
                        + (holder ? "process " + std::to_string(*holder) : "another program")
                        + ": wait until it has finished, or stop it");
        }
        try {
            requireLockFile(m_descriptor, m_path);
        } catch (const Error &) {
            ::close(std::exchange(m_descriptor, -1));
            throw;
        }
        // Between open and flock the holder may have removed the file: then this lock is worthless.
        struct stat locked
        {
        }, named{};
        if (::fstat(m_descriptor, &locked) == 0 && ::stat(m_path.c_str(), &named) == 0
            && locked.st_ino == named.st_ino && locked.st_dev == named.st_dev)
            break;
        ::close(std::exchange(m_descriptor, -1));
    }
    const auto process = std::to_string(::getpid());
    // Only for the sentence above: a full disk need not stop us here.
    if (::ftruncate(m_descriptor, 0) == 0)
        static_cast<void>(::pwrite(m_descriptor, process.data(), process.size(), 0) < 0);
}

WriterLock::~WriterLock()
{
    release();
}

WriterLock::WriterLock(WriterLock &&other) noexcept
    : m_path(std::move(other.m_path))
    , m_descriptor(std::exchange(other.m_descriptor, -1))
{
}

WriterLock &WriterLock::operator=(WriterLock &&other) noexcept
{
    if (this != &other) {
        release();
        m_path = std::move(other.m_path);
        m_descriptor = std::exchange(other.m_descriptor, -1);
    }
    return *this;
}

bool WriterLock::isHeld(const std::filesystem::path &study)
{
    const int descriptor =
        ::open(lockPathOf(study).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat status
    {};
    if (descriptor < 0) // somebody else's, which cannot be asked, counts as held
        return errno == EACCES && ::lstat(lockPathOf(study).c_str(), &status) == 0
               && status.st_uid != ::geteuid();
    const bool isHeld = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
    return isHeld;
}

void WriterLock::release()
{
    if (m_descriptor < 0)
        return;
    ::unlink(m_path.c_str()); // while the lock is held, so that nobody else's file is removed
    ::close(std::exchange(m_descriptor, -1));
}

} // namespace gridhelm::data
