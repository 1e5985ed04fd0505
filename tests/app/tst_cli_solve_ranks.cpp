// SPDX-License-Identifier: GPL-3.0-or-later
//
// gridhelm-cli solve by several processes that mpirun has started: what they say and save is what
// one says and saves, to the last bit, once; and if one of them ends, all do.
#include "tests/app/caught_signal.h"
#include "tests/app/ranks_folder.h"
#include "tests/app/solve_folder.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QTest>

#include <csignal>

using namespace gridhelm;
using namespace gridhelm::test;

class TestCliSolveRanks : public QObject, private SolveFolder
{
    Q_OBJECT

private:
    void startRanks(QProcess &process, const QString &line) const
    {
        startRanksIn(process, m_folder.path(), line);
    }
    Outcome runRanks(const QString &line) const { return runRanksIn(m_folder.path(), line); }

private slots:
    void initTestCase();
    void severalSolveAsOne_data();
    void severalSolveAsOne();
    void savesInPieces();
    void everyRankHasItsRows();
    void anErrorOfAllIsToldOnce_data();
    void anErrorOfAllIsToldOnce();
    void anErrorOfOneIsTold();
    void aKilledRankEndsAll_data();
    void aKilledRankEndsAll();
    void stopsTogether();
};

void TestCliSolveRanks::initTestCase()
{
    if (!QFile::exists(QString(paths::mpirun)))
        QSKIP("there is no mpirun, or the program was built without MPI");
    allowRanks();
}

void TestCliSolveRanks::severalSolveAsOne_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("figure");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QByteArray>("idle"); // some have nothing to do, and it is said
    const auto add = [](const char *name, const QString &line, const char *figure, int ranks,
                        const QByteArray &idle = {}) {
        QTest::addRow("%s by %d", name, ranks) << line << figure << ranks << idle;
    };
    const QString common = "--until residual=1e-3 --json --source-at 0.3,0.6 --strength 2 "
                           "--side y-high=neumann:0.5 --spacing 0.04 --threads 1 ";
    const QString jacobi = "solve jacobi --size 23x17 --side x-low=dirichlet:0.25 " + common;
    for (int ranks : {2, 3, 4})
        add("jacobi", jacobi + "--at 100:source-strength=3 ", "residual", ranks);
    add("jacobi of few rows", "solve jacobi --size 23x3 " + common, "largest_change", 4,
        "3 of 4 ranks compute");
    add("jacobi 3D", "solve jacobi --size 11x9x7 --until residual=1e-3 --json --threads 2 ",
        "largest_change", 3);
    add("temporal", jacobi + "--method temporal --depth 4 ", "residual", 3);
    add("async2", jacobi + "--method async2 --tile 8x4 ", "residual", 3);
    add("red-black", "solve sor --size 23x37 " + common, "residual", 3);
    add("mlssor", "solve sor --size 23x37 --method mlssor --shape 3x7 " + common, "residual", 3);
    const QString pmm = "solve pmm --nodes 14x9x11 --ball 0.5,0.3,0.4,0.1 --speed lens:1,2 "
                        "--psi 0.3 --a 0.5,0.2,-0.4 --json ";
    add("pmm", pmm, "largest_change", 2);
    add("pmm", pmm, "largest_change", 3);
}

void TestCliSolveRanks::severalSolveAsOne()
{
    QFETCH(const QString, line);
    QFETCH(const QString, figure);
    QFETCH(const int, ranks);
    QFETCH(const QByteArray, idle);
    const auto one = jsonOf(runHere(line + "--save one.vti"))["report"].toObject();
    const auto outcome =
        runRanks(QString("-n %1 CLI %2 --save several.vti --history h.csv --picture p.png")
                     .arg(ranks)
                     .arg(line));
    QVERIFY2(outcome.exitCode == 0, outcome.err);
    QCOMPARE(timesIn(outcome.err, "ranks compute"), idle.isEmpty() ? 0 : 1);
    QVERIFY2(outcome.err.contains(idle), outcome.err);
    const auto several = jsonOf(outcome)["report"].toObject(); // one document: one has spoken
    QVERIFY(one["iterations"].toInt() > 0);
    QCOMPARE(several["iterations"], one["iterations"]);
    QCOMPARE(several[figure], one[figure]);
    QCOMPARE(several["error"], one["error"]);
    QVERIFY(saved("several.vti") == saved("one.vti"));
    for (const auto *file : {"h.csv", "p.png"})
        QVERIFY(filesHere().contains(file));
}

/// That they fit is tst_field_pieces' to say.
void TestCliSolveRanks::savesInPieces()
{
    const auto outcome = runRanks("-n 3 CLI solve sor --size 9x8 --iterations 5 --save u.pvti");
    QVERIFY2(outcome.exitCode == 0, outcome.err);
    for (const auto *file : {"u.pvti", "u_0.vti", "u_1.vti", "u_2.vti"})
        QVERIFY2(filesHere().contains(file), file);
}

void TestCliSolveRanks::everyRankHasItsRows()
{
    const auto outcome =
        runRanks("-n 3 CLI solve jacobi --size 8x30 --iterations 2 --threads 1 --json");
    const auto ranks = jsonOf(outcome)["execution"].toObject()["ranks"].toArray();
    QCOMPARE(ranks.size(), 3);
    int begin = 0;
    for (const auto &each : ranks) {
        const auto rank = each.toObject();
        QCOMPARE(rank["begin"].toInt(), begin);
        QVERIFY(!rank["host"].toString().isEmpty());
        QCOMPARE(rank["devices"].toArray().first().toString(), "cpu");
        begin = rank["end"].toInt();
    }
    QCOMPARE(begin, 30);
}

