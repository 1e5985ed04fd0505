// SPDX-License-Identifier: GPL-3.0-or-later
//
// gridhelm-cli tune: what it finds is kept, used and believed only if it may be; never how fast
// anything is.
#include "tests/app/cli_process.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

using namespace gridhelm::test;

class TestCliTune : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QVERIFY(m_cache.emplace().isValid());
        qputenv("XDG_CACHE_HOME", m_cache->path().toUtf8());
        qputenv("CUDA_VISIBLE_DEVICES", ""); // the CPU is enough to see what is kept
    }

    void whatIsFoundIsKeptAndSaidTheNextTime();
    void aDryRunKeepsNothing();
    void theYardstickIsBesideWhatWasFound();
    void aDamagedTableIsIgnoredWithASentence();
    void searchesAreComparedInATable();
    void withoutAPlaceToKeepItNothingIsTuned();
    void badInputIsOneSentence_data();
    void badInputIsOneSentence();

private:
    QString tableOf() const
    {
        const QDir folder(m_cache->path() + "/gridhelm");
        const auto files = folder.entryList({"tuning-*.json"}, QDir::Files);
        return files.isEmpty() ? QString() : folder.filePath(files.first());
    }

    std::optional<QTemporaryDir> m_cache;
};

void TestCliTune::whatIsFoundIsKeptAndSaidTheNextTime()
{
    const auto first = jsonOf(runCli("tune cartesian pmm --threads 1 --budget 600 --json"));
    const auto cases = first["cases"].toArray();
    QVERIFY(cases.size() >= 2);
    QCOMPARE(first["not_reached"].toInt(-1), 0);
    QCOMPARE(first["was_tuned_before"].toBool(true), false);
    for (const auto &value : cases) {
        const auto one = value.toObject();
        const auto trials = one["trials"].toArray();
        QVERIFY(!trials.isEmpty() && trials.size() <= one["variants"].toInt());
        QCOMPARE(trials[0].toObject()["constants"].toObject(), one["compiled_in"].toObject());
        QVERIFY(one["seconds"].toDouble() > 0);
        QCOMPARE(one["device"].toString(), QString("cpu"));
        QVERIFY(!one["kept"].toBool() || one["gain"].toDouble() >= 1.02);
    }
    QCOMPARE(first["file"].toString(), tableOf());
    QCOMPARE(first["files"].toArray().size(), 1);
    QCOMPARE(first["files"][0]["file"].toString(), tableOf());
    QVERIFY(QFile::exists(tableOf()));

    for (const auto &value : cases) {
        const auto one = value.toObject();
        if (!one["kept"].toBool() && (one["disturbed"].toBool() || one["cut"].toBool()))
            QSKIP("tests beside this one have taken the cores away: what is kept is not all");
    }
    const auto second = jsonOf(runCli("tune cartesian pmm --threads 1 --json"));
    QCOMPARE(second["was_tuned_before"].toBool(), true);
    QCOMPARE(second["cases"].toArray().size(), cases.size());
    const auto text = runCli("tune cartesian --threads 1");
    QVERIFY2(text.out.contains("This machine has been tuned: "), text.out);
    // Of another number of threads there is nothing.
    const auto other = jsonOf(runCli("tune pmm --threads 2 --budget 0.001 --json"));
    QCOMPARE(other["was_tuned_before"].toBool(true), false);
    // It goes on with what has not been reached.
    const auto rest = jsonOf(runCli("tune pmm --threads 2 --budget 600 --json"));
    // Of a case that was cut by the time, or disturbed, nothing is known, unless it was kept.
    const auto begun = other["cases"].toArray();
    const auto one = begun.isEmpty() ? QJsonObject() : begun[0].toObject();
    const bool isOpen = !one["kept"].toBool() && (one["disturbed"].toBool() || one["cut"].toBool());
    QCOMPARE(rest["cases"].toArray().size(), other["not_reached"].toInt() + (isOpen ? 1 : 0));
}

void TestCliTune::aDryRunKeepsNothing()
{
    const auto outcome = runCli("tune pmm --threads 1 --budget 1 --dry-run --strategy random "
                                "--trials 2 --json");
    QVERIFY2(outcome.exitCode == 0, outcome.err);
    const auto cases = jsonOf(outcome)["cases"].toArray();
    QVERIFY(!cases.isEmpty());
    QVERIFY(cases[0].toObject()["trials"].toArray().size() <= 2);
    QVERIFY(jsonOf(outcome)["file"].isNull());
    QVERIFY(tableOf().isEmpty());
}

