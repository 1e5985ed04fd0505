// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers of whole runs, against the responses that they are of at many times.
#include "core/answers/time_reduction.h"

#include "core/answers/reduction.h"
#include "tests/core/answers_cases.h"
#include "tests/core/expect_error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::answers;
using namespace gridhelm::test;
using sparse::BoundaryTreatment;

namespace {

/// Two parameters, and between them a time from 2 to 10.
ParameterSpace spaceOf(ParameterScale scale)
{
    Parameter a{"a", "", 0, 1}, time{"t", "s", 2, 10}, b{"b", "", 0, 1};
    time.kind = ParameterKind::timeLike;
    time.scale = scale;
    return ParameterSpace(std::vector{a, time, b});
}

double wave(std::span<const double> x)
{
    return std::sin(5 * x[1] + x[0]) * (1 + x[2]) + x[0] * x[1];
}

ResponseModel waves()
{
    const auto response = interpolantOf(
        wave,
        {3,
         5,
         {},
         {BoundaryTreatment::modified, BoundaryTreatment::boundary, BoundaryTreatment::modified}});
    return {response.parts(), {0.25}};
}

const std::vector<std::vector<double>> places{{0.2, 0.7, 0.4}, {0, 0, 1}, {0.93, 0.5, 0.61}};

/// Values at so many times, and these.
struct Scan
{
    std::vector<double> times, values;

