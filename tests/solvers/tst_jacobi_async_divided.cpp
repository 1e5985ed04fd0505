// SPDX-License-Identifier: GPL-3.0-or-later
//
// The asynchronous Jacobi methods on several devices, logical ones of the CPU or of a GPU. What a
// tile hears of its neighbours depends on how fast they are, but for async2: that is compared to
// the last bit, the others by what they end with.
#include "core/solvers/jacobi/async_options.h"
#include "tests/core/closeness.h"
#include "tests/core/expect_error.h"
#include "tests/core/sanitized.h"
#include "tests/solvers/divided_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::solvers;
using namespace gridhelm::test;

namespace {

/// A multiple of the rows of what a GPU sums a residual in, for grids of up to 128 columns.
constexpr std::size_t tileRows = testsCuda ? 32 : 16;

TestedSettings asynchronous(const std::string &method, Precision precision = Precision::float64,
                            std::int64_t alpha = 4)
{
    auto settings = with(method, precision);
    settings.set(jacobi::alphaOption, alpha);
    settings.set(jacobi::tileOption, std::vector<std::size_t>{24, tileRows});
    return settings;
}

const std::vector<std::string> methods{"async0", "async1", "async2", "async3"};

/// Iterations until the residual is so small, in steps of a launch; 0: it never is.
std::uint64_t iterationsUntil(Stepper &stepper, double residual)
{
    while (stepper.report().iterations < 100'000) {
        stepper.advance(35);
        if (stepper.report().residual < residual)
            return stepper.report().iterations;
    }
    return 0;
}

} // namespace

class JacobiAsyncDividedTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { GRIDHELM_SKIP_WITHOUT_BACKEND(); }
    void async2IsTheSameOnSeveral();
    void async2IsTheSameAfterLiveParameters();
    void reachDirectSolution();
    void needHardlyMoreIterationsThanTuned();
    void oneHearsOfItsNeighbourInTheNextLaunch();
    void stop();
    void fewerRowsOfTilesThanDevicesAreSaid();
    void whatCannotBeDividedIsAnError();
};

/// Last slabs that are whole tiles, or less; fewer tile rows than devices.
void JacobiAsyncDividedTest::async2IsTheSameOnSeveral()
{
    Random random(1);
    int count = 0;
    for (std::size_t height : {1U, 15U, 16U, 31U, 49U, 64U, 95U}) {
        for (std::size_t width : {7U, 90U}) {
            for (const auto &kinds : {allDirichlet, mixed, allNeumann}) {
                const auto precision = count % 2 == 0 ? Precision::float32 : Precision::float64;
                const auto problem = iterationProblem(random, 2, {width, height, 1}, kinds,
                                                      kinds == allNeumann ? 0 : count % 3);
                VERIFY_NO_DIFFERENCE(differenceFromOne(
                    problem, asynchronous("async2", precision, 2 + 2 * (count % 4))));
                ++count;
            }
        }
    }
}

void JacobiAsyncDividedTest::async2IsTheSameAfterLiveParameters()
{
    Random random(2);
    for (int kindOfSource : {0, 1, 2}) {
        const auto problem = iterationProblem(random, 2, {33, 70, 1}, mixed, kindOfSource);
        VERIFY_NO_DIFFERENCE(
            differenceAfterLiveParameters(problem, asynchronous("async2"), random));
    }
}

void JacobiAsyncDividedTest::reachDirectSolution()
{
    Random random(3);
    for (const auto &kinds : {allDirichlet, mixed, allNeumann}) {
        const auto problem =
            randomProblem(random, 2, {isSanitized ? 7U : 20U, isSanitized ? 35U : 52U, 1}, kinds);
        const auto expected = directSolution(problem);
        for (const auto &method : methods) {
            for (const auto &threads : std::vector<std::vector<int>>{{1, 1}, {1, 1, 2}}) {
                const auto settings = asynchronous(method);
                const auto stepper = makeOn(onTeam(threads), problem, settings);
                QVERIFY(iterationsUntil(*stepper, 1e-13) > 0);
                GRIDHELM_COMPARE_CLOSE(valuesOf(*stepper), expected,
                                       1e-10 * std::max(1.0, largestMagnitude(expected)),
                                       describe(problem, settings));
            }
        }
    }
}