void TestCliTune::theYardstickIsBesideWhatWasFound()
{
    const auto outcome = runCli("tune cartesian --threads 1 --exhaustive --dry-run --json");
    QVERIFY2(outcome.exitCode == 0, outcome.err);
    for (const auto &value : jsonOf(outcome)["cases"].toArray()) {
        const auto yardstick = value.toObject()["exhaustive"].toObject();
        QVERIFY(yardstick["best"].toObject().contains("tile"));
        QVERIFY(yardstick["quality"].toDouble() > 0);
        QVERIFY(yardstick["search_seconds"].toDouble() > 0);
    }
}

void TestCliTune::aDamagedTableIsIgnoredWithASentence()
{
    QCOMPARE(runCli("tune pmm --threads 1 --budget 0.001").exitCode, 0);
    const QString solve = "solve pmm --nodes 9 --point 0.5,0.5,0.5 --sweeps 1 --threads 1 --json";
    QVERIFY(jsonOf(runCli(solve))["execution"].toObject()["events"].toArray().isEmpty());
    QFile table(tableOf());
    QVERIFY(table.open(QIODevice::WriteOnly));
    table.write("{");
    table.close();
    const auto outcome = runCli(solve);
    QVERIFY2(outcome.exitCode == 0, outcome.err);
    QVERIFY2(outcome.err.contains("is damaged; constants are those compiled in"), outcome.err);
    QCOMPARE(jsonOf(outcome)["execution"].toObject()["events"].toArray().size(), 1);
}

/// With something to choose, and without.
void TestCliTune::searchesAreComparedInATable()
{
    const QString line = "bench tuning pmm mlssor --threads 1 --seconds 0.1";
    const auto rows = jsonOf(runCli(line + " --json"))["rows"].toArray();
    QCOMPARE(rows.size(), 2);
    for (const auto &value : rows) {
        const auto row = value.toObject();
        const bool hasChoice = row["name"].toString().startsWith("pmm");
        QCOMPARE(row["variants"].toInt() > 1, hasChoice);
        QVERIFY(row["seconds_of_default"].toDouble() > 0);
        QVERIFY(row["quality_of_default"].toDouble() > 0);
        const auto ways = row["ways"].toArray();
        QCOMPARE(ways.size(), 4);
        for (const auto &way : ways) {
            QVERIFY(way.toObject()["tried"].toInt() >= 1);
            QVERIFY(way.toObject()["tried"].toInt() <= row["variants"].toInt());
            QVERIFY(hasChoice || way.toObject()["quality"].toDouble() == 1);
        }
    }
    const auto page = m_cache->path() + "/tuning.html";
    const auto text = runCli(line + " --html " + page);
    QVERIFY2(text.exitCode == 0, text.err);
    const auto table = text.out.mid(text.out.indexOf("default ms"));
    QVERIFY2(table.contains("pmm, float32") && table.contains("mlssor, float32"), text.out);
    QCOMPARE(table.trimmed().count('\n'), 2);
    QVERIFY(QFile::exists(page));
}

void TestCliTune::withoutAPlaceToKeepItNothingIsTuned()
{
    const auto home = qgetenv("HOME");
    qunsetenv("XDG_CACHE_HOME");
    qunsetenv("HOME");
    const auto refused = runCli("tune pmm --threads 1 --budget 600");
    const auto dry = runCli("tune pmm --threads 1 --budget 0.001 --dry-run --json");
    qputenv("HOME", home);
    QVERIFY2(isOneSentence(refused, "XDG_CACHE_HOME"), refused.err);
    QVERIFY2(dry.exitCode == 0, dry.err);
}

void TestCliTune::badInputIsOneSentence_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("says");
    QTest::newRow("operation") << "tune interpolaton"
                               << "choose among combination, interpolation";
    QTest::newRow("budget") << "tune --budget 0"
                            << "a number of seconds above 0";
    QTest::newRow("budget text") << "tune --budget soon"
                                 << "soon";
    QTest::newRow("strategy") << "tune --strategy luck"
                              << "choose partitions, climbing";
    QTest::newRow("trials") << "tune --trials -1"
                            << "-1";
    QTest::newRow("back end") << "tune --backend reference"
                              << "it has no constants to tune";
    QTest::newRow("no GPU") << "tune --backend cuda"
                            << "there is no GPU";
    QTest::newRow("no GPU at all") << "tune --devices gpu:all"
                                   << "there is no GPU";
    QTest::newRow("GPU left out") << "tune --devices cpu --backend cuda"
                                  << "there is no GPU";
    QTest::newRow("team") << "tune --devices cpu/2"
                          << "several devices";
}

void TestCliTune::badInputIsOneSentence()
{
    QFETCH(const QString, line);
    QFETCH(const QString, says);
    const auto outcome = runCli(line);
    QVERIFY2(isOneSentence(outcome, says), outcome.err);
}

GRIDHELM_TEST(TestCliTune)
#include "tst_cli_tune.moc"
