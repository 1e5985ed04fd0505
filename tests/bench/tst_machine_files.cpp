// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reports come back as they were written, and files from elsewhere are reports or refused.
#include "app/bench/machine/machine_json.h"
#include "tests/bench/machine_reports.h"
#include "tests/core/expect_error.h"
#include "tests/core/random.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

using namespace gridhelm;
using namespace gridhelm::bench;
using namespace gridhelm::test;
using nlohmann::json;

namespace {

json someDocument()
{
    return jsonOf(reportOf("a machine", 10), reportOf("another", 5));
}

std::string refusal(const std::string &document)
{
    return refusalOf([&] { machineReportOf(document, "theirs.json"); });
}

} // namespace

class TestMachineFiles : public QObject
{
    Q_OBJECT

private slots:
    void reportsComeBackAsTheyWere();
    void summariesAreNotBelieved();
    void anErrorThatIsNoNumberStaysWrong();
    void hostileDocumentsAreRefused_data();
    void hostileDocumentsAreRefused();
    void everyKeyIsNeeded();
    void namesAreNothingThatATerminalObeys();
    void damagedBytesNeverCrash();
    void filesThatAreNoneAreRefused();
};

void TestMachineFiles::reportsComeBackAsTheyWere()
{
    auto report = reportOf("a machine", 10);
    report.isQuick = true;
    report.leftOut = 3;
    report.isTuned = true;
    report.cases[1].isTuned = true;
    report.cases[2].joules = 2.5;
    report.failures = {"cartesian on cpu: memory ran out"};
    const auto document = jsonOf(report, reportOf("another", 5));
    QCOMPARE(document["score"].get<double>(), 200.0);
    const auto back = machineReportOf(document.dump(), "ours.json");
    const auto again = jsonOf(back, reportOf("another", 5));
    for (const auto &[key, value] : document.items()) {
        if (key != "devices") // of which billions were divided off and multiplied again
            QVERIFY2(again[key] == value, key.c_str());
    }
    QVERIFY(std::abs(back.devices[0].flopsPerSecond / report.devices[0].flopsPerSecond - 1)
            < 1e-12);
    QVERIFY(std::abs(back.devices[0].copyBytesPerSecond / report.devices[0].copyBytesPerSecond - 1)
            < 1e-12);
    QCOMPARE(back.cases[2].joules.value(), 2.5);
    QVERIFY(!back.cases[0].joules);
    QCOMPARE(back.devices[0].hardware, std::string("a CPU"));
    QVERIFY(back.isQuick && back.isTuned && back.cases[1].isTuned);
}

void TestMachineFiles::summariesAreNotBelieved()
{
    auto document = someDocument();
    document["score"] = 1e9;
    document["summary"] = "anything";
    const auto report = machineReportOf(document.dump(), "theirs.json");
    QCOMPARE(jsonOf(report, reportOf("another", 5))["score"].get<double>(), 200.0);
}

void TestMachineFiles::anErrorThatIsNoNumberStaysWrong()
{
    auto report = reportOf("a machine", 10);
    report.cases[0].error = std::numeric_limits<double>::quiet_NaN();
    const auto document = jsonOf(report, report);
    QVERIFY(document["cases"][0]["error"].is_null());
    QVERIFY(document["score"].is_null());
    const auto back = machineReportOf(document.dump(), "ours.json");
    QVERIFY(!(back.cases[0].error <= errorOfWrongResults));
}

void TestMachineFiles::hostileDocumentsAreRefused_data()
{
    QTest::addColumn<QString>("document");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const std::function<void(json &)> &change,
                        const char *says) {
        auto document = someDocument();
        change(document);
        QTest::newRow(name) << QString::fromStdString(document.dump()) << says;
    };
    QTest::newRow("nothing") << ""
                             << "no JSON";
    QTest::newRow("half") << QString::fromStdString(someDocument().dump().substr(0, 200))
                          << "no JSON";
    QTest::newRow("a list") << "[]"
                            << "no object";
    QTest::newRow("deep") << QString(1000000, '[') << "no JSON";
    QTest::newRow("deep and whole") << QString(500000, '[') + QString(500000, ']') << "no object";
    auto text = QString::fromStdString(someDocument().dump());
    QTest::newRow("NaN") << QString(text).replace("\"per_second\":10.0", "\"per_second\":NaN")
                         << "no JSON";
    QTest::newRow("too large a number")
        << QString(text).replace("\"per_second\":10.0", "\"per_second\":1e999") << "no JSON";
    row(
        "another benchmark", [](json &d) { d["benchmark"] = "sparse"; }, "another benchmark");
    row(
        "another format", [](json &d) { d["format"] = 2; }, "format 2");
    row(
        "format of text", [](json &d) { d["format"] = "1"; }, "\"format\"");
    row(
        "infinite rate", [](json &d) { d["cases"][0]["per_second"] = 1e300; }, "per_second");
    row(
        "no rate", [](json &d) { d["cases"][0]["per_second"] = 0; }, "per_second");
    row(
        "negative rate", [](json &d) { d["cases"][0]["per_second"] = -1; }, "per_second");
    row(
        "rate of text", [](json &d) { d["cases"][0]["per_second"] = "fast"; }, "per_second");
    row(
        "null rate", [](json &d) { d["cases"][0]["per_second"] = nullptr; }, "per_second");
    row(
        "no repeats", [](json &d) { d["cases"][0]["repeats"] = 0; }, "repeats");
    row(
        "half a repeat", [](json &d) { d["cases"][0]["repeats"] = 1.5; }, "repeats");
    row(
        "unknown operation", [](json &d) { d["cases"][0]["operation"] = "dancing"; }, "operation");
    row(
        "unknown device", [](json &d) { d["cases"][0]["device"] = "gpu:7"; }, "not listed");
    row(
        "a case twice", [](json &d) { d["cases"].push_back(d["cases"][0]); }, "twice");
    row(
        "a device twice", [](json &d) { d["devices"].push_back(d["devices"][0]); }, "one name");
    row(
        "a case of text", [](json &d) { d["cases"][0] = "fast"; }, "a case");
    row(
        "cases of text", [](json &d) { d["cases"] = "many"; }, "\"cases\"");
    row(
        "many cases", [](json &d) { d["cases"] = json(std::vector<int>(20001)); }, "\"cases\"");
    row(
        "many devices", [](json &d) { d["devices"] = json(std::vector<int>(201)); }, "\"devices\"");
    row(
        "a long name", [](json &d) { d["machine"] = std::string(501, 'x'); }, "\"machine\"");
    row(
        "a number as name", [](json &d) { d["machine"] = 7; }, "\"machine\"");
    row(
        "a flag of text", [](json &d) { d["quick"] = "yes"; }, "\"quick\"");
    row(
        "failures of numbers", [](json &d) { d["failures"] = {1}; }, "\"failures\"");
}

