// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/cluster/run_archive.h"

#include "core/support/bytes_text.h"
#include "core/support/error.h"
#include "data/mesh/snapshot_reader.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <sys/stat.h>
#include <vector>

namespace gridhelm::data {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t blockBytes = 1 << 16;
constexpr int plainMode = 0644, programMode = 0755;

struct EntryFree
{
    void operator()(archive_entry *entry) const { archive_entry_free(entry); }
};
using ArchiveEntry = std::unique_ptr<archive_entry, EntryFree>;

struct ReadFree
{
    void operator()(archive *of) const { archive_read_free(of); }
};

[[noreturn]] void failReading(archive *of)
{
    const char *why = archive_error_string(of);
    throw Error(std::string("what the cluster has sent is damaged (") + (why ? why : "no reason")
                + "); try again");
}

/// Below "run/", relative to it; nothing for what does not lie there in an ordinary way.
std::optional<fs::path> placeOf(const char *name)
{
    const fs::path path(name ? name : "");
    auto part = path.begin();
    if (path.is_absolute() || part == path.end() || *part != "run")
        return std::nullopt;
    fs::path place;
    for (++part; part != path.end(); ++part) {
        if (*part == "..")
            return std::nullopt;
        if (*part != "." && !part->empty())
            place /= *part;
    }
    return place.empty() ? std::nullopt : std::optional(place);
}

/// Into a file of the folder. No more than the archive itself has, of which it says how much is
/// left: holes of a sparse file would fill the disk.
void copyData(archive *from, const JobFolder &folder, const fs::path &place, std::uint64_t &left,
              const std::stop_token &stop)
{
    const auto file = folder.makeFile(place);
    std::array<char, blockBytes> block{};
    for (;;) {
        if (stop.stop_requested())
            throw ReadingStopped();
        const auto got = archive_read_data(from, block.data(), block.size());
        if (got < 0)
            failReading(from);
        if (got == 0)
            return;
        if (static_cast<std::uint64_t>(got) > left) {
            folder.removeFile(place);
            throw Error("what the cluster has sent would be larger here than it is there ("
                        + place.string() + " has holes): let the command write its result without");
        }
        left -= static_cast<std::uint64_t>(got);
        if (!writeAll(file.get(), {block.data(), static_cast<std::size_t>(got)}))
            throwFolderError(folder.path() / place, "A result cannot be written");
    }
}

std::string textOf(archive *from, std::size_t most)
{
    std::string text(most, '\0');
    std::size_t size = 0;
    while (size < most) {
        const auto got = archive_read_data(from, text.data() + size, most - size);
        if (got < 0)
            failReading(from);
        if (got == 0)
            break;
        size += static_cast<std::size_t>(got);
    }
    text.resize(size);
    return text;
}

} // namespace

struct RunArchiveWriter::Archive
{
    archive *to = archive_write_new();
    ~Archive() { archive_write_free(to); }

    void check(int result) const
    {
        if (result >= ARCHIVE_WARN)
            return;
        errno = archive_errno(to);
        throwFolderError("", "What goes to the cluster cannot be written");
    }

    void add(const std::string &name, unsigned type, int mode, std::int64_t bytes) const
    {
        const ArchiveEntry entry(archive_entry_new());
        archive_entry_set_pathname(entry.get(), name.c_str());
        archive_entry_set_filetype(entry.get(), type);
        archive_entry_set_perm(entry.get(), static_cast<mode_t>(mode));
        archive_entry_set_size(entry.get(), bytes);
        check(archive_write_header(to, entry.get()));
    }

    void write(std::string_view bytes) const
    {
        if (archive_write_data(to, bytes.data(), bytes.size()) < 0)
            check(ARCHIVE_FATAL);
    }
};

RunArchiveWriter::RunArchiveWriter(int file)
    : m_archive(std::make_unique<Archive>())
{
    m_archive->check(archive_write_set_format_pax_restricted(m_archive->to));
    m_archive->check(archive_write_open_fd(m_archive->to, file));
}

