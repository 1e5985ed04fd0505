// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/private_file.h"

#include "core/support/descriptor.h"
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

/// Never what a link leads to.
Descriptor openFile(const std::filesystem::path &path, int flags)
{
    return Descriptor(::open(path.c_str(), flags | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
}

} // namespace

std::optional<std::string> readPrivateFile(const std::filesystem::path &path, std::size_t mostBytes,
                                           const std::string &what)
{
    const auto refusal = [&](const std::string &why) {
        return Error(fmt::format("{}, {}, {}", path.string(), what, why));
    };
    const auto file = openFile(path, O_RDONLY | O_NONBLOCK);
    if (!file) {
        if (errno == ENOENT)
            return std::nullopt;
        throw refusal(errno == ELOOP ? "is a link, and not believed" : "cannot be read");
    }
    struct stat state = {};
    if (::fstat(file.get(), &state) != 0 || !S_ISREG(state.st_mode))
        throw refusal("is no file");
    if (state.st_uid != ::geteuid())
        throw refusal("belongs to another user, and is not believed");
    if ((state.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        throw refusal("can be written by others, and is not believed: remove it");
    std::string text;
    if (!readAll(file.get(), mostBytes + 1, text))
        throw refusal("cannot be read");
    if (text.size() > mostBytes)
        throw refusal("is too long to be one");
    return text;
}

void writePrivateFile(const std::filesystem::path &path, std::string_view text)
{
    auto aside = path;
    aside += fmt::format(".{}", ::getpid());
    ::unlink(aside.c_str()); // of a process that was killed
    bool isWritten = false;
    {
        const auto file = openFile(aside, O_WRONLY | O_CREAT | O_EXCL);
        isWritten = file && writeAll(file.get(), text) && ::fsync(file.get()) == 0;
    }
    if (isWritten && ::rename(aside.c_str(), path.c_str()) == 0)
        return;
    const int why = errno;
    ::unlink(aside.c_str());
    errno = why;
    throwFileError(path);
}

} // namespace gridhelm
