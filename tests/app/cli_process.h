// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs the built gridhelm-cli as a user would.
#pragma once

#include "tests/core/private_configuration.h"
#include "tests/support/paths.h"

#include <QByteArray>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <csignal>

namespace gridhelm::test {

struct Outcome
{
    int exitCode = -1;
    QByteArray out;
    QByteArray err;
};

inline Outcome runCli(const QStringList &arguments, const QByteArray &input = {},
                      const QString &folder = {})
{
    QProcess process;
    if (!folder.isEmpty())
        process.setWorkingDirectory(folder);
    process.start(QString(paths::cli), arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(280000) || process.exitStatus() != QProcess::NormalExit)
        return {-1, process.readAllStandardOutput(),
                "crashed or hung: " + process.readAllStandardError()};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

inline Outcome runCli(const QString &line, const QByteArray &input = {}, const QString &folder = {})
{
    return runCli(QProcess::splitCommand(line), input, folder);
}

/// Empty if stdout is not one JSON document.
inline QJsonObject jsonOf(const Outcome &outcome)
{
    return QJsonDocument::fromJson(outcome.out).object();
}

/// Whether it is what every error must be: exit code 1 or 2, nothing on stdout, one sentence on
/// stderr that contains `says`.
inline bool isOneSentence(const Outcome &outcome, const QString &says)
{
    return (outcome.exitCode == 1 || outcome.exitCode == 2) && outcome.out.isEmpty()
           && outcome.err.startsWith("gridhelm-cli: ") && outcome.err.endsWith(".\n")
           && outcome.err.count('\n') == 1 && outcome.err.contains(says.toUtf8())
           && !outcome.err.contains("should not happen");
}

/// Signals that the process leaves to a thread of its own: that is when it can be interrupted.
inline bool waitsForSignals(const QProcess &process)
{
    QFile status(QString("/proc/%1/status").arg(process.processId()));
    if (!status.open(QIODevice::ReadOnly))
        return false;
    for (const QByteArray &line : status.readAll().split('\n')) {
        if (line.startsWith("SigBlk:"))
            return line.mid(7).trimmed().toULongLong(nullptr, 16) & (1ULL << (SIGINT - 1));
    }
    return false;
}

} // namespace gridhelm::test
