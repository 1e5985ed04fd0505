// SPDX-License-Identifier: GPL-3.0-or-later
//
// gridhelm-cli by several processes that mpirun starts.
#pragma once

#include "tests/app/cli_folder.h"
#include "tests/support/paths.h"

#include <QFile>
#include <QProcess>
#include <QString>

#include <csignal>

namespace gridhelm::test {

inline constexpr int patienceWithRanks = 120000;

/// More ranks than cores, as whoever runs the test.
inline void allowRanks()
{
    for (const auto *name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                             "OMPI_MCA_rmaps_base_oversubscribe"})
        qputenv(name, "1");
    qputenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none"); // containers do not let it
    qputenv("HWLOC_COMPONENTS", "-gl"); // it asks X servers, also those that are not ours
}

inline int timesIn(const QByteArray &text, const QByteArray &what)
{
    return static_cast<int>(text.count(what));
}

/// The process of a rank, 0 as long as it has not been started.
inline pid_t processOf(qint64 mpirun, int rank)
{
    const auto children = QString("/proc/%1/task/%1/children").arg(mpirun);
    QFile list(children);
    if (!list.open(QFile::ReadOnly))
        return 0;
    for (const auto &child : list.readAll().split(' ')) {
        QFile environment(QString("/proc/%1/environ").arg(QString::fromLatin1(child)));
        if (environment.open(QFile::ReadOnly)
            && environment.readAll().split('\0').contains("OMPI_COMM_WORLD_RANK="
                                                          + QByteArray::number(rank)))
            return static_cast<pid_t>(child.toLong());
    }
    return 0;
}

/// `line`: "-n 3 CLI ...", with CLI for the program.
inline void startRanksIn(QProcess &process, const QString &folder, QString line)
{
    process.setWorkingDirectory(folder);
    line.replace("CLI", paths::cli);
    process.start(QString(paths::mpirun), QProcess::splitCommand(line));
}

inline Outcome runRanksIn(const QString &folder, const QString &line)
{
    QProcess process;
    startRanksIn(process, folder, line);
    if (!process.waitForFinished(patienceWithRanks))
        return {-1, {}, "hung"};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace gridhelm::test
