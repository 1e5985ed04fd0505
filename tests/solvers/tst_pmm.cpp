// SPDX-License-Identifier: GPL-3.0-or-later
//
// The fast stepper against the literal reference, and what a stepper promises.
#include "core/solvers/pmm/reference_pmm.h"
#include "core/sparse/omp/simd_targets.h"
#include "core/support/error.h"
#include "tests/core/expect_error.h"
#include "tests/core/random.h"
#include "tests/core/sanitized.h"
#include "tests/solvers/pmm_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace gridhelm::solvers;
using namespace gridhelm::test;
namespace simd = gridhelm::sparse::omp;

namespace {

QString describe(const PmmProblem &problem)
{
    return QString("%1 x %2 x %3, psi: %4, varies: %5")
        .arg(problem.nodes[0])
        .arg(problem.nodes[1])
        .arg(problem.nodes[2])
        .arg(isAnisotropic(problem))
        .arg(variesInSpace(problem));
}

template <typename T>
void checkAgainstReference(const PmmProblem &problem, double tolerance)
{
    auto expected = initialTimes<T>(problem);
    TestedPmm<T> stepper(problem, {1, {}});
    QCOMPARE(timesOf<T>(stepper), expected);
    for (int sweep = 0; sweep < 3; ++sweep) {
        const double change = static_cast<double>(referenceSweep(problem, expected));
        stepper.advance(1);
        const auto result = timesOf<T>(stepper);
        double scale = 1;
        for (T time : expected)
            scale = std::max(scale, static_cast<double>(time));
        for (std::size_t node = 0; node < result.size(); ++node) {
            const double difference = static_cast<double>(result[node] - expected[node]);
            QVERIFY2(std::abs(difference) <= tolerance * scale,
                     qPrintable(describe(problem) + " node " + QString::number(node) + ": "
                                + QString::number(difference)));
        }
        const double reported = stepper.report().largestChange;
        QVERIFY(reported == change || std::abs(reported - change) <= tolerance * scale);
    }
}

double maximum(const std::vector<double> &values)
{
    return *std::max_element(values.begin(), values.end());
}

} // namespace

class PmmTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup() { simd::useBestSimdTarget(); }

    void matchesReference_data();
    void matchesReference();
    void resultDoesNotDependOnThreads();
    void symmetricSourceGivesSymmetricField();
    void everyNodeIsReachedInOneSweep();
    void oneNodeIsItsSource();
    void stopsWhenNothingChanges();
    void stopRequestEndsTheRun();
    void liveParameterStartsAgain();
    void liveParameterThatCannotSpreadChangesNothing();
    void liveRangesCanBeSpread();
    void pointBetweenNodesReachesItsCell();
    void laterSourceIsOvertaken();
    void badInputIsAnError();
};

void PmmTest::initTestCase()
{
    GRIDHELM_SKIP_WITHOUT_BACKEND();
}

void PmmTest::matchesReference_data()
{
    QTest::addColumn<QString>("target");
    if (testsCuda) {
        QTest::newRow("cuda") << QString();
        return;
    }
    for (const auto &target : simd::availableSimdTargets())
        QTest::newRow(target.c_str()) << QString::fromStdString(target);
}

void PmmTest::matchesReference()
{
    QFETCH(QString, target);
    if (!target.isEmpty())
        simd::forceSimdTarget(target.toStdString());
    Random random(7);
    for (int i = 0; i < repeats(60); ++i) {
        const auto problem = randomProblem(random);
        checkAgainstReference<double>(problem, 2e-13);
        checkAgainstReference<float>(problem, 1e-4);
        if (QTest::currentTestFailed())
            return;
    }
}

void PmmTest::resultDoesNotDependOnThreads()
{
    Random random(8);
    for (int i = 0; i < repeats(40); ++i) {
        auto problem = randomProblem(random);
        if (i < 4) // large enough for all threads
            problem = ballWithKnownTimes(isSanitized ? 21 : 45, i % 2 == 1);
        const auto expected = timesAfter<double>(problem, 2, 1);
        const auto expectedFloat = timesAfter<float>(problem, 2, 1);
        for (int threads : {2, 3}) {
            QCOMPARE(timesAfter<double>(problem, 2, threads), expected);
            QCOMPARE(timesAfter<float>(problem, 2, threads), expectedFloat);
        }
    }
}

