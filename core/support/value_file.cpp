// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/value_file.h"

#include "core/support/descriptor.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <sys/stat.h>

static_assert(std::endian::native == std::endian::little, ".f64 files are read without swapping");

namespace gridhelm {
namespace {

std::ifstream openFile(const std::string &path)
{
    errno = 0;
    const Descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status
    {};
    if (!opened || ::fstat(opened.get(), &status) != 0)
        throw Error(
            fmt::format("{} cannot be read ({}): check the name", path, std::strerror(errno)));
    if (S_ISDIR(status.st_mode))
        throw Error(path + " is a folder: give the name of a file");
    if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode))
        throw Error(path + " is a device, not a file: give the name of a file, or - for stdin");
    // What was looked at: by its name there might be something else by now.
    return std::ifstream(fmt::format("/proc/self/fd/{}", opened.get()), std::ios::binary);
}

constexpr std::size_t longestLine = 1 << 20;

/// As std::getline(), but for a line without end.
bool nextLine(std::istream &stream, std::string &line, const std::string &path,
              std::uint64_t number)
{
    line.clear();
    auto *buffer = stream.rdbuf();
    for (int c = buffer->sbumpc(); c != std::char_traits<char>::eof(); c = buffer->sbumpc()) {
        if (c == '\n')
            return true;
        if (line.size() == longestLine)
            throw Error(fmt::format("line {} of {} is longer than 1 MB: give a file of numbers",
                                    number, path));
        line += static_cast<char>(c);
    }
    return !line.empty();
}

[[noreturn]] void throwWrongCount(const std::string &path, const std::string &found,
                                  std::uint64_t wanted, const std::string &remedy)
{
    throw Error(fmt::format("{} holds {} values, but the grid has {} points: {}", path, found,
                            wanted, remedy));
}

std::vector<double> readBinaryValues(const std::string &path, std::uint64_t count,
                                     const std::string &remedy)
{
    std::ifstream file = openFile(path);
    file.seekg(0, std::ios::end);
    const auto end = file.tellg();
    if (end < 0)
        throw Error(path + " is not a file on a disk: binary values cannot be read from a pipe");
    const auto bytes = static_cast<std::uint64_t>(end);
    file.seekg(0);
    if (bytes % sizeof(double) != 0)
        throw Error(
            fmt::format("{} is cut off: its {} bytes are not a whole number of 8-byte values; "
                        "write it again",
                        path, bytes));
    if (bytes / sizeof(double) != count)
        throwWrongCount(path, std::to_string(bytes / sizeof(double)), count, remedy);
    std::vector<double> values(count);
    if (!file.read(reinterpret_cast<char *>(values.data()), static_cast<std::streamsize>(bytes)))
        throw Error(path + " could not be read to its end: check the disk it is on");
    for (std::uint64_t i = 0; i < count; ++i)
        if (!std::isfinite(values[i]))
            throw Error(fmt::format("value {} of {} is {}: every value must be a finite number",
                                    i + 1, path, values[i]));
    return values;
}

/// Of a text file ("-" reads stdin): function(line, its number from 1) for every line that is not
/// blank.
void forEachLine(const std::string &path,
                 const std::function<void(const std::string &, std::uint64_t)> &function)
{
    std::ifstream file;
    if (path != "-")
        file = openFile(path);
    std::istream &stream = path == "-" ? std::cin : file;
    std::string line;
    for (std::uint64_t number = 1; nextLine(stream, line, path, number); ++number)
        if (!trimmed(line).empty())
            function(line, number);
    if (stream.bad())
        throw Error(path + " could not be read to its end: check the disk it is on");
}

std::vector<double> readTextValues(const std::string &path, std::uint64_t count,
                                   const std::string &remedy)
{
    std::vector<double> values;
    forEachLine(path, [&](const std::string &line, std::uint64_t number) {
        if (values.size() == count)
            throwWrongCount(path, "more than " + std::to_string(count), count, remedy);
        values.push_back(parseReal(line, fmt::format("line {} of {}", number, path)));
    });
    if (values.size() != count)
        throwWrongCount(path, std::to_string(values.size()), count, remedy);
    return values;
}

} // namespace

std::string readText(const std::string &path)
{
    constexpr std::size_t most = 1 << 30, step = 1 << 16;
    std::ifstream file;
    if (path != "-")
        file = openFile(path);
    std::istream &stream = path == "-" ? std::cin : file;
    std::string text;
    for (std::size_t size = 0; stream;) {
        if (size > most)
            throw Error(path + " is larger than 1 GiB: take a smaller table");
        text.resize(size + step);
        stream.read(text.data() + size, step);
        size += static_cast<std::size_t>(stream.gcount());
        text.resize(size);
    }
    if (stream.bad())
        throw Error(path + " could not be read to its end: check the disk it is on");
    return text;
}

std::vector<double> readValues(const std::string &path, std::uint64_t count,
                               const std::string &remedy)
{
    return path.ends_with(".f64") ? readBinaryValues(path, count, remedy)
                                  : readTextValues(path, count, remedy);
}

} // namespace gridhelm
