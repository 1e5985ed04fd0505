// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

#include <malloc.h>
#include <unistd.h>

namespace gridhelm::test {

/// Of this process, resident, in units of 1e6 bytes; without what it has freed.
inline double megabytesInUse()
{
    ::malloc_trim(0);
    QFile file("/proc/self/statm");
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').at(1).toDouble() * static_cast<double>(::sysconf(_SC_PAGESIZE))
           / 1e6;
}

/// Whose it is: "120 MB allocated (30 in large pieces), 20 MB free between them, 140 MB of files".
/// What the compiler of shaders has, for one, is in none of them.
inline QString memoryByOwner()
{
    const auto heap = ::mallinfo2(); // of all arenas, but large pieces are counted apart
    double files = 0;
    QFile status("/proc/self/status");
    if (status.open(QIODevice::ReadOnly))
        for (const auto &line : status.readAll().split('\n'))
            if (line.startsWith("RssFile:") || line.startsWith("RssShmem:"))
                files += line.simplified().split(' ').at(1).toDouble() * 1024 / 1e6;
    const auto megabytes = [](std::size_t bytes) { return static_cast<double>(bytes) / 1e6; };
    return QString("%1 MB allocated (%2 in large pieces), %3 MB free between them, %4 MB of files")
        .arg(megabytes(heap.uordblks + heap.hblkhd), 0, 'f', 0)
        .arg(megabytes(heap.hblkhd), 0, 'f', 0)
        .arg(megabytes(heap.fordblks), 0, 'f', 0)
        .arg(files, 0, 'f', 0);
}

} // namespace gridhelm::test
