// SPDX-License-Identifier: GPL-3.0-or-later
//
// Campaigns of gridhelm-cli on the Slurm of slurm_on_loopback.h, whose commands leave a line there
// each time that they are run.
#pragma once

#include "tests/app/plan_folder.h"
#include "tests/cluster/slurm_on_loopback.h"

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QString>
#include <QStringList>

#include <memory>

namespace gridhelm::test {

class CampaignThere : protected PlanFolder
{
protected:
    explicit CampaignThere(const QStringList &options = {})
        : m_cluster(options)
    {
        qputenv("PATH",
                m_cluster.environment().value("PATH").toUtf8()); // its ssh, for gridhelm-cli
    }

    /// A new folder for studies, and one there for what their commands leave.
    void beginAnew()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        const auto home = QDir(m_cluster.home());
        m_name = QString("campaign%1").arg(++m_count);
        QVERIFY(home.mkpath(m_name));
    }

    /// What the commands leave.
    QString left(const QString &name = {}) const
    {
        return m_cluster.home() + "/" + m_name + "/" + name;
    }

    /// p.gridhelm of two parameters: 17 jobs at level 3, 129 at level 5, 321 at level 6. `command`
    /// comes after the line that is left, and before the result.
    void planThere(int level, const QByteArray &command, const QByteArray &run = "") const
    {
        write("field.vtu", vtu(2, "{a}"));
        write("p.toml",
              parameter("a") + parameter("b") + "[grid]\nlevel = " + QByteArray::number(level)
                  + "\n[simulation]\ncommand = '''\necho ran >> " + left().toUtf8() + "{job}\n"
                  + command
                  + "\n'''\ntemplates = [\"field.vtu\"]\nresult = \"field.vtu\"\n[run]\non = "
                    "\"slurm\"\nhost = \"gridhelm-test\"\npoll = 0.2\n"
                  + run);
        const auto outcome = runHere("plan p.toml");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
    }

    std::unique_ptr<QProcess> started(const QString &line) const
    {
        auto process = std::make_unique<QProcess>();
        process->setWorkingDirectory(m_folder->path());
        process->setProcessChannelMode(QProcess::MergedChannels);
        process->setStandardOutputFile(at("said"), QIODevice::Append);
        process->start(QStringLiteral(GRIDHELM_CLI), QProcess::splitCommand(line));
        process->waitForStarted(-1);
        return process;
    }

    QStringList jobsRun() const { return QDir(left()).entryList(QDir::Files); }

    /// Empty if each of so many jobs was run once, is stored, and has nothing left there.
    QString problems(int jobsWished) const
    {
        QStringList all;
        if (const int done = jobs("done"); done != jobsWished)
            all += QString("%1 jobs are done, not %2").arg(done).arg(jobsWished);
        if (const auto number = jobsRun().size(); number != jobsWished)
            all += QString("%1 jobs were run, not %2").arg(number).arg(jobsWished);
        for (const auto &name : jobsRun()) {
            QFile file(left(name));
            if (!file.open(QIODevice::ReadOnly) || file.readAll() != "ran\n")
                all += name + " was not run once";
        }
        if (const auto check = runHere("check p.gridhelm"); check.exitCode != 0)
            all += QString::fromUtf8(check.out + check.err);
        return all.join("; ");
    }

    /// What a study's job says, the first in this state.
    QByteArray logOf(const QString &state) const
    {
        const QString list = runHere("info p.gridhelm --jobs").out;
        const auto some = list.split('\n').filter(state);
        if (some.isEmpty())
            return "no job is " + state.toUtf8();
        return runHere("info p.gridhelm --log " + some.front().simplified().section(' ', 0, 0)).out;
    }

    SlurmOnLoopback m_cluster;

private:
    QString m_name;
    int m_count = 0;
};

} // namespace gridhelm::test
