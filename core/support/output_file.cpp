// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/output_file.h"

#include "core/support/error.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <unistd.h>
#include <utility>

namespace gridhelm {
namespace {

/// The file behind symbolic links, which stay: renaming over a link would replace the link.
std::filesystem::path throughLinks(std::filesystem::path path)
{
    std::error_code failed;
    if (!std::filesystem::is_symlink(path, failed))
        return path;
    auto target = std::filesystem::canonical(path, failed);
    if (failed)
        throw Error(path.string() + " is a link that leads nowhere: give the name of a file");
    const auto folder = path.has_parent_path() ? path.parent_path() : ".";
    if (target.parent_path() != std::filesystem::canonical(folder, failed)) // whose is it?
        throw Error(fmt::format("{} is a link to {}: give that name itself, or remove the link",
                                path.string(), target.string()));
    return target;
}

} // namespace

void throwFileError(const std::filesystem::path &path)
{
    throw Error(fmt::format("{} could not be written ({}): check that its folder exists, may be "
                            "written to and has space",
                            path.string(), std::strerror(errno)));
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

void outliveFileSizeLimits()
{
    std::signal(SIGXFSZ, SIG_IGN);
}

void requireWritable(const std::filesystem::path &path)
{
    const OutputFile attempt(path); // removed at once
}

void writeTextFile(const std::filesystem::path &path, std::string_view text)
{
    OutputFile file(path);
    errno = 0;
    std::ofstream stream(file.temporaryPath(), std::ios::binary);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    stream.close();
    if (!stream)
        throwFileError(path);
    file.commit();
}

} // namespace gridhelm
