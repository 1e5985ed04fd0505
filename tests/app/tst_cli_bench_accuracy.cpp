// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `bench accuracy` says of two fields with few runs: that errors fall, that ratios are those
// of the errors that it shows, and that no file is left.
#include "tests/app/cli_process.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

using namespace gridhelm::test;

class TestCliBenchAccuracy : public QObject
{
    Q_OBJECT

private:
    static constexpr std::array contenders = {"clenshaw-curtis", "leja", "leja-kriging", "adaptive",
                                              "space-filling"};

    static void write(const QString &path, const QByteArray &text)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    static double errorOf(const QJsonValue &row, const char *contender)
    {
        return row["errors"][QString(contender)]["error"].toDouble();
    }

private slots:
    void errorsFallAndAreCompared()
    {
        const QTemporaryDir folder;
        const QTemporaryDir peers;
        write(
            peers.filePath("peers"),
            R"({"field": "exponential_3", "runs": 21, "all_modes": 0.008, "gaussian_process": 0.01, "rbf": 0.02, "projection": 0.001})"
            "\n"
            R"({"field": "front_3", "runs": 21, "all_modes": 0.02, "gaussian_process": 0.04, "rbf": 0.02, "projection": 0.03})"
            "\n");
        const auto outcome = runCli({"bench", "accuracy", "--json", "--threads", "1", "--field",
                                     "exponential_3,front_3", "--runs", "21,13", "--peer",
                                     peers.filePath("peers"), "--folder", folder.path()});
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        QVERIFY(
            QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
        const auto document = jsonOf(outcome);
        const auto cases = document["cases"].toArray();
        QCOMPARE(cases.size(), 2);
        for (const auto &measured : cases) {
            const auto rows = measured.toObject()["rows"].toArray();
            QCOMPARE(rows.size(), 2);
            QCOMPARE(rows[0].toObject()["runs"].toInt(), 13);
            for (const char *contender : contenders) {
                QVERIFY(errorOf(rows[1], contender) > 0 && errorOf(rows[1], contender) < 1);
                QVERIFY(rows[1]["errors"][QString(contender)]["runs"].toInt() <= 21);
            }
            QCOMPARE(rows[1]["errors"]["leja"]["runs"].toInt(), 21);
            QVERIFY(!rows[0].toObject().contains("peers"));
            const double other = rows[1]["errors"]["adaptive"]["other_kind"].toDouble();
            QVERIFY(other > 0 && other != errorOf(rows[1], "adaptive"));
        }
        const auto smooth = cases[0].toObject()["rows"].toArray();
        const auto front = cases[1].toObject()["rows"].toArray();
        for (const char *contender : contenders) {
            QVERIFY(errorOf(smooth[1], contender) < errorOf(smooth[0], contender));
            QVERIFY(errorOf(smooth[1], contender) < 0.03);
            QVERIFY(errorOf(front[1], contender) > 0.03); // a front is hard
        }
        const auto summary = document["summary"].toArray(); // 13 runs, 21 runs, two families
        QCOMPARE(summary.size(), 4);
        QVERIFY(!summary[0].toObject().contains("gaussian_process"));
        const double ofSmooth = errorOf(smooth[1], "leja") / 0.01;
        const double ofFront = errorOf(front[1], "leja") / 0.04;
        const auto ratios = summary[1]["gaussian_process"]["leja"];
        const double ofAll = errorOf(smooth[1], "leja") / 0.008 * errorOf(front[1], "leja") / 0.02;
        const auto strong = summary[1]["all_modes"]["leja"];
        QVERIFY(std::abs(strong["mean"].toDouble() / std::sqrt(ofAll) - 1) < 1e-12);
        QVERIFY(std::abs(ratios["mean"].toDouble() / std::sqrt(ofSmooth * ofFront) - 1) < 1e-12);
        QVERIFY(std::abs(ratios["worst"].toDouble() / std::max(ofSmooth, ofFront) - 1) < 1e-12);
        QCOMPARE(ratios["worst_field"].toString(),
                 ofSmooth > ofFront ? "exponential_3" : "front_3");
        QCOMPARE(ratios["fields"].toInt(), 2);
        const auto notLimited = summary[1]["gaussian_process_not_limited"]["leja"];
        QCOMPARE(notLimited["fields"].toInt(), 1); // twenty modes alone miss the front by 0.03
        QVERIFY(std::abs(notLimited["mean"].toDouble() / ofSmooth - 1) < 1e-12);
        QCOMPARE(summary[2]["rbf"]["adaptive"]["fields"].toInt(), 1);
        for (const QJsonValue group : summary) {
            const double picked = group["picked_to_best"]["mean"].toDouble();
            QVERIFY(picked >= 1 - 1e-12 && picked < 3);
            double least = 100;
            for (const char *contender : contenders)
                least = std::min(least, group["best"][QString(contender)]["mean"].toDouble());
            QVERIFY(least >= 1 - 1e-12 && least < 3);
        }
    }

    void badInputIsOneSentence_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("says");
        QTest::newRow("field") << "bench accuracy --field plume"
                               << "plume_3";
        QTest::newRow("runs") << "bench accuracy --runs 3"
                              << "13 to";
        QTest::newRow("no peers") << "bench accuracy --peer /nowhere"
                                  << "accuracy_peer.py";
        QTest::newRow("no folder") << "bench accuracy --runs 13 --folder /nowhere/at/all"
                                   << "/nowhere/at/all";
    }
    void badInputIsOneSentence()
    {
        QFETCH(QString, line);
        QFETCH(QString, says);
        const auto outcome = runCli(line);
        QVERIFY2(isOneSentence(outcome, says), outcome.err);
    }

    void peersThatAreNoneAreNamedByTheirLine()
    {
        const QTemporaryDir folder;
        const auto path = folder.filePath("peers");
        for (
            const QByteArray second :
            {"{", "[]", "{\"field\": \"front_3\"}",
             R"({"field": "a", "runs": 3, "all_modes": 1, "gaussian_process": 0, "rbf": 1, "projection": 1})"}) {
            write(
                path,
                R"({"field": "a", "runs": 3, "all_modes": 1, "gaussian_process": 1, "rbf": 1, "projection": 1})"
                "\n" + second);
            const auto outcome = runCli({"bench", "accuracy", "--peer", path});
            QVERIFY2(isOneSentence(outcome, "line 2 of"), outcome.err);
        }
    }
};

GRIDHELM_TEST(TestCliBenchAccuracy)
#include "tst_cli_bench_accuracy.moc"
