// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace gridhelm::cli {

/// To stdout. Throws Error when stdout takes no more (a full disk).
void printText(std::string_view text);
void printJson(const nlohmann::json &document);
void flushOutput();

/// To stderr, at once. What it does not take is lost: nobody is left to be told.
void printMessage(std::string_view text);

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

/// Throws Error if `path` cannot be written. To be called before long work whose result goes there.
void requireWritable(const std::filesystem::path &path);

/// Text of any length, piece by piece, to a file's temporary path or (nullptr) to stdout.
/// Throws Error when no more can be written.
class TextSink
{
public:
    explicit TextSink(const OutputFile *file);
    ~TextSink();
    TextSink(const TextSink &) = delete;
    TextSink &operator=(const TextSink &) = delete;

    void write(std::string_view text);
    void close();

private:
    const OutputFile *m_file;
    std::FILE *m_stream;
};

/// Writes `text` to `path` (whole or not at all), or to stdout if `path` is empty.
void writeText(const std::string &path, std::string_view text);

} // namespace gridhelm::cli