RunArchiveWriter::~RunArchiveWriter() = default;

void RunArchiveWriter::addText(const std::string &name, std::string_view text)
{
    m_archive->add(name, AE_IFREG, plainMode, static_cast<std::int64_t>(text.size()));
    m_archive->write(text);
}

void RunArchiveWriter::addFolder(const std::string &name, const fs::path &folder)
{
    m_archive->add(name, AE_IFDIR, programMode, 0);
    std::vector<fs::directory_entry> entries(fs::directory_iterator(folder),
                                             fs::directory_iterator{});
    std::ranges::sort(entries);
    for (const auto &entry : entries) {
        const auto inside = name + "/" + entry.path().filename().string();
        if (entry.is_symlink())
            throw Error("the template " + entry.path().filename().string()
                        + " is a link to a folder of this machine, which a cluster does not have; "
                          "copy the folder to the cluster, and let the command name it there");
        if (entry.is_directory()) {
            addFolder(inside, entry.path());
            continue;
        }
        const auto file = openRegularFile(entry.path().c_str());
        struct stat status = {};
        if (!file || ::fstat(file.get(), &status) != 0)
            throwFolderError(entry.path(), "A template's copy cannot be read");
        m_archive->add(inside, AE_IFREG, (status.st_mode & S_IXUSR) != 0 ? programMode : plainMode,
                       status.st_size);
        std::array<char, blockBytes> block{};
        for (auto left = status.st_size; left > 0;) {
            const auto got = readSome(file.get(), block.data(),
                                      std::min(block.size(), static_cast<std::size_t>(left)));
            if (got <= 0)
                throwFolderError(entry.path(), "A template's copy cannot be read");
            m_archive->write({block.data(), static_cast<std::size_t>(got)});
            left -= got;
        }
    }
}

void RunArchiveWriter::finish()
{
    m_archive->check(archive_write_close(m_archive->to));
}

std::string readRunArchive(int file, const JobFolder &folder, const ArchiveLimits &limits,
                           const std::stop_token &stop)
{
    const std::unique_ptr<archive, ReadFree> from(archive_read_new());
    archive_read_support_format_tar(from.get());
    if (archive_read_open_fd(from.get(), file, blockBytes) != ARCHIVE_OK)
        failReading(from.get());
    struct stat status = {};
    if (::fstat(file, &status) != 0)
        throwFolderError("", "What the cluster has sent cannot be read");
    auto left = static_cast<std::uint64_t>(status.st_size);
    std::string log;
    std::uint64_t files = 0, bytes = 0;
    archive_entry *entry = nullptr;
    for (;;) {
        const int result = archive_read_next_header(from.get(), &entry);
        if (result == ARCHIVE_EOF)
            return log;
        if (result < ARCHIVE_WARN)
            failReading(from.get());
        const char *name = archive_entry_pathname(entry);
        const auto type = archive_entry_filetype(entry);
        const bool isLink = archive_entry_hardlink(entry) || archive_entry_symlink(entry);
        if (name && std::string_view(name) == "log" && type == AE_IFREG && !isLink) {
            log = textOf(from.get(), limits.logBytes);
            continue;
        }
        const auto place = placeOf(name);
        if (!place || isLink || (type != AE_IFREG && type != AE_IFDIR))
            continue;
        bytes += static_cast<std::uint64_t>(std::max<std::int64_t>(archive_entry_size(entry), 0));
        if (++files > limits.files || bytes > limits.bytes)
            throw Error(fmt::format("the run has left more than {} files or {} on the cluster; let "
                                    "its command remove what is no result",
                                    limits.files, bytesText(static_cast<double>(limits.bytes))));
        if (type == AE_IFDIR)
            folder.makeFolder(*place);
        else
            copyData(from.get(), folder, *place, left, stop);
    }
}

} // namespace gridhelm::data
