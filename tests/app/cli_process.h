// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs the built gridhelm-cli as a user would.
#pragma once

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>

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
    process.start(QStringLiteral(GRIDHELM_CLI), arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(120000) || process.exitStatus() != QProcess::NormalExit)
        return {-1, process.readAllStandardOutput(),
                "crashed or hung: " + process.readAllStandardError()};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

inline Outcome runCli(const QString &line, const QByteArray &input = {}, const QString &folder = {})
{
    return runCli(QProcess::splitCommand(line), input, folder);
}

inline QJsonObject jsonOf(const Outcome &outcome)
{
    return QJsonDocument::fromJson(outcome.out).object();
}

} // namespace gridhelm::test
