// SPDX-License-Identifier: GPL-3.0-or-later
//
// gridhelm-cli bench devices and bench team by several processes that mpirun has started: that one
// table comes, of what they measure together; never how fast anything is.
#include "tests/app/ranks_folder.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using namespace gridhelm::test;

class TestCliBenchRanks : public QObject, private CliFolder
{
    Q_OBJECT

private:
    Outcome runRanks(const QString &line) const { return runRanksIn(m_folder.path(), line); }

private slots:
    void initTestCase()
    {
        if (!QFile::exists(QString(paths::mpirun)))
            QSKIP("there is no mpirun, or the program was built without MPI");
        allowRanks();
    }

    void everySolverIsScaledOverRanks()
    {
        const auto outcome = runRanks("-n 3 CLI bench devices --quick --json --threads 1");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        const auto document = jsonOf(outcome);
        QCOMPARE(document["devices"].toArray().size(), 3);
        QVERIFY(document["devices"].toArray()[2].toString().startsWith("rank 2 on "));
        QVERIFY(document["note"].toString().contains("ranks of one machine"));
        QVERIFY(document["link"].toObject()["seconds_per_byte"].toDouble(-1) >= 0);
        QCOMPARE(document["cases"].toArray().size(), 12);
        for (const auto &value : document["cases"].toArray()) {
            QList<int> measured, foreseen;
            for (const auto &each : value.toObject()["rows"].toArray()) {
                const auto row = each.toObject();
                QVERIFY2(!row.contains("skipped"), qPrintable(row["skipped"].toString()));
                QVERIFY(row["model"].toObject()["seconds"].toDouble() > 0);
                (row.contains("measured") ? measured : foreseen) << row["devices"].toInt();
                if (row.contains("measured"))
                    QVERIFY(row["measured"].toObject()["seconds"].toDouble() > 0);
            }
            QCOMPARE(measured, (QList<int>{1, 2, 3}));
            QCOMPARE(foreseen, (QList<int>{8, 64, 1024}));
        }
    }

    void pointsAndSnapshotsAreDivided()
    {
        const auto outcome =
            runRanks("-n 3 CLI bench team --quick --json --threads 1 --case 3/5 --points 1001 "
                     "--rows 7 --columns 10003");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        const auto document = jsonOf(outcome);
        QCOMPARE(document["ranks"].toInt(), 3);
        for (const char *name : {"interpolation", "vector_hierarchization"}) {
            const auto row = document[name].toObject();
            QVERIFY2(row["is_same"].toBool(), name);
            QVERIFY(row["one"].toObject()["per_second"].toDouble() > 0);
            QVERIFY(row["team"].toObject()["per_second"].toDouble() > 0);
        }
    }

    void whatCannotBeIsOneSentence_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QByteArray>("says");
        const auto add = [](const QString &line, const QByteArray &says) {
            QTest::newRow(qPrintable(line)) << line << says;
        };
        add("bench devices --devices cpu/2", "--devices cpu/2");
        add("bench team --slow-down 2", "--slow-down");
        add("bench team --case 2/3,3/4", "--case");
        add("bench team --points 1000000000", "--points");
        add("bench solvers", "start it without mpirun");
    }

    void whatCannotBeIsOneSentence()
    {
        QFETCH(const QString, line);
        QFETCH(const QByteArray, says);
        const auto outcome = runRanks("-n 2 CLI " + line);
        QVERIFY(outcome.exitCode != 0);
        QVERIFY(outcome.out.isEmpty());
        QCOMPARE(timesIn(outcome.err, "gridhelm-cli: "), 1);
        QVERIFY2(outcome.err.contains(says), outcome.err);
    }

    void aKilledRankEndsAll()
    {
        QProcess process;
        startRanksIn(process, m_folder.path(),
                     "-n 3 CLI bench devices --solver jacobi --threads 1");
        QVERIFY(process.waitForStarted());
        pid_t victim = 0;
        QTRY_VERIFY_WITH_TIMEOUT((victim = processOf(process.processId(), 2)) != 0, 20000);
        QTest::qWait(3000); // until something is measured, or waits for that
        QCOMPARE(kill(victim, SIGKILL), 0);
        QVERIFY(process.waitForFinished(10000));
        QVERIFY(process.exitCode() != 0);
        const auto said = process.readAllStandardError();
        QCOMPARE(timesIn(said, "gridhelm-cli: "), 1);
        QVERIFY2(said.contains("gridhelm-cli: rank 2 (process "), said);
    }
};

GRIDHELM_TEST(TestCliBenchRanks)
#include "tst_cli_bench_ranks.moc"
