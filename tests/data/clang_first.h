// SPDX-License-Identifier: GPL-3.0-or-later
//
// Generated code compiled by clang, where `c++` is another compiler.
#pragma once

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QString>

namespace gridhelm::test {

/// Whether there is a clang++ that has OpenMP: in PATH it comes first then, as `c++` in a folder
/// "clang" of this one.
inline bool findClangFirst(const QString &folder)
{
    const QDir programs(folder + "/clang");
    const auto link = programs.filePath("c++"), empty = programs.filePath("empty.cpp");
    if (!programs.mkpath("."))
        return false;
    for (const auto *name : {"clang++-18", "clang++-17", "clang++-16", "clang++"}) {
        QFile::remove(link);
        const auto found = QStandardPaths::findExecutable(name);
        QFile source(empty);
        if (found.isEmpty() || !QFile::link(found, link) || !source.open(QIODevice::WriteOnly))
            continue;
        source.write(
            "#include <omp.h>\nint main() { return omp_get_max_threads() > 0 ? 0 : 1; }\n");
        source.close();
        if (QProcess::execute(link, {"-fopenmp", "-shared", "-fPIC", empty, "-o", empty + ".so"})
            == 0) {
            qputenv("PATH", programs.path().toUtf8() + ':' + qgetenv("PATH"));
            return true;
        }
    }
    return false;
}

} // namespace gridhelm::test
