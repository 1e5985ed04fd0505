// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ratios and scores, by hand.
#include "app/bench/machine/machine_score.h"
#include "app/bench/machine/machine_text.h"
#include "app/bench/machine/reference_machine.h"
#include "tests/bench/machine_reports.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::bench;
using namespace gridhelm::test;

namespace {

bool isNear(double value, double expected)
{
    return std::abs(value - expected) < 1e-12 * std::abs(expected);
}

constexpr auto interpolation = OperationClass::interpolation;

MachineReport withCases(std::vector<MeasuredCase> cases)
{
    MachineReport report;
    report.cases = std::move(cases);
    return report;
}

} // namespace

class TestMachineScore : public QObject
{
    Q_OBJECT

private slots:
    void theMeanIsGeometric();
    void ratiosAreOfCasesInCommon();
    void theFastestDeviceCounts();
    void tunedCasesCountWhereTheyAreAskedFor();
    void wrongResultsCountNowhere();
    void theScoreNeedsAllOperations();
    void theReferenceMachineHasAHundred();
    void figuresAreOfTheBestCase();
    void comparisonsNameBothMachines();
};

void TestMachineScore::theMeanIsGeometric()
{
    QVERIFY(isNear(geometricMean({2, 8}), 4));
    QVERIFY(isNear(geometricMean({1e30, 1e-30, 27}), 3));
    QVERIFY(isNear(geometricMean({5}), 5));
}

void TestMachineScore::ratiosAreOfCasesInCommon()
{
    const auto first =
        withCases({measuredCase(interpolation, "a", 10), measuredCase(interpolation, "b", 8),
                   measuredCase(interpolation, "ours alone", 1e9),
                   measuredCase(OperationClass::shared, "a", 7)});
    const auto second =
        withCases({measuredCase(interpolation, "b", 1), measuredCase(interpolation, "a", 5),
                   measuredCase(interpolation, "theirs alone", 1e9)});
    const auto ratios = classRatios(first, second);
    QCOMPARE(ratios.size(), std::size_t{1}); // "a" of another operation is another case
    QCOMPARE(ratios[0].operation, interpolation);
    QCOMPARE(ratios[0].cases, 2);
    QVERIFY(isNear(ratios[0].ratio, 4)); // of 2 and 8
    QVERIFY(isNear(ratios[0].least, 2) && isNear(ratios[0].most, 8));
    QVERIFY(isNear(classRatios(second, first)[0].ratio, 0.25));
}

void TestMachineScore::theFastestDeviceCounts()
{
    const auto first = withCases(
        {measuredCase(interpolation, "a", 10), measuredCase(interpolation, "a", 90, "gpu:0"),
         measuredCase(interpolation, "b", 20), measuredCase(interpolation, "b", 10, "gpu:0"),
         measuredCase(interpolation, "c", 1), measuredCase(interpolation, "c", 50, "gpu:0")});
    const auto second =
        withCases({measuredCase(interpolation, "a", 10), measuredCase(interpolation, "b", 10),
                   measuredCase(interpolation, "c", 10)});
    const auto ratios = classRatios(first, second);
    QVERIFY(isNear(ratios[0].ratio, std::cbrt(9.0 * 2 * 5)));
    QCOMPARE(ratios[0].device, std::string("gpu:0"));
    QVERIFY(isNear(classRatios(first, second, {"cpu"})[0].ratio, std::cbrt(1 * 2 * 0.1)));
    QVERIFY(classRatios(first, second, {"gpu:1"}).empty());
}

void TestMachineScore::tunedCasesCountWhereTheyAreAskedFor()
{
    auto first =
        withCases({measuredCase(interpolation, "a", 10), measuredCase(interpolation, "a", 30)});
    first.cases[1].isTuned = true;
    const auto second = withCases({measuredCase(interpolation, "a", 10)});
    QVERIFY(isNear(classRatios(first, second)[0].ratio, 3));
    QVERIFY(isNear(classRatios(first, second, {{}, false})[0].ratio, 1));
    // Also what tuning has made slower; of another device it says nothing.
    for (const bool isFirst : {true, false}) {
        first = withCases({measuredCase(interpolation, "a", isFirst ? 8 : 10),
                           measuredCase(interpolation, "a", isFirst ? 10 : 8)});
        first.cases[isFirst ? 0 : 1].isTuned = true;
        QVERIFY(isNear(classRatios(first, second)[0].ratio, 0.8));
        first.cases.push_back(measuredCase(interpolation, "a", 9, "gpu:0"));
        QVERIFY(isNear(classRatios(first, second)[0].ratio, 0.9));
    }
}

