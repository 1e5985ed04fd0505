// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/study_vfs.h"

#include <sqlite3.h>

#include <cerrno>
#include <cstddef>
#include <map>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>

namespace gridhelm::data {

namespace {

constexpr const char *vfsName = "gridhelm";

struct Names
{
    std::mutex mutex;
    std::map<std::string, int, std::less<>> open;            ///< databases, and how often
    std::map<std::string, std::string, std::less<>> aliases; ///< what they stand for
};

Names &names()
{
    static Names all;
    return all;
}

sqlite3_vfs *baseOf(sqlite3_vfs *vfs)
{
    return static_cast<sqlite3_vfs *>(vfs->pAppData);
}

/// A database as SQLite sees it; the base's own file lies behind it in memory.
struct File
{
    sqlite3_file asSqlite;
    const char *name;       ///< of the database; SQLite keeps it while the file is open
    sqlite3_filename alias; ///< what was opened in its place
    bool isCounted;
};

File *fileOf(sqlite3_file *file)
{
    return reinterpret_cast<File *>(file);
}

sqlite3_file *behind(sqlite3_file *file)
{
    static_assert(sizeof(File) % alignof(std::max_align_t) == 0);
    return reinterpret_cast<sqlite3_file *>(fileOf(file) + 1);
}

const sqlite3_io_methods *methodsBehind(sqlite3_file *file)
{
    return behind(file)->pMethods;
}

int closeFile(sqlite3_file *file)
{
    const int code = methodsBehind(file)->xClose(behind(file));
    if (fileOf(file)->isCounted) {
        const std::scoped_lock lock(names().mutex);
        if (const auto found = names().open.find(std::string_view(fileOf(file)->name));
            found != names().open.end() && --found->second == 0)
            names().open.erase(found);
    }
    if (fileOf(file)->alias)
        sqlite3_free_filename(fileOf(file)->alias);
    return code;
}

// What both kinds of files hand on as it is.

int readFile(sqlite3_file *file, void *bytes, int count, sqlite3_int64 at)
{
    return methodsBehind(file)->xRead(behind(file), bytes, count, at);
}
int writeFile(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 at)
{
    return methodsBehind(file)->xWrite(behind(file), bytes, count, at);
}
int truncateFile(sqlite3_file *file, sqlite3_int64 size)
{
    return methodsBehind(file)->xTruncate(behind(file), size);
}
int syncFile(sqlite3_file *file, int flags)
{
    return methodsBehind(file)->xSync(behind(file), flags);
}
int sizeOfFile(sqlite3_file *file, sqlite3_int64 *size)
{
    return methodsBehind(file)->xFileSize(behind(file), size);
}
/// SQLite takes a file system without locks for one on which somebody else has them all the time.
int withNoLocks(int code)
{
    const bool hasNone = errno == ENOLCK || errno == ENOTSUP || errno == ENOSYS;
    return code == SQLITE_BUSY && hasNone ? SQLITE_IOERR_LOCK : code;
}
int lockFile(sqlite3_file *file, int lock)
{
    errno = 0;
    return withNoLocks(methodsBehind(file)->xLock(behind(file), lock));
}
int unlockFile(sqlite3_file *file, int lock)
{
    return methodsBehind(file)->xUnlock(behind(file), lock);
}
int isReserved(sqlite3_file *file, int *result)
{
    return methodsBehind(file)->xCheckReservedLock(behind(file), result);
}
int controlFile(sqlite3_file *file, int operation, void *argument)
{
    return methodsBehind(file)->xFileControl(behind(file), operation, argument);
}
int sectorSize(sqlite3_file *file)
{
    return methodsBehind(file)->xSectorSize(behind(file));
}
int characteristics(sqlite3_file *file)
{
    return methodsBehind(file)->xDeviceCharacteristics(behind(file));
}
int mapShared(sqlite3_file *file, int region, int size, int extend, void volatile **memory)
{
    return methodsBehind(file)->xShmMap(behind(file), region, size, extend, memory);
}
int lockShared(sqlite3_file *file, int offset, int count, int flags)
{
    errno = 0;
    return withNoLocks(methodsBehind(file)->xShmLock(behind(file), offset, count, flags));
}
void sharedBarrier(sqlite3_file *file)
{
    methodsBehind(file)->xShmBarrier(behind(file));
}
int unmapShared(sqlite3_file *file, int deleteFlag)
{
    return methodsBehind(file)->xShmUnmap(behind(file), deleteFlag);
}

constexpr sqlite3_io_methods counted{
    2,          closeFile,     readFile,    writeFile,   truncateFile, syncFile,        sizeOfFile,
    lockFile,   unlockFile,    isReserved,  controlFile, sectorSize,   characteristics, mapShared,
    lockShared, sharedBarrier, unmapShared, nullptr,     nullptr};

// Of a ReadOnlyAlias: no locks, no writes, no shared memory.

int refuseWrite(sqlite3_file *, const void *, int, sqlite3_int64)
{
    return SQLITE_READONLY;
}
int refuseTruncate(sqlite3_file *, sqlite3_int64)
{
    return SQLITE_READONLY;
}
int nothingToSync(sqlite3_file *, int)
{
    return SQLITE_OK;
}
int noLock(sqlite3_file *, int)
{
    return SQLITE_OK;
}
int nobodyReserves(sqlite3_file *, int *result)
{
    *result = 0;
    return SQLITE_OK;
}
int noControl(sqlite3_file *, int, void *)
{
    return SQLITE_NOTFOUND;
}

constexpr sqlite3_io_methods readOnly{
    1,       closeFile, readFile,       refuseWrite, refuseTruncate, nothingToSync,   sizeOfFile,
    noLock,  noLock,    nobodyReserves, noControl,   sectorSize,     characteristics, nullptr,
    nullptr, nullptr,   nullptr,        nullptr,     nullptr};

int openFile(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *opened, int flags,
             int *outFlags)
{
    auto &file = *fileOf(opened);
    file = {};
    std::string real;
    const bool isDatabase = (flags & SQLITE_OPEN_MAIN_DB) != 0 && name != nullptr;
    if (isDatabase) {
        const std::scoped_lock lock(names().mutex);
        if (const auto alias = names().aliases.find(std::string_view(name));
            alias != names().aliases.end())
            real = alias->second;
    }
    if (!real.empty()) {
        file.alias = sqlite3_create_filename(real.c_str(), "", "", 0, nullptr);
        if (!file.alias)
            return SQLITE_NOMEM;
        flags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
    }
    const int code = baseOf(vfs)->xOpen(baseOf(vfs), file.alias ? file.alias : name, behind(opened),
                                        flags, outFlags);
    if (methodsBehind(opened) == nullptr) {
        if (file.alias)
            sqlite3_free_filename(std::exchange(file.alias, nullptr));
        return code;
    }
    if (isDatabase) {
        file.name = name;
        file.isCounted = true;
        const std::scoped_lock lock(names().mutex);
        ++names().open[name];
    }
    opened->pMethods = file.alias ? &readOnly : &counted;
    return code;
}

/// "study-wal" of an open "study", and its like.
bool belongsToOpenDatabase(std::string_view path)
{
    for (const std::string_view end : {"-journal", "-wal", "-shm"}) {
        if (!path.ends_with(end))
            continue;
        const std::scoped_lock lock(names().mutex);
        return names().open.contains(path.substr(0, path.size() - end.size()));
    }
    return false;
}

int deleteFile(sqlite3_vfs *vfs, const char *path, int syncFolder)
{
    return belongsToOpenDatabase(path) ? baseOf(vfs)->xDelete(baseOf(vfs), path, syncFolder)
                                       : SQLITE_IOERR_DELETE;
}

int access(sqlite3_vfs *vfs, const char *path, int flags, int *result)
{
    return baseOf(vfs)->xAccess(baseOf(vfs), path, flags, result);
}
int fullPathname(sqlite3_vfs *vfs, const char *path, int size, char *out)
{
    return baseOf(vfs)->xFullPathname(baseOf(vfs), path, size, out);
}
int randomness(sqlite3_vfs *vfs, int count, char *out)
{
    return baseOf(vfs)->xRandomness(baseOf(vfs), count, out);
}
int sleepFor(sqlite3_vfs *vfs, int microseconds)
{
    return baseOf(vfs)->xSleep(baseOf(vfs), microseconds);
}
int currentTime(sqlite3_vfs *vfs, double *time)
{
    return baseOf(vfs)->xCurrentTime(baseOf(vfs), time);
}
int lastError(sqlite3_vfs *vfs, int count, char *out)
{
    return baseOf(vfs)->xGetLastError(baseOf(vfs), count, out);
}
int currentTimeInt64(sqlite3_vfs *vfs, sqlite3_int64 *time)
{
    return baseOf(vfs)->xCurrentTimeInt64(baseOf(vfs), time);
}

sqlite3_vfs *makeVfs()
{
    sqlite3_initialize();
    auto *base = sqlite3_vfs_find(nullptr);
    static sqlite3_vfs vfs{};
    vfs.iVersion = 2;
    vfs.szOsFile = static_cast<int>(sizeof(File)) + base->szOsFile;
    vfs.mxPathname = base->mxPathname;
    vfs.zName = vfsName;
    vfs.pAppData = base;
    vfs.xOpen = openFile;
    vfs.xDelete = deleteFile;
    vfs.xAccess = access;
    vfs.xFullPathname = fullPathname;
    vfs.xRandomness = randomness; // no xDlOpen: nothing is loaded
    vfs.xSleep = sleepFor;
    vfs.xCurrentTime = currentTime;
    vfs.xGetLastError = lastError;
    vfs.xCurrentTimeInt64 = currentTimeInt64;
    sqlite3_vfs_register(&vfs, 0);
    return &vfs;
}

} // namespace

std::string studyVfs()
{
    static const auto *vfs = makeVfs();
    return vfs->zName;
}

ReadOnlyAlias::ReadOnlyAlias(const std::filesystem::path &name, const std::filesystem::path &file)
    : m_name(name.string())
{
    const std::scoped_lock lock(names().mutex);
    names().aliases[m_name] = file.string();
}

ReadOnlyAlias::~ReadOnlyAlias()
{
    const std::scoped_lock lock(names().mutex);
    names().aliases.erase(m_name);
}

} // namespace gridhelm::data
