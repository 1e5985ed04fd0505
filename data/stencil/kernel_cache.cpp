// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/stencil/kernel_cache.h"

#include "core/support/error.h"
#include "core/support/private_folder.h"
#include "data/support/sha256.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <deque>
#include <utility>
#include <vector>

namespace gridhelm::data {
namespace {

constexpr std::size_t largestLibrary = std::size_t{64} << 20;
constexpr std::size_t hashDigits = 64;
constexpr mode_t othersWrite = S_IWGRP | S_IWOTH;

[[noreturn]] void refuse(const std::filesystem::path &path, const std::string &why)
{
    throw Error(fmt::format("The cache folder {} {}: compiled code from there would run as you; "
                            "make it yours alone (chmod go-w), or set XDG_CACHE_HOME to another "
                            "folder",
                            path.string(), why));
}

[[noreturn]] void giveUp(const std::filesystem::path &path, const char *what)
{
    throw CacheUnusable(fmt::format("{} {} ({}); free some space there, or set XDG_CACHE_HOME to "
                                    "another folder",
                                    path.string(), what, std::strerror(errno)));
}

/// Who can write to a folder can put another one, or another link, in the place of what is in it,
/// unless it is sticky, as /tmp is.
void requireSafe(const std::filesystem::path &folder, const std::filesystem::path &wanted)
{
    struct stat status
    {};
    if (::stat(folder.c_str(), &status) != 0)
        giveUp(wanted, "cannot be used");
    if ((status.st_mode & othersWrite) != 0 && (status.st_mode & S_ISVTX) == 0)
        refuse(folder, "can be written to by others");
    if (status.st_uid != ::geteuid() && status.st_uid != 0)
        refuse(folder, "belongs to somebody else");
}

/// Where links lead to. Each folder on the way is looked at, also those that hold the links.
std::filesystem::path safeFolder(const std::filesystem::path &path)
{
    if (!makePrivateFolder(path))
        giveUp(path, "cannot be made");
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
            giveUp(path, "cannot be used");
        if (!S_ISLNK(status.st_mode)) {
            requireSafe(next, path);
            found = next;
            continue;
        }
        const auto target = std::filesystem::read_symlink(next, failed);
        if (failed || ++links > mostLinks)
            giveUp(path, "cannot be used");
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
        giveUp(path, "cannot be made");
    Descriptor folder(::openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status
    {};
    if (!folder && errno != ELOOP && errno != ENOTDIR)
        giveUp(path, "cannot be used");
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

/// All of a plain file that is ours alone; none if it is anything else.
std::optional<std::string> readOwn(int folder, const std::string &name)
{
    const Descriptor file(
        ::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status
    {};
    std::string bytes;
    if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)
        || status.st_uid != ::geteuid() || (status.st_mode & othersWrite) != 0
        || !readAll(file.get(), largestLibrary, bytes))
        return std::nullopt;
    return bytes;
}

std::string nameOf(const std::filesystem::path &file)
{
    return file.filename().string();
}

bool isKeptName(std::string_view name)
{
    return name.ends_with(".so") || name.ends_with(".cubin");
}

bool isNumber(std::string_view text)
{
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Of temporary(): NAME.PROCESS.NUMBER.cpp, or .log, .part.
bool isTemporaryName(std::string_view name)
{
    if (!name.ends_with(".cpp") && !name.ends_with(".log") && !name.ends_with(".part"))
        return false;
    for (const bool isOurs : {true, false, false}) { // the end is looked at, then two numbers
        const auto dot = name.rfind('.');
        if (dot == std::string_view::npos || (!isOurs && !isNumber(name.substr(dot + 1))))
            return false;
        name = name.substr(0, dot);
    }
    return !name.empty();
}

/// Whoever made that file is gone: no compilation takes so long.
bool isLeft(const struct stat &status)
{
    constexpr std::time_t longest = 20 * 60; // seconds
    return std::time(nullptr) - status.st_mtim.tv_sec > longest;
}

} // namespace

KernelCache::KernelCache(const std::filesystem::path &folder, const CacheBounds &bounds)
    : m_bounds(bounds)
{
    // Without links from here on, so that a library is loaded from the folder that was looked at.
    // (A loader is given its name: of /proc/self/fd/N it would take an older library which it has
    // loaded under that name.)
    const auto own = safeFolder(folder.parent_path()) / folder.filename();
    m_path = own / "stencils";
    const auto above = openOwnFolder(AT_FDCWD, own.c_str(), own);
    m_folder = openOwnFolder(above.get(), "stencils", m_path);
}

std::optional<std::string> KernelCache::read(const std::string &name) const
{
    auto bytes = readOwn(m_folder.get(), name);
    if (!bytes || bytes->size() <= hashDigits)
        return std::nullopt;
    const auto size = bytes->size() - hashDigits;
    const std::string_view all(*bytes);
    if (sha256Of(all.substr(0, size)) != all.substr(size))
        return std::nullopt;
    bytes->resize(size);
    ::utimensat(m_folder.get(), name.c_str(), nullptr, AT_SYMLINK_NOFOLLOW); // used now
    return bytes;
}

std::optional<std::filesystem::path> KernelCache::find(const std::string &name) const
{
    return read(name) ? std::optional(m_path / name) : std::nullopt;
}

std::filesystem::path KernelCache::temporary(const std::string &name,
                                             std::string_view extension) const
{
    static std::atomic<unsigned> next = 0;
    return m_path / fmt::format("{}.{}.{}{}", name, ::getpid(), ++next, extension);
}

void KernelCache::write(const std::filesystem::path &file, std::string_view text) const
{
    const auto name = nameOf(file);
    ::unlinkat(m_folder.get(), name.c_str(), 0); // left by a process that had our number
    const Descriptor to(::openat(m_folder.get(), name.c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!to || !writeAll(to.get(), text))
        giveUp(file, "could not be written");
}

std::filesystem::path KernelCache::store(const std::filesystem::path &made,
                                         const std::string &name) const
{
    const auto madeName = nameOf(made);
    const Descriptor file(
        ::openat(m_folder.get(), madeName.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status
    {};
    // A linker gives it the mode that the user's mask leaves: others of a group may write it then.
    if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)
        || status.st_uid != ::geteuid() || ::fchmod(file.get(), 0700) != 0)
        giveUp(made, "could not be made ours");
    // The hash is behind the library, where loaders do not look: one file, which is whole or is
    // not.
    std::string bytes;
    if (!readAll(file.get(), largestLibrary, bytes) || !writeAll(file.get(), sha256Of(bytes))
        || ::renameat(m_folder.get(), madeName.c_str(), m_folder.get(), name.c_str()) != 0)
        giveUp(m_path / name, "could not be written");
    removeOldest(name);
    return m_path / name;
}

void KernelCache::removeOldest(const std::string &except) const
{
    struct Kept
    {
        timespec used;
        std::uint64_t bytes;
        std::string name;
    };
    std::vector<Kept> files;
    std::uint64_t bytes = 0;
    std::size_t count = 0;
    std::error_code failed; // what cannot be listed stays
    for (std::filesystem::directory_iterator entry(m_path, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        auto name = nameOf(entry->path());
        struct stat status
        {};
        if (::fstatat(m_folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0
            || !S_ISREG(status.st_mode))
            continue;
        if (isTemporaryName(name) && isLeft(status)) // by a process that was killed
            ::unlinkat(m_folder.get(), name.c_str(), 0);
        if (!isKeptName(name)) // others' files, and what is being made
            continue;
        bytes += static_cast<std::uint64_t>(status.st_size);
        ++count;
        if (name != except)
            files.push_back(
                {status.st_mtim, static_cast<std::uint64_t>(status.st_size), std::move(name)});
    }
    std::ranges::sort(
        files, {}, [](const Kept &file) { return std::pair(file.used.tv_sec, file.used.tv_nsec); });
    // Loaded libraries go on without their names; who compiles at this moment makes it again.
    for (const auto &file : files) {
        if (bytes <= m_bounds.bytes && count <= m_bounds.files)
            return;
        if (::unlinkat(m_folder.get(), file.name.c_str(), 0) == 0) {
            bytes -= file.bytes;
            --count;
        }
    }
}

void KernelCache::keep(std::string_view bytes, const std::string &name) const
{
    const auto made = temporary(name, ".part");
    try {
        write(made, bytes);
        store(made, name);
    } catch (const CacheUnusable &) {
        remove(made);
        throw;
    }
}

void KernelCache::remove(const std::filesystem::path &file) const
{
    ::unlinkat(m_folder.get(), nameOf(file).c_str(), 0);
}

} // namespace gridhelm::data