void PmmTest::symmetricSourceGivesSymmetricField()
{
    for (std::size_t n : {20u, 21u}) {
        auto problem = ballWithKnownTimes(n, false);
        std::vector<double> speed;
        forEachNode(problem, [&](std::size_t, const Position &x) {
            speed.push_back(1.2
                            + 0.3 * std::cos(6 * (x[0] - 0.5)) * std::cos(6 * (x[1] - 0.5))
                                  * std::cos(6 * (x[2] - 0.5)));
        });
        problem.speed = speed;
        TestedPmm<double> stepper(problem, {1, 0.0});
        stepper.advance(20);
        const auto times = timesOf<double>(stepper);
        const double tolerance = 1e-14 * std::max(1.0, maximum(times));
        for (std::size_t k = 0; k < n; ++k) {
            for (std::size_t j = 0; j < n; ++j) {
                for (std::size_t i = 0; i < n; ++i) {
                    const double here = times[problem.nodeIndex(i, j, k)];
                    for (auto other :
                         {problem.nodeIndex(n - 1 - i, j, k), problem.nodeIndex(i, n - 1 - j, k),
                          problem.nodeIndex(i, j, n - 1 - k), problem.nodeIndex(j, i, k),
                          problem.nodeIndex(i, k, j), problem.nodeIndex(k, j, i)})
                        QVERIFY(std::abs(times[other] - here) <= tolerance);
                }
            }
        }
    }
}

void PmmTest::everyNodeIsReachedInOneSweep()
{
    Random random(9);
    for (int i = 0; i < 30; ++i) {
        auto problem = randomProblem(random);
        problem.source = NodeSources{{{{random.index(problem.nodes[0]), 0, 0}, 0}}};
        for (double time : timesAfter<double>(problem, 1))
            QVERIFY(std::isfinite(time));
    }
}

void PmmTest::oneNodeIsItsSource()
{
    PmmProblem problem;
    problem.source = NodeSources{{{{0, 0, 0}, 2.5}}};
    TestedPmm<double> stepper(problem);
    stepper.advance(2);
    QCOMPARE(timesOf<double>(stepper), std::vector<double>{2.5});
    QCOMPARE(stepper.report().largestChange, 0.0);

    problem.nodes = {5, 1, 1}; // a row: exact
    problem.spacing = 0.5;
    QCOMPARE(timesAfter<double>(problem, 1), (std::vector<double>{2.5, 3, 3.5, 4, 4.5}));
}

void PmmTest::stopsWhenNothingChanges()
{
    TestedPmm<double> stepper(ballWithKnownTimes(21, true), {1, 1e-10});
    stepper.advance(100);
    const auto report = stepper.report();
    QVERIFY(report.iterations <= 3);
    QVERIFY(report.largestChange <= 1e-10);
    QVERIFY(report.error > 0 && report.error < 0.1);
    QCOMPARE(report.flops, static_cast<double>(report.iterations) * 6 * 9261 * 430);
    QCOMPARE(report.bytes, static_cast<double>(report.iterations) * 16 * 8 * 9261);
    QVERIFY(std::isnan(report.residual));
}

void PmmTest::stopRequestEndsTheRun()
{
    TestedPmm<double> stepper(ballWithKnownTimes(21, false));
    std::stop_source stop;
    stop.request_stop();
    stepper.advance(5, stop.get_token());
    QCOMPARE(stepper.report().iterations, std::uint64_t{0});
}

void PmmTest::liveParameterStartsAgain()
{
    auto problem = ballWithKnownTimes(21, false);
    problem.direction = {-0.35, 0.4, 0.7};
    TestedPmm<double> stepper(problem, {1, {}});
    stepper.advance(2);
    stepper.setLiveParameter("psi", 1.0); // isotropic so far
    QCOMPARE(stepper.method(), std::string_view("pmm anisotropic"));
    stepper.advance(3);
    QCOMPARE(timesOf<double>(stepper), timesAfter<double>(ballWithKnownTimes(21, true), 3));
    QCOMPARE(stepper.report().iterations, std::uint64_t{5});

    stepper.setLiveParameter("psi", 0.0);
    stepper.setLiveParameter("F scale", 2.0);
    stepper.advance(2);
    const auto twiceAsFast = timesOf<double>(stepper);
    const auto once = timesAfter<double>(ballWithKnownTimes(21, false), 2);
    for (std::size_t node = 0; node < once.size(); ++node)
        QVERIFY(std::abs(twiceAsFast[node] - once[node] / 2) < 1e-14);
}

void PmmTest::liveParameterThatCannotSpreadChangesNothing()
{
    TestedPmm<double> stepper(ballWithKnownTimes(11, true), {1, {}});
    stepper.advance(2);
    const auto before = timesOf<double>(stepper);
    GRIDHELM_EXPECT_ERROR(stepper.setLiveParameter("psi", 2.0));
    GRIDHELM_EXPECT_ERROR(stepper.setLiveParameter("F scale", 0.0));
    GRIDHELM_EXPECT_ERROR(stepper.setLiveParameter("a x", 5.0));
    GRIDHELM_EXPECT_ERROR(stepper.setLiveParameter("a y", std::nan("")));
    GRIDHELM_EXPECT_ERROR(stepper.setLiveParameter("psi scale", 0.5));
    QCOMPARE(timesOf<double>(stepper), before);
    stepper.advance(1);
    QCOMPARE(timesOf<double>(stepper), timesAfter<double>(ballWithKnownTimes(11, true), 3));
}

