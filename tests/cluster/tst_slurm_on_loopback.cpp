// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Slurm of slurm_on_loopback.h does what tests of a cluster need it to do.
#include "tests/cluster/slurm_on_loopback.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace gridhelm::test;

class TestSlurmOnLoopback : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { GRIDHELM_NEEDS_SLURM(m_cluster); }
    void arrayRunsAndItsFilesAreThere();
    void controllerStartedAnewKnowsItsJobs();
    void connectionsAreKilledAndJobsGoOn();
    void noConnectionWhileDisconnected();
    void nothingIsLeftOfAStoppedOne();

private:
    QByteArray submitted(const QString &options, const QString &line) const
    {
        const auto ended =
            m_cluster.there("sbatch --parsable " + options + " --wrap '" + line + "'");
        return ended.exitCode == 0 ? ended.out.trimmed() : QByteArray{};
    }
    /// The states of a job's elements, each once, sorted: "COMPLETED" when all have.
    QByteArray states(const QByteArray &id) const
    {
        return m_cluster.there("squeue -h -r -t all -o %T -j " + id + " | sort -u")
            .out.simplified();
    }
    QStringList files(const QString &pattern) const
    {
        return QDir(m_cluster.home()).entryList({pattern}, QDir::Files | QDir::Dirs);
    }

    SlurmOnLoopback m_cluster;
};

void TestSlurmOnLoopback::arrayRunsAndItsFilesAreThere()
{
    const auto id =
        submitted("--array=0-9%4", "echo $SLURM_ARRAY_TASK_ID > array.$SLURM_ARRAY_TASK_ID");
    QVERIFY(!id.isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(states(id), "COMPLETED", 300'000);
    QCOMPARE(files("array.*").size(), 10);
    QFile last(m_cluster.home() + "/array.9");
    QVERIFY(last.open(QIODevice::ReadOnly));
    QCOMPARE(last.readAll(), "9\n");
}

void TestSlurmOnLoopback::controllerStartedAnewKnowsItsJobs()
{
    // mkdir fails the second time: an element that runs twice has failed.
    const auto id =
        submitted("--array=0-5%2 --no-requeue", "mkdir once.$SLURM_ARRAY_TASK_ID && sleep 1");
    QVERIFY(!id.isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(!files("once.*").isEmpty(), 300'000);
    QCOMPARE(m_cluster.control("stop-controller").exitCode, 0);
    QVERIFY(m_cluster.there("scontrol ping").exitCode != 0);
    QCOMPARE(m_cluster.control("start-controller").exitCode, 0);
    QTRY_COMPARE_WITH_TIMEOUT(states(id), "COMPLETED", 300'000);
    QCOMPARE(files("once.*").size(), 6);
}

void TestSlurmOnLoopback::connectionsAreKilledAndJobsGoOn()
{
    const auto id =
        submitted("", "touch started; while [ ! -e go ]; do sleep 0.1; done; touch ended");
    QVERIFY(!id.isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(files("started").size() == 1, 300'000);

    QProcess session;
    session.setProcessEnvironment(m_cluster.environment());
    session.start("/usr/bin/env", {"ssh", SlurmOnLoopback::host(), "echo here; sleep 600"});
    QVERIFY(session.waitForReadyRead(300'000));
    QCOMPARE(m_cluster.control("kill-connections").exitCode, 0);
    QVERIFY(session.waitForFinished(300'000));
    QCOMPARE(session.exitCode(), 255); // ssh's own

    QCOMPARE(m_cluster.there("touch go").exitCode, 0);
    QTRY_COMPARE_WITH_TIMEOUT(states(id), "COMPLETED", 300'000);
    QCOMPARE(files("ended").size(), 1);
}

void TestSlurmOnLoopback::noConnectionWhileDisconnected()
{
    QCOMPARE(m_cluster.control("disconnect").exitCode, 0);
    QCOMPARE(m_cluster.there("true").exitCode, 255);
    QCOMPARE(m_cluster.control("reconnect").exitCode, 0);
    QCOMPARE(m_cluster.there("pwd").out.trimmed(), m_cluster.home().toUtf8());
}

void TestSlurmOnLoopback::nothingIsLeftOfAStoppedOne()
{
    QVERIFY(!submitted("", "touch running; sleep 600").isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(files("running").size() == 1, 300'000);
    QVERIFY(m_cluster.control("status").out.contains("sleep 600"));
    QCOMPARE(m_cluster.control("stop").exitCode, 0);
    QCOMPARE(m_cluster.control("status").out, "");
}

GRIDHELM_TEST(TestSlurmOnLoopback)
#include "tst_slurm_on_loopback.moc"