/// Tiles of 16 rows that hear of each other every five iterations: at most a fifth more.
void JacobiAsyncDividedTest::needHardlyMoreIterationsThanTuned()
{
    Random random(4);
    const auto problem =
        iterationProblem(random, 2, {isSanitized ? 12U : 40U, 96, 1}, allDirichlet, 0);
    const auto expected = iterationsUntil(*makeOn(onOne(), problem, with("tuned")), 1e-8);
    QVERIFY(expected > 100);
    for (const auto &method : methods) {
        for (const auto &threads : teams) {
            const auto found =
                iterationsUntil(*makeOn(onTeam(threads), problem, asynchronous(method)), 1e-8);
            QVERIFY2(found > 0 && static_cast<double>(found) < 1.2 * static_cast<double>(expected),
                     qPrintable(QString("%1 on %2 devices: %3 instead of %4")
                                    .arg(QString::fromStdString(method))
                                    .arg(threads.size())
                                    .arg(found)
                                    .arg(expected)));
        }
    }
}

/// What is at first in the second row of the upper slab is in its first one after the first launch;
/// from there the next one carries it five rows into the lower slab, and not further.
void JacobiAsyncDividedTest::oneHearsOfItsNeighbourInTheNextLaunch()
{
    constexpr std::size_t width = 20;
    PoissonProblem problem;
    problem.dimension = 2;
    problem.unknowns = {width, 2 * tileRows, 1};
    problem.initialGuess = std::vector<double>(problem.count(), 0.0);
    (*problem.initialGuess)[(tileRows + 1) * width + width / 2] = 1;
    for (const auto &method : methods) {
        const auto stepper = makeOn(onTeam({1, 1}), problem, asynchronous(method));
        std::size_t firstRow = 0;
        const auto findFirstRow = [&] {
            const auto values = valuesOf(*stepper);
            const auto found = std::ranges::find_if(values, [](double u) { return u != 0; });
            firstRow = static_cast<std::size_t>(found - values.begin()) / width;
        };
        stepper->advance(5);
        findFirstRow();
        QCOMPARE(firstRow, tileRows);
        stepper->advance(5);
        findFirstRow();
        QCOMPARE(firstRow, tileRows - 5);
    }
}

void JacobiAsyncDividedTest::stop()
{
    Random random(6);
    const auto problem = iterationProblem(random, 2, {50, 140, 1}, allDirichlet, 0);
    const auto stepper = makeOn(onTeam({1, 1}), problem, asynchronous("async1"));
    std::stop_source source;
    source.request_stop();
    stepper->advance(1000, source.get_token());
    QCOMPARE(stepper->report().iterations, 0);
}

void JacobiAsyncDividedTest::fewerRowsOfTilesThanDevicesAreSaid()
{
    Random random(7);
    const auto problem = iterationProblem(random, 2, {20, 2 * tileRows + 1, 1}, allDirichlet, 0);
    std::string said;
    const auto context =
        onTeam({1, 1, 1, 1}).withEvents([&](const auto &event) { said = event.sentence; });
    (void)makeOn(context, problem, asynchronous("async0"));
    QCOMPARE(QString::fromStdString(said),
             QString("3 of 4 %1 compute: the grid has only %2 rows, in tiles of %3")
                 .arg(sharers)
                 .arg(2 * tileRows + 1)
                 .arg(tileRows));
}

void JacobiAsyncDividedTest::whatCannotBeDividedIsAnError()
{
    Random random(8);
    const auto box = iterationProblem(random, 3, {5, 6, 7}, allDirichlet, 0);
    GRIDHELM_EXPECT_ERROR(makeOn(onTeam({1, 1}), box, asynchronous("async3"))); // it is for 2D
    const auto problem = iterationProblem(random, 2, {5, 6, 1}, allDirichlet, 0);
    const auto mixedTeam = onOne().withTeam({CpuDevice{1}, GpuDevice{}});
    GRIDHELM_EXPECT_ERROR(makeOn(mixedTeam, problem, asynchronous("async3")));
}

GRIDHELM_TEST(JacobiAsyncDividedTest)
#include "tst_jacobi_async_divided.moc"
