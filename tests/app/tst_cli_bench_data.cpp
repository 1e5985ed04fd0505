// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `bench data` says, with small studies: that everything is measured, that results are right,
// that figures fit together, and that no file is left; never how fast anything is.
#include "tests/app/cli_process.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <csignal>

using namespace gridhelm::test;

class TestCliBenchData : public QObject
{
    Q_OBJECT

private:
    static double number(const QJsonObject &object, const char *key, const char *part)
    {
        return object[key].toObject()[part].toDouble();
    }

    static bool isEmpty(const QTemporaryDir &folder)
    {
        return QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    }

private slots:
    void everythingIsMeasuredAndRemoved()
    {
        const QTemporaryDir folder;
        const Outcome outcome =
            runCli(QStringList{"bench", "data", "--quick", "--json", "--threads", "2", "--values",
                               "3000", "--folder", folder.path()});
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        QVERIFY(isEmpty(folder));
        const auto document = jsonOf(outcome);
        QCOMPARE(document["benchmark"].toString(), QString("data"));
        QVERIFY(document["environment"].toObject().contains("commit"));

        const auto compress = document["compress"].toObject();
        QCOMPARE(compress["snapshots"].toInt(), 49);
        QCOMPARE(compress["bytes"].toInt(), 49 * 3000 * 4);
        QVERIFY(compress["error"].toDouble() < 1e-5);
        QCOMPARE(compress["compress_seconds"].toArray().size(), 2);
        QVERIFY(std::abs(number(compress, "coefficient_bytes", "per_second")
                             / number(compress, "disk_bytes", "per_second")
                         - compress["compress_to_disk"].toDouble())
                < 1e-9);

        const auto eval = document["eval"].toObject();
        QCOMPARE(eval["snapshots"].toInt(), 27);
        QVERIFY(eval["error"].toDouble() < 1e-5);
        for (const char *threads : {"one_thread", "all_threads"}) {
            const auto run = eval[threads].toObject();
            QVERIFY(
                std::abs(run["evaluate_to_read"].toDouble() / run["engine_spvm_to_read"].toDouble()
                         - run["evaluate_to_engine"].toDouble())
                < 1e-9);
        }

        const auto open = document["open"].toObject();
        QVERIFY(open["file_bytes"].toInt() > 2 * 49 * 3000 * 4);
        QCOMPARE(open["snapshots_read"].toInt(), 9);
        QVERIFY(number(open, "cold", "seconds") > 0);
        QVERIFY(number(open, "warm", "seconds") > 0);
    }

    void textNamesWhatIsWanted()
    {
        const QTemporaryDir folder;
        const Outcome outcome = runCli(
            QStringList{"bench", "data", "--quick", "--only", "open", "--folder", folder.path()});
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        QVERIFY2(outcome.out.startsWith("open ") && outcome.out.count('\n') == 1, outcome.out);
    }

    void interruptionRemovesTheFiles()
    {
        const QTemporaryDir folder;
        QProcess process;
        process.start(QString(paths::cli),
                      {"bench", "data", "--values", "100000", "--level", "4", "--repeats", "1000",
                       "--only", "compress", "--folder", folder.path()});
        QTRY_VERIFY_WITH_TIMEOUT(!isEmpty(folder), 20000);
        QTest::qWait(200);
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(isEmpty(folder));
        QVERIFY(process.readAllStandardError().contains("removed"));
    }

    void badInputIsOneSentence_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("says");
        QTest::newRow("topic") << "bench data --only disk"
                               << "compress, eval, open";
        QTest::newRow("no folder") << "bench data --quick --folder /nowhere/at/all"
                                   << "--folder";
        QTest::newRow("no room") << "bench data --values 1000000000 --level 6 --only compress"
                                 << "--values";
        QTest::newRow("repeats") << "bench data --repeats 0"
                                 << "--repeats";
    }
    void badInputIsOneSentence()
    {
        QFETCH(QString, line);
        QFETCH(QString, says);
        const auto outcome = runCli(line);
        QVERIFY2(isOneSentence(outcome, says), outcome.err);
    }
};

GRIDHELM_TEST(TestCliBenchData)
#include "tst_cli_bench_data.moc"
