// SPDX-License-Identifier: GPL-3.0-or-later
//
// A real Slurm for as long as a test program runs, by the script of the same name. The test is
// compiled with GRIDHELM_SLURM_ON_LOOPBACK, the script's path.
#pragma once

#include "tests/support/paths.h"

#include <QByteArray>
#include <QCoreApplication>
#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace gridhelm::test {

class SlurmOnLoopback
{
public:
    struct Ended
    {
        int exitCode = -1; // -1: crashed, or hung
        QByteArray out;
        QByteArray err;
    };

    /// Options of the script's "start", as in {"--accounting"}. Takes seconds.
    explicit SlurmOnLoopback(const QStringList &options = {})
    {
        // A test program that is killed leaves nothing behind, either.
        const auto ended = control(
            "start", options
                         + QStringList{"--until-end-of",
                                       QString::number(QCoreApplication::applicationPid())});
        m_exitCode = ended.exitCode;
        m_message = QString::fromUtf8(ended.err).trimmed();
    }
    ~SlurmOnLoopback() { control("stop"); }
    SlurmOnLoopback(const SlurmOnLoopback &) = delete;
    SlurmOnLoopback &operator=(const SlurmOnLoopback &) = delete;

    bool runs() const { return m_exitCode == 0; }
    /// It cannot be had on this machine: the test is skipped, with message().
    bool isMissing() const { return m_exitCode == 77; }
    const QString &message() const { return m_message; }

    QString folder() const { return m_folder.filePath("slurm"); }
    /// The home of ssh sessions: jobs that name no other folder run here.
    QString home() const { return folder() + "/home"; }
    /// What the `ssh` of environment() takes for a host.
    static QString host() { return "gridhelm-test"; }

    /// This program's environment with the cluster's `ssh` first in PATH, and not SLURM_CONF: on a
    /// desk there is none.
    QProcessEnvironment environment() const
    {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", folder() + "/bin:" + environment.value("PATH"));
        return environment;
    }

    /// One line for the far shell.
    Ended there(const QString &line) const { return ended("ssh", {host(), line}, environment()); }

    /// A command of the script: "restart-controller", "kill-connections", "disconnect", ...
    Ended control(const QString &command, const QStringList &options = {}) const
    {
        return ended(QString(paths::source) + "/tests/cluster/slurm-on-loopback",
                     QStringList{command, folder()} + options,
                     QProcessEnvironment::systemEnvironment());
    }

private:
    static Ended ended(const QString &program, const QStringList &arguments,
                       const QProcessEnvironment &environment)
    {
        // QProcess would look for the program in this program's PATH.
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start("/usr/bin/env", QStringList{program} + arguments);
        process.closeWriteChannel();
        if (!process.waitForFinished(300'000) || process.exitStatus() != QProcess::NormalExit)
            return {-1, process.readAllStandardOutput(),
                    "crashed or hung: " + process.readAllStandardError()};
        return {process.exitCode(), process.readAllStandardOutput(),
                process.readAllStandardError()};
    }

    QTemporaryDir m_folder;
    int m_exitCode = -1;
    QString m_message;
};

} // namespace gridhelm::test

/// In initTestCase(): the rest of the tests is skipped where there is no Slurm.
#define GRIDHELM_NEEDS_SLURM(cluster)                                                              \
    do {                                                                                           \
        if ((cluster).isMissing())                                                                 \
            QSKIP(qPrintable((cluster).message()));                                                \
        QVERIFY2((cluster).runs(), qPrintable((cluster).message()));                               \
    } while (false)
