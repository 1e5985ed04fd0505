// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files of benchmarks, and what their disk can do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace gridhelm::bench {

/// A new folder in `parent` that is removed with everything in it when this goes out of scope, also
/// by an exception.
class ScratchFolder
{
public:
    /// Throws gridhelm::Error if it cannot be made, or if its disk has less than `bytes` free.
    ScratchFolder(const std::filesystem::path &parent, double bytes);
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder &) = delete;
    ScratchFolder &operator=(const ScratchFolder &) = delete;

    std::filesystem::path operator/(const std::string &name) const { return m_path / name; }
    /// Waits until nothing that was written to this disk before is still on its way.
    void settle() const;

private:
    std::filesystem::path m_path;
};

/// Seconds to write a new file of so many bytes from beginning to end, until it is on the disk.
/// `checkpoint` may throw.
double secondsToWrite(const std::filesystem::path &path, std::uint64_t bytes,
                      const std::function<void()> &checkpoint);

/// Part of the file's bytes that memory holds, 0 .. 1.
double residentShare(const std::filesystem::path &path);

/// Brings the file to the disk, and asks the system to forget it: the next reader waits for the
/// disk, if residentShare() says that it was forgotten.
void dropFromMemory(const std::filesystem::path &path);
/// Reads the file, so that the next reader need not wait for the disk.
void bringIntoMemory(const std::filesystem::path &path);

} // namespace gridhelm::bench
