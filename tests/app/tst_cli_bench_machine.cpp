// SPDX-License-Identifier: GPL-3.0-or-later
//
// `bench machine` as a command: what it says, writes and refuses; never how fast anything is.
#include "tests/app/cli_folder.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>

#include <sys/types.h>

using namespace gridhelm::test;

class TestCliBenchMachine : public QObject, private CliFolder
{
    Q_OBJECT

private slots:
    void initTestCase();
    void documentsHaveTheirKeys();
    void everyOperationStandsBesideTheReference();
    void shortBudgetsAreKept();
    void textHasALineForEachOperation();
    void aTeamIsMeasuredWhereItIsNamed();
    void whatWasTunedIsMeasuredAsWell();
    void reportsAreCompared();
    void pagesAreWritten();
    void interruptedItSaysWhatItHas();
    void badInputIsOneSentence_data();
    void badInputIsOneSentence();

private:
    QTemporaryDir m_cache;
    QJsonObject m_report; // of one run, in mine.json

    void write(const QString &name, const QByteArray &text) const
    {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QFile::WriteOnly));
        file.write(text);
    }
    QByteArray read(const QString &name) const
    {
        QFile file(m_folder.filePath(name));
        return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// As if all that was tuned had become so much faster.
    void setGains(double gain) const
    {
        const QDir kept(m_cache.filePath("gridhelm"));
        const auto names = kept.entryList({"tuning-*.json"}, QDir::Files);
        QCOMPARE(names.size(), 1);
        QFile file(kept.filePath(names[0]));
        QVERIFY(file.open(QFile::ReadWrite));
        auto document = QJsonDocument::fromJson(file.readAll()).object();
        auto entries = document["entries"].toArray();
        QVERIFY(!entries.isEmpty());
        for (auto &&value : entries) {
            auto entry = value.toObject();
            entry["gain"] = gain;
            value = entry;
        }
        document["entries"] = entries;
        QVERIFY(file.resize(0) && file.seek(0));
        QVERIFY(file.write(QJsonDocument(document).toJson()) > 0);
    }
};

void TestCliBenchMachine::initTestCase()
{
    QVERIFY(m_cache.isValid());
    qputenv("XDG_CACHE_HOME", m_cache.path().toUtf8()); // where nothing is tuned yet
    const auto outcome = runHere("bench machine --quick --json --threads 2 --devices cpu");
    QVERIFY2(outcome.exitCode == 0 && outcome.err.isEmpty(), outcome.err);
    m_report = jsonOf(outcome);
    write("mine.json", outcome.out);
}

void TestCliBenchMachine::documentsHaveTheirKeys()
{
    for (const char *key :
         {"benchmark",         "format",  "machine",     "commit",   "version",
          "threads",           "quick",   "interrupted", "left_out", "seconds",
          "warm_ups",          "tuning",  "devices",     "cases",    "failures",
          "reference_machine", "summary", "by_device",   "score",    "untuned_score",
          "environment"})
        QVERIFY2(m_report.contains(key), key);
    QCOMPARE(m_report["benchmark"].toString(), QString("machine"));
    QCOMPARE(m_report["format"].toInt(), 1);
    QCOMPARE(m_report["threads"].toInt(), 2);
    QCOMPARE(m_report["tuning"].toString(), QString("not tuned on this machine"));
    QCOMPARE(m_report["left_out"].toInt(), 0);
    const auto device = m_report["devices"].toArray()[0].toObject();
    QCOMPARE(device["name"].toString(), QString("cpu"));
    for (const char *key : {"read_gbytes_per_second", "write_gbytes_per_second",
                            "copy_gbytes_per_second", "float_gflops_per_second"})
        QVERIFY2(device[key].toDouble() > 0, key);
    QCOMPARE(m_report["cases"].toArray().size(), 50);
    for (const auto &value : m_report["cases"].toArray()) {
        const auto each = value.toObject();
        QVERIFY(each["repeats"].toInt() >= 1 && each["spread"].toDouble(-1) >= 0);
        QVERIFY2(each["error"].toDouble(1) < 1e-4, qPrintable(each["work"].toString()));
        QVERIFY(each["per_second"].toDouble() > 0 && each["share_of_limit"].toDouble() > 0);
    }
}

