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

} // namespace

WriterLock::WriterLock(const std::filesystem::path &study)
{
    // The same lock whatever name the study is opened by (hard links aside).
    std::error_code ignored;
    const auto canonical = std::filesystem::weakly_canonical(study, ignored);
    m_path = (canonical.empty() ? study : canonical).string() + "-writer";
    const auto patienceEnds = std::chrono::steady_clock::now() + patienceWithTheDead;
    while (true) {
        m_descriptor = ::open(m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (m_descriptor < 0)
            throw Error(study.string() + " cannot be written, because its folder cannot ("
                        + std::strerror(errno)
                        + "): copy the study to a place of your own, or choose another folder");
        if (::flock(m_descriptor, LOCK_EX | LOCK_NB) != 0) {
            const auto reason = errno;
            const auto holder = reason == EWOULDBLOCK ? holderOf(m_descriptor) : std::nullopt;
            ::close(std::exchange(m_descriptor, -1));
            if (holder && isGone(*holder) && std::chrono::steady_clock::now() < patienceEnds) {
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

void WriterLock::release()
{
    if (m_descriptor < 0)
        return;
    ::unlink(m_path.c_str()); // while the lock is held, so that nobody else's file is removed
    ::close(std::exchange(m_descriptor, -1));
}

} // namespace gridhelm::data
