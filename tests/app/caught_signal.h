// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

namespace gridhelm::test {

/// Whether a process has seen to it that a signal does not simply kill it: it catches it, or holds
/// it back and waits for it.
inline bool catchesSignal(qint64 process, int signal)
{
    QFile file(QString("/proc/%1/status").arg(process));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    qulonglong caught = 0;
    for (const auto &line : file.readAll().split('\n'))
        if (line.startsWith("SigCgt:") || line.startsWith("SigBlk:"))
            caught |= line.mid(7).trimmed().toULongLong(nullptr, 16);
    return bool(caught >> (signal - 1) & 1);
}

} // namespace gridhelm::test
