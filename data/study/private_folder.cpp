// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/private_folder.h"

#include "core/support/descriptor.h"
#include "data/study/storage_error.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace gridhelm::data {

namespace {

/// False if it did not all fit, or could not be read; errno says why.
bool copyBytes(int from, int to)
{
    if (::ioctl(to, FICLONE, from) == 0)
        return true;
    constexpr std::size_t atOnce = std::size_t{1} << 30;
    while (true) {
        const auto copied = ::copy_file_range(from, nullptr, to, nullptr, atOnce, 0);
        if (copied == 0)
            return true;
        if (copied > 0 || errno == EINTR)
            continue;
        // From one file system to another, on an old kernel; or at the largest size that a file may
        // have, which the kernel says before it sees that there is no more to copy.
        if (errno != EXDEV && errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP
            && errno != EFBIG)
            return false;
        break;
    }
    std::string buffer(std::size_t{1} << 20, '\0');
    while (true) {
        const auto got = readSome(from, buffer.data(), buffer.size());
        if (got <= 0)
            return got == 0;
        if (!writeAll(to, std::string_view(buffer).substr(0, static_cast<std::size_t>(got))))
            return false;
    }
}

} // namespace

PrivateFolder::PrivateFolder()
{
    const char *wanted = std::getenv("TMPDIR");
    std::string tried;
    for (const std::string place : {wanted ? wanted : "", "/tmp", "/var/tmp"}) {
        if (place.empty())
            continue;
        std::string name = place + "/gridhelm-XXXXXX";
        if (::mkdtemp(name.data())) { // mode 0700
            m_path = name;
            return;
        }
        tried += (tried.empty() ? "" : ", ") + place + " (" + std::strerror(errno) + ")";
    }
    throw StorageError("There is no place for temporary files, tried: " + tried
                       + "; set TMPDIR to a folder that can be written");
}

PrivateFolder::~PrivateFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

std::filesystem::path PrivateFolder::copyOf(const std::filesystem::path &file,
                                            const std::string &name) const
{
    const auto copy = m_path / name;
    const Descriptor from(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status
    {};
    if (from.get() < 0 || ::fstat(from.get(), &status) != 0 || !S_ISREG(status.st_mode))
        throw StorageError(file.string() + " cannot be read (" + std::strerror(errno)
                           + "): check that it is a plain file that you may read");
    const Descriptor to(
        ::open(copy.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (to.get() < 0 || !copyBytes(from.get(), to.get()))
        throw StorageError("A private copy of " + file.string() + " cannot be made in "
                           + m_path.string() + " (" + std::strerror(errno)
                           + "): free some space there, or set TMPDIR to another folder");
    return copy;
}

} // namespace gridhelm::data
