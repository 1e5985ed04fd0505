// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/work_folder.h"

#include "core/support/error.h"
#include "data/study/storage_error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gridhelm::data {

namespace {

namespace fs = std::filesystem;

constexpr int folderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr std::string_view markBegin = ".running-";
constexpr std::uint64_t leastFree = 64 << 10;

Descriptor openFolder(int at, const std::string &name)
{
    return Descriptor(::openat(at, name.c_str(), folderFlags));
}

std::vector<std::string> namesIn(int folder)
{
    std::vector<std::string> names;
    Descriptor again(::openat(folder, ".", folderFlags));
    DIR *list = again ? ::fdopendir(again.get()) : nullptr;
    if (!list)
        return names;
    again.release(); // closed with the list
    while (const auto *entry = ::readdir(list)) {
        const std::string name = entry->d_name;
        if (name != "." && name != "..")
            names.push_back(name);
    }
    ::closedir(list);
    return names;
}

/// A file, a link (not what it points to), or a folder with all that is in it; false: something
/// stays, and errno says why.
bool removeTree(int at, const std::string &name)
{
    if (::unlinkat(at, name.c_str(), 0) == 0 || errno == ENOENT)
        return true;
    {
        const auto folder = openFolder(at, name);
        if (!folder)
            return false;
        ::fchmod(folder.get(), S_IRWXU); // a command may have taken its own rights away
        for (const auto &entry : namesIn(folder.get()))
            removeTree(folder.get(), entry);
    }
    return ::unlinkat(at, name.c_str(), AT_REMOVEDIR) == 0;
}

/// As begin() gets it; whatever else a mark names was not made by us.
bool isRun(std::string_view name)
{
    for (const std::string_view kind : {"job-", "holdout-", "run-"}) {
        if (name.starts_with(kind) && name.size() > kind.size()
            && name.find_first_not_of("0123456789", kind.size()) == std::string_view::npos)
            return true;
    }
    return false;
}

std::string markOf(const std::string &run)
{
    return std::string(markBegin) + run;
}

std::string linkedText(const fs::path &path)
{
    return path.string()
           + " is a symbolic link or no folder, and nothing is written or removed through links; "
             "take it away, or put a folder there";
}

} // namespace

void throwFolderError(const fs::path &path, const std::string &what)
{
    const int code = errno;
    if (code == ENOSPC || code == EDQUOT)
        throw StorageError(what + " (" + std::strerror(code) + "); free some space on the disk of "
                           + path.string() + ", then run again");
    if (code == ELOOP || code == ENOTDIR)
        throw Error(what + ", for " + linkedText(path));
    throw Error(what + " (" + path.string() + ": " + std::strerror(code)
                + "); check the rights of that folder, and its disk");
}

// ---- one run's folder ---------------------------------------------------------------------------

JobFolder::JobFolder(Descriptor folder, fs::path path)
    : m_folder(std::move(folder))
    , m_path(std::move(path))
{
}

Descriptor JobFolder::parentOf(const fs::path &relative) const
{
    auto folder = Descriptor(::openat(m_folder.get(), ".", folderFlags));
    for (const auto &component : relative.parent_path()) {
        if (component == "..") // would lead out of it
            errno = ENOTDIR;
        if (folder && component != "." && !component.empty())
            folder = component == ".." ? Descriptor() : openFolder(folder.get(), component);
    }
    return folder;
}

void JobFolder::makeFolder(const fs::path &relative) const
{
    const auto parent = parentOf(relative);
    const auto name = relative.filename().string();
    const bool isMade =
        parent && (::mkdirat(parent.get(), name.c_str(), 0777) == 0 || errno == EEXIST);
    if (!isMade || !openFolder(parent.get(), name))
        throwFolderError(m_path / relative, "A folder of the job cannot be made");
}

Descriptor JobFolder::makeFile(const fs::path &relative) const
{
    const auto parent = parentOf(relative);
    const auto name = relative.filename().string();
    if (parent)
        ::unlinkat(parent.get(), name.c_str(), 0); // it may be a link
    Descriptor file(parent ? ::openat(parent.get(), name.c_str(),
                                      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)
                           : -1);
    if (!file)
        throwFolderError(m_path / relative, "A file of the job cannot be made");
    return file;
}

void JobFolder::makeLink(const fs::path &relative, const fs::path &target) const
{
    const auto parent = parentOf(relative);
    const auto name = relative.filename().string();
    if (parent)
        ::unlinkat(parent.get(), name.c_str(), 0);
    if (!parent || ::symlinkat(target.c_str(), parent.get(), name.c_str()) != 0)
        throwFolderError(m_path / relative, "A link of the job cannot be made");
}

void JobFolder::removeFile(const fs::path &relative) const
{
    if (const auto parent = parentOf(relative))
        ::unlinkat(parent.get(), relative.filename().c_str(), 0);
}

void JobFolder::removeFolder(const fs::path &relative) const
{
    if (const auto parent = parentOf(relative))
        ::unlinkat(parent.get(), relative.filename().c_str(), AT_REMOVEDIR);
}

// ---- the folder of all runs ---------------------------------------------------------------------

WorkFolder::WorkFolder(fs::path path)
    : m_path(std::move(path))
{
}

Descriptor WorkFolder::open() const
{
    return Descriptor(::open(m_path.c_str(), folderFlags));
}

void WorkFolder::requireFolder() const
{
    if (open() || errno == ENOENT)
        return;
    if (errno == ELOOP || errno == ENOTDIR)
        throw Error("The jobs' folder " + linkedText(m_path));
    throwFolderError(m_path, "The jobs' folder cannot be opened");
}

JobFolder WorkFolder::begin(const std::string &run) const
{
    const std::string what = "The job's folder cannot be made";
    Descriptor root;
    {
        const std::scoped_lock lock(m_mutex);
        if (::mkdir(m_path.c_str(), 0777) != 0 && errno != EEXIST)
            throwFolderError(m_path, what);
        root = open();
        const Descriptor mark(root ? ::openat(root.get(), markOf(run).c_str(),
                                              O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)
                                   : -1);
        if (!mark)
            throwFolderError(m_path, what);
    }
    Descriptor folder;
    if (removeTree(root.get(), run) && ::mkdirat(root.get(), run.c_str(), 0777) == 0)
        folder = openFolder(root.get(), run);
    if (!folder) {
        const int code = errno;
        remove(run);
        errno = code;
        throwFolderError(m_path / run, what);
    }
    return {std::move(folder), m_path / run};
}

void WorkFolder::keep(const std::string &run) const
{
    if (const auto root = open())
        ::unlinkat(root.get(), markOf(run).c_str(), 0);
}

void WorkFolder::remove(const std::string &run) const
{
    const auto root = open();
    if (!root)
        return;
    removeTree(root.get(), run);
    const std::scoped_lock lock(m_mutex);
    ::unlinkat(root.get(), markOf(run).c_str(), 0);
    ::rmdir(m_path.c_str()); // if it is empty; a link is none
}

void WorkFolder::tidy(const std::set<std::string> &elsewhere) const
{
    const auto root = open();
    if (!root)
        return;
    for (const auto &name : namesIn(root.get())) {
        if (!name.starts_with(markBegin))
            continue;
        const auto run = name.substr(markBegin.size());
        if (isRun(run) && !elsewhere.contains(run))
            remove(run);
    }
    ::rmdir(m_path.c_str());
}

bool WorkFolder::isDiskFull() const
{
    struct statvfs disk = {};
    const auto root = open();
    return root && ::fstatvfs(root.get(), &disk) == 0
           && static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize < leastFree;
}

} // namespace gridhelm::data
