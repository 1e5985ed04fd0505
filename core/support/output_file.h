// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string_view>

namespace gridhelm {

/// A file that appears whole or not at all: it is written under a temporary name beside `path`, and
/// renamed by commit(). Without commit() nothing remains.
class OutputFile
{
public:
    /// Throws Error if the folder cannot be written to.
    explicit OutputFile(std::filesystem::path path);
    ~OutputFile();
    OutputFile(const OutputFile &) = delete;
    OutputFile &operator=(const OutputFile &) = delete;

    const std::filesystem::path &path() const { return m_path; }
    const std::filesystem::path &temporaryPath() const { return m_temporary; }

    void commit();

private:
    std::filesystem::path m_path;
    std::filesystem::path m_temporary;
};

/// From now on a file that grows beyond the limit of this process (ulimit -f) cannot be written,
/// which is said; without it the program would be ended.
void outliveFileSizeLimits();

/// Throws Error if `path` cannot be written. To be called before long work whose result goes there.
void requireWritable(const std::filesystem::path &path);

/// Throws the Error for a file that could not be written; errno says why.
[[noreturn]] void throwFileError(const std::filesystem::path &path);

/// Writes `text` to `path`, whole or not at all. Throws Error if that cannot be.
void writeTextFile(const std::filesystem::path &path, std::string_view text);

} // namespace gridhelm