void TestCliBenchMachine::everyOperationStandsBesideTheReference()
{
    const auto summary = m_report["summary"].toArray();
    QCOMPARE(summary.size(), 5);
    double logarithms = 0;
    for (const auto &value : summary) {
        const auto ratio = value.toObject()["to_reference"].toObject();
        QCOMPARE(ratio["cases"].toInt(), 10);
        QCOMPARE(ratio["device"].toString(), QString("cpu"));
        logarithms += std::log(ratio["ratio"].toDouble());
    }
    const double score = m_report["score"].toDouble();
    QVERIFY(std::abs(score / (100 * std::exp(logarithms / 5)) - 1) < 1e-9);
    QCOMPARE(m_report["untuned_score"].toDouble(), score);
}

void TestCliBenchMachine::shortBudgetsAreKept()
{
    const auto report =
        jsonOf(runHere("bench machine --quick --budget 0.01 --json --threads 1 --devices cpu"));
    QCOMPARE(report["left_out"].toInt() + int(report["cases"].toArray().size()), 50);
    QVERIFY(report["left_out"].toInt() > 0);
    QVERIFY(report["score"].isNull());
}

void TestCliBenchMachine::textHasALineForEachOperation()
{
    const auto outcome =
        runHere("bench machine --quick --budget 5 --threads 1 --devices cpu --html page.html");
    QVERIFY2(outcome.exitCode == 0, outcome.err);
    QVERIFY(outcome.out.contains("score: ") && outcome.out.contains("joules: "));
    QVERIFY(outcome.out.contains("\nhierarchization "));
    QVERIFY(outcome.out.contains("not tuned on this machine"));
    QVERIFY(read("page.html").startsWith("<!DOCTYPE html>"));
}

void TestCliBenchMachine::aTeamIsMeasuredWhereItIsNamed()
{
    const auto report =
        jsonOf(runHere("bench machine --quick --budget 40 --threads 2 --devices cpu/2 --json"));
    QSet<QString> devices;
    for (const auto &each : report["by_device"].toArray())
        devices.insert(each.toObject()["device"].toString());
    QCOMPARE(devices, (QSet<QString>{"cpu.1/2", "cpu.2/2", "cpu.1/2 + cpu.2/2"}));
    const auto cases = report["cases"].toArray();
    QVERIFY(std::ranges::any_of(
        cases, [](const auto &each) { return each.toObject()["device"] == "cpu.1/2 + cpu.2/2"; }));
}

void TestCliBenchMachine::whatWasTunedIsMeasuredAsWell()
{
    const auto tuned = runHere("tune cartesian --threads 1 --budget 20 --json");
    QVERIFY2(tuned.exitCode == 0, tuned.err);
    // Whether anything is faster here is chance.
    setGains(1);
    const auto asItWas =
        jsonOf(runHere("bench machine --quick --budget 0.01 --threads 1 --devices cpu --json"));
    QCOMPARE(asItWas["tuning"].toString(), QString("not tuned on this machine"));
    setGains(1.5);
    const auto report =
        jsonOf(runHere("bench machine --quick --budget 20 --threads 1 --devices cpu --json"));
    QCOMPARE(report["tuning"].toString(), QString("tuned"));
    QSet<QString> untunedWork, tunedWork;
    for (const auto &value : report["cases"].toArray()) {
        const auto each = value.toObject();
        auto &work = each["tuned"].toBool() ? tunedWork : untunedWork;
        work.insert(each["operation"].toString() + each["work"].toString());
        QVERIFY(each["error"].toDouble(1) < 1e-4);
    }
    QVERIFY(!tunedWork.isEmpty() && untunedWork.contains(tunedWork));
    // The table is of one thread.
    QCOMPARE(jsonOf(runHere(
                 "bench machine --quick --budget 0.01 --threads 2 --devices cpu --json"))["tuning"]
                 .toString(),
             QString("not tuned on this machine"));
}

