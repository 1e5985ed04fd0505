// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/beside_study.h"

#include "core/support/error.h"
#include "data/study/schema.h"
#include "data/study/writer_lock.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace gridhelm::data {

namespace {

/// Bytes of a plain file; 0 if there is none. Throws for anything else.
std::uintmax_t plainSize(const std::string &path)
{
    struct stat status
    {};
    if (::lstat(path.c_str(), &status) != 0)
        return 0;
    // A file that has another name, too, is somebody's: SQLite would write to it.
    if (!S_ISREG(status.st_mode) || status.st_nlink > 1)
        throw Error(path
                    + " is no plain file, as Gridhelm would have left it, but a link: look at what "
                      "it is, and remove it");
    return static_cast<std::uintmax_t>(status.st_size);
}

template <std::size_t count>
std::array<unsigned char, count> bytesAt(const std::string &path, std::streamoff at,
                                         std::ios::seekdir from = std::ios::beg)
{
    std::array<unsigned char, count> bytes{};
    std::ifstream file(path, std::ios::binary);
    file.seekg(at, from);
    file.read(reinterpret_cast<char *>(bytes.data()), count);
    return bytes;
}

/// The first and the last eight bytes of what SQLite writes; see "The Rollback Journal" in
/// SQLite's file format.
constexpr std::array<unsigned char, 8> journalMagic{0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};

} // namespace

std::filesystem::path resolvedPath(const std::filesystem::path &study)
{
    std::error_code ignored;
    const auto canonical = std::filesystem::weakly_canonical(study, ignored);
    return canonical.empty() ? std::filesystem::absolute(study, ignored) : canonical;
}

BesideStudy lookBeside(const std::filesystem::path &resolved)
{
    const auto name = resolved.string();
    BesideStudy beside;
    beside.hasWriter = WriterLock::isHeld(resolved);
    beside.logBytes = plainSize(name + "-wal");
    beside.hasLog = beside.logBytes > 0;
    // SQLite takes a journal for one that counts unless its first byte is zero.
    beside.hasJournal =
        plainSize(name + "-journal") > 0 && bytesAt<1>(name + "-journal", 0)[0] != 0;
    constexpr std::streamoff versionForReading = 19; // 2: with a write-ahead log
    beside.isLogged = bytesAt<1>(name, versionForReading)[0] == 2;
    static_cast<void>(plainSize(name + "-shm"));
    return beside;
}

std::string stampOf(const std::filesystem::path &resolved)
{
    std::string stamp = WriterLock::isHeld(resolved) ? "written" : "idle";
    for (const char *end : {"", "-wal", "-journal"}) {
        struct stat status
        {};
        if (::lstat((resolved.string() + end).c_str(), &status) != 0) {
            stamp += ";none";
            continue;
        }
        for (const auto part :
             {static_cast<std::int64_t>(status.st_dev), static_cast<std::int64_t>(status.st_ino),
              static_cast<std::int64_t>(status.st_size),
              static_cast<std::int64_t>(status.st_mtim.tv_sec),
              static_cast<std::int64_t>(status.st_mtim.tv_nsec)})
            stamp += ";" + std::to_string(part);
    }
    return stamp;
}

void requireOwnJournal(const std::filesystem::path &resolved)
{
    const auto journal = resolved.string() + "-journal";
    if (plainSize(journal) == 0)
        return;
    const auto refuse = [&](const std::string &why) {
        throw Error("Beside " + resolved.string() + " is a journal that no Gridhelm has left ("
                    + why + "): if you trust the study as it is, remove " + journal);
    };
    if (bytesAt<8>(journal, -8, std::ios::end) == journalMagic)
        refuse("it names another file, which would be deleted");
    struct stat study
    {
    }, own{};
    const bool isThere = ::lstat(journal.c_str(), &own) == 0;
    if (!isThere && errno == ENOENT)
        return; // it has gone since
    if (!isThere || ::lstat(resolved.c_str(), &study) != 0
        || (own.st_uid != study.st_uid && own.st_uid != ::geteuid() && own.st_uid != 0))
        refuse("its owner is neither the study's nor you");
    constexpr std::streamoff pageSizeAt = 24; // four bytes, big-endian
    const auto size = bytesAt<4>(journal, pageSizeAt);
    const auto pageBytes =
        (size[0] * 0x1000000U) + (size[1] * 0x10000U) + (size[2] * 0x100U) + size[3];
    if (bytesAt<8>(journal, 0) == journalMagic && pageBytes != schema::pageBytes)
        refuse("its pages have another size");
}

} // namespace gridhelm::data