void TestMachineFiles::hostileDocumentsAreRefused()
{
    QFETCH(QString, document);
    QFETCH(QString, says);
    const auto sentence = QString::fromStdString(refusal(document.toStdString()));
    QVERIFY2(sentence.startsWith("theirs.json "), qPrintable(sentence));
    QVERIFY2(sentence.contains(says), qPrintable(sentence));
    QVERIFY(!sentence.contains('\n') && sentence.size() < 400);
}

void TestMachineFiles::everyKeyIsNeeded()
{
    const auto whole = someDocument();
    for (const char *key :
         {"benchmark", "format", "machine", "commit", "version", "threads", "quick", "interrupted",
          "left_out", "seconds", "devices", "cases", "failures"}) {
        auto document = whole;
        document.erase(key);
        QVERIFY2(refusal(document.dump()).find(key) != std::string::npos, key);
    }
    for (const auto &item : whole["cases"][0].items()) {
        auto document = whole;
        document["cases"][0].erase(item.key());
        const bool isSaidElsewhere = item.key() == "unit"; // it follows from the operation
        QVERIFY2(refusal(document.dump()).empty() == isSaidElsewhere, item.key().c_str());
    }
    for (const auto &item : whole["devices"][0].items()) {
        auto document = whole;
        document["devices"][0].erase(item.key());
        QVERIFY2(!refusal(document.dump()).empty(), item.key().c_str());
    }
}

void TestMachineFiles::namesAreNothingThatATerminalObeys()
{
    auto document = someDocument();
    document["machine"] = "a\x1b[31mb\nc";
    const auto machine = machineReportOf(document.dump(), "theirs.json").machine;
    QCOMPARE(machine.find('\x1b'), std::string::npos);
    QCOMPARE(machine.find('\n'), std::string::npos);
}

void TestMachineFiles::damagedBytesNeverCrash()
{
    const auto whole = someDocument().dump();
    Random random(1);
    int refused = 0;
    for (int round = 0; round < 2000; ++round) {
        auto damaged = whole;
        for (int i = 0; i <= round % 4; ++i)
            damaged[static_cast<std::size_t>(
                random.integer(0, static_cast<int>(whole.size()) - 1))] =
                static_cast<char>(random.integer(0, 255));
        try {
            machineReportOf(damaged, "theirs.json");
        } catch (const Error &) {
            ++refused;
        }
    }
    QVERIFY(refused > 500);
}

void TestMachineFiles::filesThatAreNoneAreRefused()
{
    const QTemporaryDir folder;
    const auto path = folder.filePath("m.json");
    QFile file(path);
    QVERIFY(file.open(QFile::WriteOnly));
    file.write(QByteArray::fromStdString(someDocument().dump()));
    file.close();
    QCOMPARE(readMachineReport(path.toStdString()).machine, std::string("a machine"));
    QVERIFY(file.open(QFile::WriteOnly));
    file.write("{");
    file.write(QByteArray(16 << 20, ' '));
    file.close();
    QVERIFY(refusalOf([&] { readMachineReport(path.toStdString()); }).find("16 MiB")
            != std::string::npos);
    GRIDHELM_EXPECT_ERROR(readMachineReport(folder.path().toStdString()));
    GRIDHELM_EXPECT_ERROR(readMachineReport("/nowhere/at/all.json"));
    GRIDHELM_EXPECT_ERROR(readMachineReport("/dev/zero"));
}

GRIDHELM_TEST(TestMachineFiles)
#include "tst_machine_files.moc"
