// SPDX-License-Identifier: GPL-3.0-or-later
//
// gridhelm-cli with a real cluster, in seconds. What takes minutes: tst_cluster_long.cpp.
#include "tests/cluster/campaign_there.h"

#include <QtTest>

using namespace gridhelm::test;

class TestClusterCampaign : public QObject, protected CampaignThere
{
    Q_OBJECT

private slots:
    void initTestCase() { GRIDHELM_NEEDS_SLURM(m_cluster); }
    void init() { beginAnew(); }

    void everyRunIsStoredOnceAndNothingStays();
    void farShellMayGreet();
    void refusalsAreSentences_data();
    void refusalsAreSentences();
    void runThatWasCancelledThereIsSaidAndRunAgain();
};

void TestClusterCampaign::everyRunIsStoredOnceAndNothingStays()
{
    planThere(3, "");
    const auto outcome = runHere("run p.gridhelm --jobs 4");
    QVERIFY2(outcome.exitCode == 0, outcome.err);
    QCOMPARE(problems(17), "");
    const auto kept = m_cluster.there("ls gridhelm-jobs").out.simplified();
    QCOMPARE(kept, "batches");
}

void TestClusterCampaign::farShellMayGreet()
{
    QFile greeting(m_cluster.home() + "/.bashrc");
    QVERIFY(greeting.open(QIODevice::ReadWrite | QIODevice::Append));
    const auto before = greeting.size();
    greeting.write("echo Welcome to the cluster; echo 'Maintenance on Sunday' >&2\n");
    greeting.close();
    QVERIFY(m_cluster.there("true").out.startsWith("Welcome"));
    planThere(2, "");
    const auto outcome = runHere("run p.gridhelm --jobs 4");
    QVERIFY(greeting.resize(before));
    QVERIFY2(outcome.exitCode == 0, outcome.err);
    QCOMPARE(problems(5), "");
}

void TestClusterCampaign::refusalsAreSentences_data()
{
    QTest::addColumn<QByteArray>("run");
    QTest::addColumn<QString>("says");
    QTest::newRow("partition") << QByteArray("partition = \"nope\"\n") << "nope";
    QTest::newRow("memory") << QByteArray("memory = \"900G\"\n") << "Memory specification";
    QTest::newRow("folder") << QByteArray("folder = \"/proc/no/jobs\"\n") << "[run] folder";
}

void TestClusterCampaign::refusalsAreSentences()
{
    QFETCH(QByteArray, run);
    QFETCH(QString, says);
    planThere(2, "", run);
    const auto outcome = runHere("run p.gridhelm");
    QVERIFY2(isOneSentence(outcome, says), outcome.err);
    QCOMPARE(jobs("waiting"), 5);
    QCOMPARE(jobsRun(), QStringList{});
}

void TestClusterCampaign::runThatWasCancelledThereIsSaidAndRunAgain()
{
    const auto mended = left("../mended").toUtf8();
    QFile::remove(mended);
    planThere(2, "while [ ! -e " + mended + " ] && [ {a} = 2 ] && [ {b} = 2 ]; do sleep 0.2; done");
    const auto campaign = started("run p.gridhelm --jobs 4");
    const QString running = "squeue -h -r -t R -o %i";
    QTRY_COMPARE_WITH_TIMEOUT(jobs("done"), 4, 300'000);
    QTRY_COMPARE_WITH_TIMEOUT(m_cluster.there(running).out.count('\n'), 1, 300'000);
    QCOMPARE(m_cluster.there("scancel $(" + running + ")").exitCode, 0);
    QVERIFY(campaign->waitForFinished(300'000));
    QCOMPARE(campaign->exitCode(), 1);
    QCOMPARE(jobs("failed"), 1);
    const auto log = logOf("failed");
    QVERIFY2(log.contains("cancelled on the cluster"), log);
    QCOMPARE(m_cluster.there("touch " + mended).exitCode, 0);
    const auto again = runHere("run p.gridhelm --retry-failed");
    QVERIFY2(again.exitCode == 0, again.err);
    QCOMPARE(jobs("done"), 5);
}

QTEST_GUILESS_MAIN(TestClusterCampaign)
#include "tst_cluster_campaign.moc"