void TestMachineScore::wrongResultsCountNowhere()
{
    for (const double error :
         {1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        auto first = withCases(
            {measuredCase(interpolation, "a", 20), measuredCase(interpolation, "b", 1e9)});
        first.cases[1].error = error;
        const auto second =
            withCases({measuredCase(interpolation, "a", 10), measuredCase(interpolation, "b", 10)});
        const auto ratios = classRatios(first, second);
        QCOMPARE(ratios[0].cases, 1);
        QVERIFY(isNear(ratios[0].ratio, 2));
        const auto figures = classFigures(first);
        QCOMPARE(figures[0].cases, 1);
        QCOMPARE(figures[0].wrongCases, 1);
        QCOMPARE(figures[0].bestPerSecond, 20.0);
        QVERIFY(reportText(first, second).find("1 cases are WRONG") != std::string::npos);
    }
}

void TestMachineScore::theScoreNeedsAllOperations()
{
    auto fast = reportOf("fast", 30);
    const auto slow = reportOf("slow", 10);
    QVERIFY(isNear(scoreOf(classRatios(fast, slow)).value(), 300));
    QVERIFY(isNear(scoreOf(classRatios(slow, slow)).value(), 100));
    fast.cases[0].perSecond = 10; // one of five as fast as the other: 3^(4/5)
    QVERIFY(isNear(scoreOf(classRatios(fast, slow)).value(), 100 * std::pow(3.0, 0.8)));
    fast.cases.pop_back();
    QVERIFY(!scoreOf(classRatios(fast, slow)));
    QVERIFY(!scoreOf({}));
}

void TestMachineScore::theReferenceMachineHasAHundred()
{
    const auto &reference = referenceMachine();
    QVERIFY(isNear(scoreOf(classRatios(reference, reference)).value(), 100));
    QVERIFY(!reference.isQuick && !reference.isInterrupted && !reference.isTuned);
    QVERIFY(reference.machine.size() > 3);
    for (const auto &each : reference.cases)
        QVERIFY2(each.error < errorOfWrongResults, each.work.c_str());
}

void TestMachineScore::figuresAreOfTheBestCase()
{
    auto report = withCases({measuredCase(interpolation, "a", 10),
                             measuredCase(interpolation, "b", 40, "gpu:0"),
                             measuredCase(interpolation, "c", 20)});
    report.cases[0].share = 0.5;
    report.cases[0].limit = "multiply-adds";
    report.cases[1].share = 0.125;
    report.cases[2].share = 0.25;
    report.cases[1].joules = 40; // of half a second, 20 points
    report.cases[2].joules = 5;  // 10 points
    report.cases[2].error = 3e-5;
    const auto figures = classFigures(report);
    QCOMPARE(figures.size(), std::size_t{1});
    QCOMPARE(figures[0].bestWork, std::string("b"));
    QCOMPARE(figures[0].bestDevice, std::string("gpu:0"));
    QVERIFY(isNear(figures[0].meanShare, 0.25));
    QVERIFY(isNear(figures[0].bestShare, 0.5));
    QCOMPARE(figures[0].limit, std::string("multiply-adds"));
    QVERIFY(isNear(figures[0].joulesPerUnit.value(), 0.5));
    QCOMPARE(figures[0].largestError, 3e-5);
}

void TestMachineScore::comparisonsNameBothMachines()
{
    const auto text =
        comparisonText(reportOf("fast", 30), reportOf("slow", 10), reportOf("slow", 10));
    for (const char *part : {"A: fast", "B: slow", "score of A: 300", "score of B: 100", "3 times"})
        QVERIFY2(text.find(part) != std::string::npos, part);
    QVERIFY(comparisonText({}, reportOf("slow", 10), reportOf("slow", 10)).find("no case in common")
            != std::string::npos);
}

GRIDHELM_TEST(TestMachineScore)
#include "tst_machine_score.moc"
