// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/code_folder.h"

#include "core/support/private_folder.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <utility>

namespace gridhelm {
namespace {

constexpr mode_t othersWrite = S_IWGRP | S_IWOTH;

[[noreturn]] void refuse(const std::filesystem::path &path, const std::string &why)
{
    throw Error(fmt::format("The cache folder {} {}: compiled code from there would run as you; "
                            "make it yours alone (chmod go-w), or set XDG_CACHE_HOME to another "
                            "folder",
                            path.string(), why));
}

/// Who can write to a folder can put another one, or another link, in the place of what is in it,
/// unless it is sticky, as /tmp is.
void requireSafe(const std::filesystem::path &folder, const std::filesystem::path &wanted)
{
    struct stat status
    {};
    if (::stat(folder.c_str(), &status) != 0)
        throwUnusable(wanted, "cannot be used");
    if ((status.st_mode & othersWrite) != 0 && (status.st_mode & S_ISVTX) == 0)
        refuse(folder, "can be written to by others");
    if (status.st_uid != ::geteuid() && status.st_uid != 0)
        refuse(folder, "belongs to somebody else");
}

/// Where links lead to. Each folder on the way is looked at, also those that hold the links.
std::filesystem::path safeFolder(const std::filesystem::path &path)
{
    if (!makePrivateFolder(path))
        throwUnusable(path, "cannot be made");
    constexpr int mostLinks = 40; // as the system has it
    int links = 0;
    std::error_code failed;
    std::filesystem::path found = "/";
    requireSafe(found, path);
    const auto whole = std::filesystem::absolute(path, failed).relative_path();
    std::deque<std::filesystem::path> rest(whole.begin(), whole.end());
    while (!rest.empty()) {
        const auto name = std::move(rest.front());
        rest.pop_front();
        if (name.empty() || name == ".")
            continue;
        if (name == "..") {
            found = found.parent_path();
            continue;
        }
        const auto next = found / name;
        struct stat status
        {};
        if (::lstat(next.c_str(), &status) != 0)
            throwUnusable(path, "cannot be used");
        if (!S_ISLNK(status.st_mode)) {
            requireSafe(next, path);
            found = next;
            continue;
        }
        const auto target = std::filesystem::read_symlink(next, failed);
        if (failed || ++links > mostLinks)
            throwUnusable(path, "cannot be used");
        if (status.st_uid != ::geteuid() && status.st_uid != 0) // in a sticky folder
            refuse(next, "is somebody else's link");
        if (target.is_absolute())
            found = "/";
        const auto parts = target.relative_path();
        rest.insert(rest.begin(), parts.begin(), parts.end());
    }
    return found;
}

/// Made if it is not there; never what a link leads to.
Descriptor openOwnFolder(int above, const char *name, const std::filesystem::path &path)
{
    if (::mkdirat(above, name, 0700) != 0 && errno != EEXIST)
        throwUnusable(path, "cannot be made");
    Descriptor folder(::openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status
    {};
    if (!folder && errno != ELOOP && errno != ENOTDIR)
        throwUnusable(path, "cannot be used");
    if (!folder || ::fstat(folder.get(), &status) != 0)
        refuse(path, "is a link or no folder");
    if (status.st_uid != ::geteuid())
        refuse(path, "belongs to somebody else");
    // Of a program that left its mode to the user's mask, as older versions of ours did.
    const bool isLoose = (status.st_mode & othersWrite) == S_IWGRP;
    if (isLoose && ::fchmod(folder.get(), status.st_mode & 07777 & ~othersWrite) == 0)
        return folder;
    if ((status.st_mode & othersWrite) != 0)
        refuse(path, "can be written to by others");
    return folder;
}

} // namespace

void throwUnusable(const std::filesystem::path &path, const char *what)
{
    throw CacheUnusable(fmt::format("{} {} ({}); free some space there, or set XDG_CACHE_HOME to "
                                    "another folder",
                                    path.string(), what, std::strerror(errno)));
}

CodeFolder openCodeFolder(const std::filesystem::path &above, const char *name)
{
    // Without links from here on, so that a library is loaded from the folder that was looked at.
    // (A loader is given its name: of /proc/self/fd/N it would take an older library which it has
    // loaded under that name.)
    const auto own = safeFolder(above.parent_path()) / above.filename();
    auto path = own / name;
    const auto opened = openOwnFolder(AT_FDCWD, own.c_str(), own);
    auto folder = openOwnFolder(opened.get(), name, path);
    return {std::move(path), std::move(folder)};
}

} // namespace gridhelm
