// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/scratch_folder.h"

#include "app/bench/measure.h"
#include "core/support/error.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

namespace gridhelm::bench {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void failAt(const fs::path &path, std::string_view what)
{
    throw Error(path.string() + " cannot be " + std::string(what) + " (" + std::strerror(errno)
                + "): choose another --folder");
}

class Descriptor
{
public:
    Descriptor(const fs::path &path, int flags)
        : m_number(::open(path.c_str(), flags | O_CLOEXEC, 0600))
    {
        if (m_number < 0)
            failAt(path, "opened");
    }
    ~Descriptor() { ::close(m_number); }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;

    operator int() const { return m_number; }

private:
    int m_number;
};

constexpr std::size_t chunkBytes = std::size_t{8} << 20;

} // namespace

ScratchFolder::ScratchFolder(const fs::path &parent, double bytes)
{
    std::error_code code;
    const auto space = fs::space(parent, code);
    if (code)
        throw Error(parent.string() + " is not a folder for the files of the benchmark ("
                    + code.message() + "): choose another --folder");
    if (static_cast<double>(space.available) < bytes)
        throw Error("the files of the benchmark take "
                    + std::to_string(static_cast<std::uint64_t>(bytes / 1e6)) + " MB, and "
                    + parent.string() + " has " + std::to_string(space.available / 1000000)
                    + " MB free: choose another --folder, or lower --values");
    auto name = (fs::absolute(parent) / "gridhelm-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        failAt(parent, "written to");
    m_path = name;
}

ScratchFolder::~ScratchFolder()
{
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

void ScratchFolder::settle() const
{
    const Descriptor folder(m_path, O_RDONLY | O_DIRECTORY);
    ::syncfs(folder);
}

double secondsToWrite(const fs::path &path, std::uint64_t bytes,
                      const std::function<void()> &checkpoint)
{
    std::vector<char> chunk(chunkBytes);
    for (std::size_t i = 0; i < chunk.size(); ++i) // nothing that a disk could make shorter
        chunk[i] = static_cast<char>((i * 2654435761U) >> 13U);
    const Descriptor file(path, O_WRONLY | O_CREAT | O_EXCL);
    return secondsOf([&] {
        for (std::uint64_t done = 0; done < bytes;) {
            const auto wanted = std::min<std::uint64_t>(chunk.size(), bytes - done);
            const auto written = ::write(file, chunk.data(), wanted);
            if (written < 0 && errno != EINTR)
                failAt(path, "written");
            done += written > 0 ? static_cast<std::uint64_t>(written) : 0;
            checkpoint();
        }
        if (::fsync(file) != 0)
            failAt(path, "written");
    });
}

double residentShare(const fs::path &path)
{
    const Descriptor file(path, O_RDONLY);
    const auto bytes = fs::file_size(path);
    if (bytes == 0)
        return 0;
    void *view = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
    if (view == MAP_FAILED)
        failAt(path, "mapped");
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> isResident((bytes + page - 1) / page);
    const int result = ::mincore(view, bytes, isResident.data());
    ::munmap(view, bytes);
    if (result != 0)
        failAt(path, "asked about");
    const auto resident =
        std::ranges::count_if(isResident, [](unsigned char flags) { return (flags & 1U) != 0; });
    return static_cast<double>(resident) / static_cast<double>(isResident.size());
}

void dropFromMemory(const fs::path &path)
{
    const Descriptor file(path, O_RDONLY);
    ::fsync(file);
    ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
}

void bringIntoMemory(const fs::path &path)
{
    const Descriptor file(path, O_RDONLY);
    std::vector<char> chunk(chunkBytes);
    while (::read(file, chunk.data(), chunk.size()) > 0) {
    }
}

} // namespace gridhelm::bench