void TestCliBenchMachine::reportsAreCompared()
{
    auto faster = m_report;
    auto cases = faster["cases"].toArray();
    for (auto &&value : cases) {
        auto each = value.toObject();
        each["per_second"] = 4 * each["per_second"].toDouble();
        value = each;
    }
    faster["cases"] = cases;
    faster["machine"] = "a faster one";
    write("faster.json", QJsonDocument(faster).toJson());
    const auto document =
        jsonOf(runHere("bench machine --compare faster.json mine.json --json --html both.html"));
    QCOMPARE(document["ratios"].toArray().size(), 5);
    for (const auto &ratio : document["ratios"].toArray())
        QVERIFY(std::abs(ratio.toObject()["ratio"].toDouble() - 4) < 1e-6);
    const auto machines = document["machines"].toArray();
    QVERIFY(std::abs(machines[0].toObject()["score"].toDouble()
                         / machines[1].toObject()["score"].toDouble()
                     - 4)
            < 1e-6);
    const auto text = runHere("bench machine --compare faster.json mine.json");
    QCOMPARE(text.exitCode, 0);
    QVERIFY(text.out.contains("A: a faster one") && text.out.contains("4 times"));
    QVERIFY(read("both.html").contains("A: a faster one"));
}

void TestCliBenchMachine::pagesAreWritten()
{
    const auto outcome = runHere("bench machine --compare mine.json mine.json --html two.html");
    QVERIFY2(outcome.exitCode == 0, outcome.err);
    const auto page = read("two.html");
    QVERIFY(page.endsWith("</html>\n"));
    QCOMPARE(page.count("<svg"), 7);
    QVERIFY(!page.contains("<script"));
}

void TestCliBenchMachine::interruptedItSaysWhatItHas()
{
    QProcess process;
    process.start(QString(paths::cli),
                  {"bench", "machine", "--json", "--threads", "1", "--devices", "cpu"});
    QVERIFY(process.waitForStarted());
    QTest::qWait(6000); // limits take some seconds; whatever is there by now
    const auto begin = std::chrono::steady_clock::now();
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
    QVERIFY(process.waitForFinished(120000));
    QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::minutes(1));
    QCOMPARE(process.exitCode(), 130);
    const auto report = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    QVERIFY(report["interrupted"].toBool());
    QVERIFY(report["left_out"].toInt() > 0);
}

void TestCliBenchMachine::badInputIsOneSentence_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("says");
    QTest::newRow("one file") << "--compare mine.json"
                              << "--compare";
    QTest::newRow("no file") << "--compare mine.json none.json"
                             << "none.json";
    QTest::newRow("no report") << "--compare mine.json text.json"
                               << "text.json";
    QTest::newRow("another version") << "--compare mine.json future.json"
                                     << "format 9";
    QTest::newRow("a folder") << "--compare mine.json ."
                              << "no file";
    QTest::newRow("compared and quick") << "--compare mine.json mine.json --quick"
                                        << "--quick";
    QTest::newRow("no budget") << "--budget 0"
                               << "--budget";
    QTest::newRow("budget of text") << "--budget nan"
                                    << "--budget";
    QTest::newRow("back end") << "--backend omp"
                              << "--devices";
    QTest::newRow("no folder") << "--quick --html /nowhere/at/all/page.html"
                               << "page.html";
}

void TestCliBenchMachine::badInputIsOneSentence()
{
    QFETCH(QString, line);
    QFETCH(QString, says);
    write("text.json", "nothing of the kind");
    auto future = m_report;
    future["format"] = 9;
    write("future.json", QJsonDocument(future).toJson());
    const auto outcome = runHere("bench machine " + line);
    QVERIFY2(isOneSentence(outcome, says), outcome.err + outcome.out);
}

GRIDHELM_TEST(TestCliBenchMachine)
#include "tst_cli_bench_machine.moc"
