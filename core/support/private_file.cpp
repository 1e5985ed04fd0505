// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/private_file.h"

#include "core/support/error.h"
#include "core/support/output_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gridhelm {
namespace {

/// A file that is closed in the end.
class OpenFile
{
public:
    OpenFile(const std::filesystem::path &path, int flags)
        : m_descriptor(::open(path.c_str(), flags | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR))
    {
    }
    ~OpenFile()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    OpenFile(const OpenFile &) = delete;
    OpenFile &operator=(const OpenFile &) = delete;

    int descriptor() const { return m_descriptor; }

private:
    int m_descriptor;
};

} // namespace

std::optional<std::string> readPrivateFile(const std::filesystem::path &path, std::size_t mostBytes,
                                           const std::string &what)
{
    const auto refusal = [&](const std::string &why) {
        return Error(fmt::format("{}, {}, {}", path.string(), what, why));
    };
    const OpenFile file(path, O_RDONLY | O_NONBLOCK);
    if (file.descriptor() < 0) {
        if (errno == ENOENT)
            return std::nullopt;
        throw refusal(errno == ELOOP ? "is a link, and not believed" : "cannot be read");
    }
    struct stat state = {};
    if (::fstat(file.descriptor(), &state) != 0 || !S_ISREG(state.st_mode))
        throw refusal("is no file");
    if (state.st_uid != ::geteuid())
        throw refusal("belongs to another user, and is not believed");
    if ((state.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        throw refusal("can be written by others, and is not believed: remove it");
    std::string text;
    std::string part(std::size_t{1} << 16, '\0');
    while (text.size() <= mostBytes) {
        const auto count = ::read(file.descriptor(), part.data(), part.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            throw refusal("cannot be read");
        if (count == 0)
            return text;
        text.append(part, 0, static_cast<std::size_t>(count));
    }
    throw refusal("is too long to be one");
}

void writePrivateFile(const std::filesystem::path &path, std::string_view text)
{
    auto aside = path;
    aside += fmt::format(".{}", ::getpid());
    ::unlink(aside.c_str()); // of a process that was killed
    bool isWritten = false;
    {
        const OpenFile file(aside, O_WRONLY | O_CREAT | O_EXCL);
        isWritten = file.descriptor() >= 0;
        while (isWritten && !text.empty()) {
            const auto count = ::write(file.descriptor(), text.data(), text.size());
            if (count < 0 && errno == EINTR)
                continue;
            isWritten = count > 0;
            if (isWritten)
                text.remove_prefix(static_cast<std::size_t>(count));
        }
        isWritten = isWritten && ::fsync(file.descriptor()) == 0;
    }
    if (isWritten && ::rename(aside.c_str(), path.c_str()) == 0)
        return;
    const int why = errno;
    ::unlink(aside.c_str());
    errno = why;
    throwFileError(path);
}

} // namespace gridhelm
