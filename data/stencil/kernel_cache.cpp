// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/stencil/kernel_cache.h"

#include "core/support/error.h"
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
#include <utility>
#include <vector>

namespace gridhelm::data {
namespace {

constexpr std::size_t largestLibrary = std::size_t{64} << 20;
constexpr std::size_t hashDigits = 64;
constexpr mode_t othersWrite = S_IWGRP | S_IWOTH;

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
    auto own = openCodeFolder(folder, "stencils");
    m_path = std::move(own.path);
    m_folder = std::move(own.folder);
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
        throwUnusable(file, "could not be written");
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
        throwUnusable(made, "could not be made ours");
    // The hash is behind the library, where loaders do not look: one file, which is whole or is
    // not.
    std::string bytes;
    if (!readAll(file.get(), largestLibrary, bytes) || !writeAll(file.get(), sha256Of(bytes))
        || ::renameat(m_folder.get(), madeName.c_str(), m_folder.get(), name.c_str()) != 0)
        throwUnusable(m_path / name, "could not be written");
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