    Scan(const ResponseModel &response, const ParameterSpace &space, std::vector<double> x,
         int intervals)
    {
        for (int i = 0; i <= intervals; ++i) {
            x[1] = static_cast<double>(i) / intervals;
            times.push_back(space.fromUnit(x)[1]);
            values.push_back(response.value(x));
        }
    }
};

class TimeReductionTest : public QObject
{
    Q_OBJECT

private slots:
    void wordsAreThoseOfSpaceAndOfTime();
    void numbersAreThoseOfALine();
    void meansOfGridsAreExactAndStayGrids();
    void meansOverALogarithmicTimeAreOfTheTime();
    void extremesAreThoseOfAllTimes();
    void passingIsFoundBetweenTimes();
    void timeAloneIsLeftAsAConstant();
    void whatCannotBeIsSaid();
};

void TimeReductionTest::wordsAreThoseOfSpaceAndOfTime()
{
    const auto both = splitReduction(" percentile 95,  first above 0.5 in time ");
    QCOMPARE(both.inSpace, std::string_view("percentile 95"));
    QCOMPARE(both.inTime, std::string_view("first above 0.5"));
    for (const auto *alone : {"mean", "maximum, mean", "mean in time", ", in time"})
        QVERIFY(splitReduction(alone).inTime.empty());
    const auto passing = parseTimeReduction("first above 0.5");
    QVERIFY(passing.kind == TimeReductionKind::firstAbove && !passing.isLinear());
    QCOMPARE(passing.number, 0.5);
    QCOMPARE(parseTimeReduction("value at -2").number, -2.0);
    QVERIFY(parseTimeReduction("mean").isLinear());
}

void TimeReductionTest::numbersAreThoseOfALine()
{
    const std::vector<double> times{1, 2, 4}, values{-1, 3, 1};
    const auto of = [&](const char *words) {
        return reduceInTime(parseTimeReduction(words), times, values);
    };
    QCOMPARE(of("mean"), (1 + 4.0) / 3);
    QCOMPARE(of("minimum"), -1.0);
    QCOMPARE(of("maximum"), 3.0);
    QCOMPARE(of("value at 3"), 2.0);
    QCOMPARE(of("value at 1"), -1.0);
    QCOMPARE(of("value at 4"), 1.0);
    QCOMPARE(of("first above 0"), 1.25);
    QCOMPARE(of("first above -2"), 1.0);
    QCOMPARE(of("first above 3"), 4.0); // never
    QCOMPARE(of("first below 0"), 1.0);
    QCOMPARE(of("first below -1"), 4.0);
}

void TimeReductionTest::meansOfGridsAreExactAndStayGrids()
{
    const auto space = spaceOf(ParameterScale::linear);
    const auto response = waves();
    const auto mean = reducedInTime(response, space, parseTimeReduction("mean"));
    const auto there = reducedInTime(response, space, parseTimeReduction("value at 4.7"));
    QVERIFY(gridCoefficients(mean) && gridCoefficients(there));
    for (auto x : places) {
        const Scan scan(response, space, x, 256); // whose times are all kinks, and more
        QVERIFY(std::abs(mean.value(x) - reduceInTime({}, scan.times, scan.values)) <= 1e-13);
        std::vector<double> slopes(3);
        mean.gradients(x, slopes);
        QCOMPARE(slopes[1], 0.0);
        const double found = there.value(x);
        x[1] = 2.7 / 8;
        QVERIFY(std::abs(found - response.value(x)) <= 1e-13);
    }
}

void TimeReductionTest::meansOverALogarithmicTimeAreOfTheTime()
{
    const auto space = spaceOf(ParameterScale::logarithmic);
    const auto response = waves();
    const auto mean = reducedInTime(response, space, parseTimeReduction("mean"));
    QVERIFY(gridCoefficients(mean));
    for (const auto &x : places) {
        const Scan fine(response, space, x, 8192);
        QVERIFY(std::abs(mean.value(x) - reduceInTime({}, fine.times, fine.values)) <= 1e-3);
        const Scan same(response, space, x, 64);
        QVERIFY(std::abs(mean.value(x) - reduceInTime({}, same.times, same.values)) <= 1e-13);
    }
}

void TimeReductionTest::extremesAreThoseOfAllTimes()
{
    const auto space = spaceOf(ParameterScale::linear);
    const auto response = waves();
    const auto highest = reducedInTime(response, space, parseTimeReduction("maximum"));
    const auto lowest = reducedInTime(response, space, parseTimeReduction("minimum"));
    QVERIFY(!gridCoefficients(highest));
    for (const auto &x : places) {
        const auto [low, high] = std::ranges::minmax(Scan(response, space, x, 4096).values);
        QVERIFY(std::abs(highest.value(x) - high) <= 1e-13); // at a kink
        QVERIFY(std::abs(lowest.value(x) - low) <= 1e-13);
    }
}

void TimeReductionTest::passingIsFoundBetweenTimes()
{
    const auto space = spaceOf(ParameterScale::linear);
    const auto response = waves();
    const auto passing = reducedInTime(response, space, parseTimeReduction("first below 0.1"));
    int passed = 0;
    for (auto x : places) {
        const double time = passing.value(x);
        QVERIFY(time >= 2 && time <= 10);
        x[1] = (time - 2) / 8;
        if (time > 2 && time < 10) {
            ++passed;
            QVERIFY(std::abs(response.value(x) - 0.1) <= 1e-12);
        }
        const Scan scan(response, space, x, 4096);
        for (std::size_t i = 0; i < scan.times.size() && scan.times[i] < time; ++i)
            QVERIFY(scan.values[i] >= 0.1 - 1e-12);
    }
    QVERIFY(passed > 0);
}

void TimeReductionTest::timeAloneIsLeftAsAConstant()
{
    Parameter time{"t", "s", 0, 4};
    time.kind = ParameterKind::timeLike;
    const ParameterSpace space(std::vector{time});
    const auto response = interpolantOf([](std::span<const double> x) { return x[0]; },
                                        {1, 3, {}, {BoundaryTreatment::boundary}});
    const auto of = [&](const char *words) {
        return reducedInTime(response, space, parseTimeReduction(words)).value(std::vector{0.3});
    };
    QCOMPARE(of("mean"), 0.5);
    QCOMPARE(of("value at 3"), 0.75);
    QCOMPARE(of("first above 0.4"), 1.6);
}

void TimeReductionTest::whatCannotBeIsSaid()
{
    for (const auto *words : {"", "average", "mean 3", "value at", "first above", "first above x",
                              "firstabove 3", "value at nan"})
        GRIDHELM_EXPECT_ERROR(parseTimeReduction(words));
    const auto space = spaceOf(ParameterScale::linear);
    const auto response = waves();
    GRIDHELM_EXPECT_ERROR(reducedInTime(response, space, parseTimeReduction("value at 11")));
    GRIDHELM_EXPECT_ERROR(reducedInTime(response, unitSpace(3), parseTimeReduction("mean")));
}

} // namespace

GRIDHELM_TEST(TimeReductionTest)
#include "tst_time_reduction.moc"