void PmmTest::liveRangesCanBeSpread()
{
    Random random(10);
    for (int i = 0; i < 30; ++i) {
        const auto problem = randomProblem(random);
        for (const auto &parameter : TestedPmm<double>(problem).liveParameters()) {
            QVERIFY(parameter.lowest <= parameter.value && parameter.value <= parameter.highest);
            for (double value : {parameter.lowest, parameter.highest}) {
                TestedPmm<double> stepper(problem, {1, {}});
                stepper.setLiveParameter(parameter.name, value);
                stepper.advance(1);
                QVERIFY(std::isfinite(maximum(timesOf<double>(stepper))));
            }
        }
    }
}

void PmmTest::pointBetweenNodesReachesItsCell()
{
    PmmProblem problem;
    problem.nodes = {3, 3, 3};
    problem.speed = 2.0;
    problem.source = PointSources{{{{0.5, 0.5, 0.5}, 1}}};
    const auto times = initialTimes<double>(problem);
    QCOMPARE(std::count_if(times.begin(), times.end(), [](double t) { return std::isfinite(t); }),
             8);
    QCOMPARE(times[0], 1 + std::sqrt(0.75) / 2);
    problem.source = PointSources{{{{1, 1, 1}, 0}}}; // on a node: that one alone
    QCOMPARE(maximum(timesAfter<double>(problem, 1)), std::sqrt(3.0) / 2);
}

void PmmTest::laterSourceIsOvertaken()
{
    PmmProblem problem;
    problem.nodes = {5, 1, 1};
    problem.source = NodeSources{{{{0, 0, 0}, 0}, {{2, 0, 0}, 9}, {{4, 0, 0}, 1}}};
    QCOMPARE(timesAfter<double>(problem, 1), (std::vector<double>{0, 1, 2, 2, 1}));
}

void PmmTest::badInputIsAnError()
{
    const auto expectError = [](auto change) {
        auto problem = ballWithKnownTimes(5, true);
        change(problem);
        GRIDHELM_EXPECT_ERROR(TestedPmm<double>(problem));
        GRIDHELM_EXPECT_ERROR(TestedPmm<float>(problem));
    };
    expectError([](PmmProblem &p) { p.nodes = {5, 0, 5}; });
    expectError([](PmmProblem &p) { p.nodes = {100'000, 100'000, 100'000}; });
    expectError([](PmmProblem &p) { p.nodes = {SIZE_MAX, SIZE_MAX, 2}; });
    expectError([](PmmProblem &p) { p.spacing = 0; });
    expectError([](PmmProblem &p) { p.spacing = std::nan(""); });
    expectError([](PmmProblem &p) { p.origin[1] = std::numeric_limits<double>::infinity(); });
    expectError([](PmmProblem &p) { p.speed = 0.8; }); // |psi| |a| = 0.879
    expectError([](PmmProblem &p) { p.speed = -1.0; });
    expectError([](PmmProblem &p) { p.speed = std::vector<double>(124, 2.0); });
    expectError([](PmmProblem &p) {
        std::vector<double> speed(125, 2.0);
        speed[77] = 0.5;
        p.speed = speed;
    });
    expectError([](PmmProblem &p) { p.advection = std::nan(""); });
    expectError([](PmmProblem &p) { p.source = std::monostate(); });
    expectError([](PmmProblem &p) { p.source = PointSources(); });
    expectError([](PmmProblem &p) { p.source = NodeSources{{{{5, 0, 0}, 0}}}; });
    expectError([](PmmProblem &p) { p.source = BallSource{{0.5, 0.5, 0.5}, -1}; });
    expectError([](PmmProblem &p) { p.source = BallSource{{3, 3, 3}, 0.1}; });
    expectError([](PmmProblem &p) { p.source = HorizonSource{{1, 2, 3}}; });
    expectError([](PmmProblem &p) { p.source = HorizonSource{std::vector<double>(25, 7.0)}; });
    if (!testsCuda) // which needs no threads
        GRIDHELM_EXPECT_ERROR(TestedPmm<double>(ballWithKnownTimes(5, true), {-1, {}}));
}

GRIDHELM_TEST(PmmTest)
#include "tst_pmm.moc"