void TestCliSolveRanks::anErrorOfAllIsToldOnce_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("command line") << "solve jacobi --nonsense" << 2 << QByteArray("--nonsense");
    QTest::newRow("size") << "solve jacobi --size 0" << 1 << QByteArray("0");
    QTest::newRow("method") << "solve jacobi --method naive" << 1 << QByteArray("ranks");
    QTest::newRow("devices") << "solve jacobi --devices cpu/2" << 1
                             << QByteArray("--devices cpu/2");
    QTest::newRow("back end") << "solve jacobi --backend reference" << 1
                              << QByteArray("--backend reference");
    QTest::newRow("back end of another device")
        << "solve jacobi --backend omp --devices gpu" << 1 << QByteArray("--backend omp");
    QTest::newRow("no GPU") << "solve jacobi --devices gpu" << 1 << QByteArray("has no GPU");
    QTest::newRow("pinned") << "solve jacobi --pin" << 1 << QByteArray("--pin");
    QTest::newRow("no file") << "solve jacobi --start no.vti" << 1 << QByteArray("no.vti");
    QTest::newRow("no folder") << "solve jacobi --save no/u.vti" << 1 << QByteArray("no/u.vti");
    QTest::newRow("a piece's name") << "solve jacobi --save u.pvti --history u_1.vti" << 1
                                    << QByteArray("is a piece of u.pvti");
    QTest::newRow("no place for a piece")
        << "solve jacobi --iterations 1000000000 --save folder.pvti" << 1
        << QByteArray("folder_2.vti");
    QTest::newRow("command") << "grid count --dim 2 --level 3" << 1 << QByteArray("mpirun");
}

void TestCliSolveRanks::anErrorOfAllIsToldOnce()
{
    QFETCH(const QString, line);
    QFETCH(const int, exitCode);
    QFETCH(const QByteArray, says);
    QDir(m_folder.path()).mkdir("folder_2.vti");
    const auto outcome = runRanks("-n 3 -x CUDA_VISIBLE_DEVICES=-1 CLI " + line);
    QCOMPARE(outcome.exitCode, exitCode);
    QVERIFY(outcome.out.isEmpty());
    QCOMPARE(timesIn(outcome.err, "gridhelm-cli: "), 1);
    QVERIFY2(outcome.err.contains(says), outcome.err);
    QVERIFY2(!outcome.err.contains("MPI_ABORT"), outcome.err);
}

void TestCliSolveRanks::anErrorOfOneIsTold()
{
    const QString line = "solve jacobi --size 64 --iterations 1000000000";
    const auto outcome =
        runRanks(QString("-n 1 CLI %1 : -n 1 CLI %1 --start missing.vti").arg(line));
    QCOMPARE(outcome.exitCode, 1);
    QCOMPARE(timesIn(outcome.err, "gridhelm-cli: "), 1);
    QVERIFY2(outcome.err.contains("rank 1 of 2 has failed: "), outcome.err);
    QVERIFY2(outcome.err.contains("missing.vti"), outcome.err);
}

void TestCliSolveRanks::aKilledRankEndsAll_data()
{
    QTest::addColumn<int>("rank");
    for (int rank : {0, 1, 2})
        QTest::addRow("rank %d", rank) << rank;
}

void TestCliSolveRanks::aKilledRankEndsAll()
{
    QFETCH(const int, rank);
    QProcess process;
    startRanks(process, "-n 3 CLI solve sor --size 200 --iterations 2000000000");
    QVERIFY(process.waitForStarted());
    pid_t victim = 0;
    QTRY_VERIFY_WITH_TIMEOUT((victim = processOf(process.processId(), rank)) != 0, 20000);
    QTest::qWait(2000); // until it computes
    QCOMPARE(kill(victim, SIGKILL), 0);
    QVERIFY(process.waitForFinished(10000));
    QVERIFY(process.exitCode() != 0);
    const auto said = process.readAllStandardError();
    QCOMPARE(timesIn(said, "gridhelm-cli: "), 1);
    QVERIFY2(said.contains("gridhelm-cli: rank " + QByteArray::number(rank) + " (process "), said);
}

void TestCliSolveRanks::stopsTogether()
{
    QProcess process;
    // Open MPI kills what has not ended by then: after a second, too short on a busy machine.
    startRanks(process,
               "--mca odls_base_sigkill_timeout 5 -n 3 "
               "CLI solve sor --size 200 --iterations 2000000000 --every 1000000000 --json");
    QVERIFY(process.waitForStarted());
    for (int rank = 0; rank < 3; ++rank)
        QTRY_VERIFY_WITH_TIMEOUT(catchesSignal(processOf(process.processId(), rank), SIGINT),
                                 patienceWithRanks);
    QTest::qWait(2000); // that some iterations are done
    kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(patienceWithRanks));
    const auto document = jsonOf({0, process.readAllStandardOutput(), {}});
    QCOMPARE(document["stop_reason"].toString(), "interrupted");
    QVERIFY(document["report"].toObject()["iterations"].toDouble() > 0);
}

GRIDHELM_TEST(TestCliSolveRanks)
#include "tst_cli_solve_ranks.moc"
