// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/descriptor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gridhelm {

void Descriptor::reset()
{
    if (m_number >= 0)
        ::close(m_number);
    m_number = -1;
}

bool writeAll(int descriptor, std::string_view bytes)
{
    while (!bytes.empty()) {
        const auto written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

std::ptrdiff_t readSome(int descriptor, char *to, std::size_t size)
{
    std::ptrdiff_t count = 0;
    do
        count = ::read(descriptor, to, size);
    while (count < 0 && errno == EINTR);
    return count;
}

bool readAll(int descriptor, std::size_t largest, std::string &to)
{
    to.clear();
    std::array<char, 1 << 16> part;
    while (to.size() < largest) {
        const auto count =
            readSome(descriptor, part.data(), std::min(part.size(), largest - to.size()));
        if (count < 0)
            return false;
        if (count == 0)
            break;
        to.append(part.data(), static_cast<std::size_t>(count));
    }
    return true;
}

Descriptor openRegularFile(const char *path)
{
    Descriptor file(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status = {};
    if (file && (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))) {
        file.reset();
        errno = EINVAL;
    }
    return file;
}

} // namespace gridhelm
