// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace gridhelm::data {

/// Says that a study is being written, for as long as it lives: an advisory lock (flock) on the
/// file PATH-writer, which the operating system takes back when the process ends in any way. Not on
/// the study itself, because closing any descriptor of it would drop SQLite's own locks. The file
/// is removed with the lock. A symbolic link, or a file that holds anything but a process's number,
/// is none of ours, and refused.
class WriterLock
{
public:
    WriterLock() = default;
    /// Throws gridhelm::Error if somebody else (another object of this process included) has it.
    explicit WriterLock(const std::filesystem::path &study);
    ~WriterLock();
    WriterLock(WriterLock &&other) noexcept;
    WriterLock &operator=(WriterLock &&other) noexcept;

    void release();

    /// Whether somebody holds the lock of this study at this moment; changes nothing.
    static bool isHeld(const std::filesystem::path &study);

private:
    std::filesystem::path m_path;
    int m_descriptor = -1;
};

} // namespace gridhelm::data
