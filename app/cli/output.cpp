// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include "core/support/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <unistd.h>
#include <utility>

namespace gridhelm::cli {
namespace {

[[noreturn]] void throwStdoutError()
{
    throw Error(fmt::format("the output could not be written ({}): free some space, or write "
                            "somewhere else",
                            std::strerror(errno)));
}

[[noreturn]] void throwFileError(const std::filesystem::path &path)
{
    throw Error(fmt::format("{} could not be written ({}): check that its folder exists, may be "
                            "written to and has space",
                            path.string(), std::strerror(errno)));
}

/// The file behind symbolic links, which stay: renaming over a link would replace the link.
std::filesystem::path throughLinks(std::filesystem::path path)
{
    std::error_code failed;
    if (!std::filesystem::is_symlink(path, failed))
        return path;
    auto target = std::filesystem::canonical(path, failed);
    if (failed)
        throw Error(path.string() + " is a link that leads nowhere: give the name of a file");
    return target;
}

} // namespace

void printText(std::string_view text)
{
    TextSink(nullptr).write(text);
}

void printJson(const nlohmann::json &document)
{
    printText(document.dump(2) + "\n");
}

void printMessage(std::string_view text)
{
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

void flushOutput()
{
    if (std::fflush(stdout) != 0)
        throwStdoutError();
}

OutputFile::OutputFile(std::filesystem::path path)
    : m_path(throughLinks(std::move(path)))
    , m_temporary(m_path)
{
    if (std::filesystem::is_directory(m_path))
        throw Error(m_path.string() + " is a folder: give the name of a file");
    if (std::filesystem::exists(m_path) && !std::filesystem::is_regular_file(m_path))
        throw Error(m_path.string()
                    + " is a device or a pipe, not a file: give the name of a file, or leave the "
                      "option out to print");
    m_temporary += fmt::format(".{}.part", getpid());
    errno = 0;
    if (!std::ofstream(m_temporary, std::ios::binary))
        throwFileError(m_path);
}

OutputFile::~OutputFile()
{
    std::error_code ignored;
    std::filesystem::remove(m_temporary, ignored);
}

void OutputFile::commit()
{
    std::error_code failed;
    const auto before = std::filesystem::status(m_path, failed);
    if (std::filesystem::exists(before)) // the file that is replaced keeps its permissions
        std::filesystem::permissions(m_temporary, before.permissions(), failed);
    std::filesystem::rename(m_temporary, m_path, failed);
    if (failed) {
        errno = failed.value();
        throwFileError(m_path);
    }
}

void requireWritable(const std::filesystem::path &path)
{
    const OutputFile attempt(path); // removed at once
}

TextSink::TextSink(const OutputFile *file)
    : m_file(file)
    , m_stream(file ? std::fopen(file->temporaryPath().c_str(), "wb") : stdout)
{
    if (!m_stream)
        throwFileError(m_file->path());
}

TextSink::~TextSink()
{
    if (m_file && m_stream)
        std::fclose(m_stream);
}

void TextSink::write(std::string_view text)
{
    if (std::fwrite(text.data(), 1, text.size(), m_stream) == text.size())
        return;
    if (m_file)
        throwFileError(m_file->path());
    throwStdoutError();
}

void TextSink::close()
{
    if (!m_file) {
        flushOutput();
        return;
    }
    if (std::fclose(std::exchange(m_stream, nullptr)) != 0)
        throwFileError(m_file->path());
}

void writeText(const std::string &path, std::string_view text)
{
    if (path.empty()) {
        printText(text);
        return;
    }
    OutputFile file(path);
    TextSink sink(&file);
    sink.write(text);
    sink.close();
    file.commit();
}

} // namespace gridhelm::cli
