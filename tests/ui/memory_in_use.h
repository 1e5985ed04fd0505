// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>

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

} // namespace gridhelm::test
