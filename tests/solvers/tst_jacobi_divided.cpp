// SPDX-License-Identifier: GPL-3.0-or-later
//
// Jacobi on several devices, logical ones of the CPU or of a GPU, and all GPUs that there are, or
// on several ranks: bit for bit what one computes.
#include "core/solvers/jacobi/temporal_options.h"
#include "core/solvers/slab.h"
#include "tests/core/expect_error.h"
#include "tests/core/sanitized.h"
#include "tests/solvers/divided_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace gridhelm;
using namespace gridhelm::solvers;
using namespace gridhelm::test;

class JacobiDividedTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { GRIDHELM_SKIP_WITHOUT_BACKEND(); }
    void slabsAreInOrderAndNoneIsEmpty();
    void tilesNeverStraddleABorder();
    void sameIn2D();
    void sameIn3D();
    void sameBeyondTheCache();
    void sameForAFunction();
    void sameWithSeveralIterationsInAPass();
    void sameInAPassWithSeveralThreads();
    void sameAfterLiveParameters();
    void saysThatADeviceIsIdle();
    void tellsHowTimeIsSpent();
    void stops();
    void whatCannotBeDividedIsAnError();
};

void JacobiDividedTest::slabsAreInOrderAndNoneIsEmpty()
{
    Random random(1);
    for (int repeat = 0; repeat < 500; ++repeat) {
        const auto size = static_cast<std::size_t>(random.integer(1, 40));
        const auto granule = static_cast<std::size_t>(random.integer(1, 8));
        std::vector<double> weights(static_cast<std::size_t>(random.integer(1, 7)));
        for (double &weight : weights)
            weight = random.real(0.01, 3);
        const auto slabs = divided(size, granule, weights);
        QCOMPARE(slabs.size(), std::min(weights.size(), (size + granule - 1) / granule));
        std::size_t begin = 0;
        for (const auto &slab : slabs) {
            QCOMPARE(slab.begin, begin);
            QCOMPARE(slab.of, size);
            QVERIFY(slab.end > slab.begin);
            begin = slab.end;
        }
        QCOMPARE(begin, size);
    }
    const std::vector<double> likeThreads{1, 3};
    QCOMPARE(divided(100, 1, likeThreads), (std::vector<Slab>{{0, 25, 100}, {25, 100, 100}}));
    GRIDHELM_EXPECT_ERROR(divided(4, 1, std::vector<double>{}));
    GRIDHELM_EXPECT_ERROR(divided(4, 1, std::vector<double>{1, 0}));
    GRIDHELM_EXPECT_ERROR(divided(0, 1, std::vector<double>{1}));
}

void JacobiDividedTest::tilesNeverStraddleABorder()
{
    const std::vector<double> equal{1, 1, 1};
    QCOMPARE(divided(50, 8, equal), (std::vector<Slab>{{0, 16, 50}, {16, 40, 50}, {40, 50, 50}}));
}

void JacobiDividedTest::sameIn2D()
{
    Random random(2);
    int kindOfSource = 0;
    for (std::size_t width : {1, 3, 16, 33, 130}) {
        if (isSanitized && width != 3 && width != 33)
            continue;
        for (std::size_t height : {1, 2, 3, 4, 5, 11, 40, 75}) { // the last ones for tiles of a GPU
            for (const auto &kinds : {allDirichlet, mixed}) {
                for (auto precision : {Precision::float32, Precision::float64}) {
                    const auto problem =
                        iterationProblem(random, 2, {width, height, 1}, kinds, kindOfSource++ % 3);
                    VERIFY_NO_DIFFERENCE(differenceFromOne(problem, with("tuned", precision)));
                }
            }
        }
    }
}

void JacobiDividedTest::sameIn3D()
{
    Random random(3);
    VERIFY_NO_DIFFERENCE(differenceIn3D("tuned", random));
}

/// Where each device has several threads and streams past the caches.
void JacobiDividedTest::sameBeyondTheCache()
{
    Random random(4);
    const std::size_t side = isSanitized ? 300 : 1500;
    const auto flat = iterationProblem(random, 2, {side + 1, side, 1}, mixed, 0);
    VERIFY_NO_DIFFERENCE(differenceFromOne(flat, with("tuned", Precision::float32)));
    const auto box =
        iterationProblem(random, 3, {90, 61, isSanitized ? std::size_t{20} : 130}, mixed, 1);
    VERIFY_NO_DIFFERENCE(differenceFromOne(box, with("tuned", Precision::float64)));
}

void JacobiDividedTest::sameForAFunction()
{
    for (auto kind : {dirichlet, neumann}) {
        VERIFY_NO_DIFFERENCE(differenceFromOne(
            eigenfunctionProblem(2, {20, 17, 1}, kind, {1, 2, 0}), with("tuned")));
        VERIFY_NO_DIFFERENCE(
            differenceFromOne(eigenfunctionProblem(3, {9, 8, 11}, kind, {1, 2, 1}), with("tuned")));
    }
}

/// Fewer rows than an exchange has, as many, and more.
void JacobiDividedTest::sameWithSeveralIterationsInAPass()
{
    Random random(9);
    int kindOfSource = 0;
    for (std::size_t width : {1, 17, 130}) {
        for (std::size_t height : {1, 4, 7, 8, 13, 40, 75}) {
            for (int depth : {0, 2, 4, 7}) {
                for (const auto &kinds : {allDirichlet, mixed}) {
                    const auto precision =
                        kindOfSource % 2 == 0 ? Precision::float32 : Precision::float64;
                    const auto problem =
                        iterationProblem(random, 2, {width, height, 1}, kinds, kindOfSource++ % 3);
                    auto settings = with("temporal", precision);
                    settings.set(jacobi::depthOption, OptionValue(std::int64_t{depth}));
                    VERIFY_NO_DIFFERENCE(differenceFromOne(problem, settings));
                }
            }
        }
    }
}

void JacobiDividedTest::sameInAPassWithSeveralThreads()
{
    Random random(10);
    const auto problem =
        iterationProblem(random, 2, {isSanitized ? 500U : 1600U, 400, 1}, mixed, 0);
    auto settings = with("temporal");
    settings.set(jacobi::depthOption, OptionValue(std::int64_t{6}));
    VERIFY_NO_DIFFERENCE(differenceFromOne(problem, settings));
    VERIFY_NO_DIFFERENCE(differenceAfterLiveParameters(
        iterationProblem(random, 2, {30, 70, 1}, mixed, 1), settings, random));
}

void JacobiDividedTest::sameAfterLiveParameters()
{
    Random random(5);
    for (int dimension : {2, 3}) {
        const std::array<std::size_t, 3> n{21, 14, dimension == 3 ? std::size_t{10} : 1};
        const auto problem = iterationProblem(random, dimension, n, mixed, 1);
        VERIFY_NO_DIFFERENCE(differenceAfterLiveParameters(problem, with("tuned"), random));
    }
}

void JacobiDividedTest::saysThatADeviceIsIdle()
{
    GRIDHELM_SKIP_ON_CUDA("its tiles have several rows");
    Random random(6);
    std::vector<std::string> sentences;
    const auto context = onTeam({1, 1, 1, 1}).withEvents([&](const ExecutionEvent &event) {
        sentences.push_back(event.sentence);
    });
    const auto problem = [&](std::size_t rows) {
        return iterationProblem(random, 2, {5, rows, 1}, allDirichlet, 0);
    };
    makeOn(context, problem(4), with("tuned"));
    QVERIFY(sentences.empty());
    makeOn(context, problem(3), with("tuned"));
    QCOMPARE(sentences, std::vector<std::string>{std::string("3 of 4 ") + sharers
                                                 + " compute: the grid has only 3 rows"});
}

void JacobiDividedTest::stops()
{
    Random random(7);
    const auto problem = iterationProblem(random, 2, {50, 40, 1}, allDirichlet, 0);
    const auto stepper = makeOn(onTeam({1, 1}), problem, with("tuned"));
    std::stop_source stop;
    stop.request_stop();
    stepper->advance(1000, stop.get_token());
    QCOMPARE(stepper->report().iterations, 0);
}

void JacobiDividedTest::tellsHowTimeIsSpent()
{
#ifdef GRIDHELM_TEST_RANKS
    QSKIP("a rank knows its own time alone");
#endif
    Random random(9);
    const auto problem = iterationProblem(random, 2, {300, 400, 1}, allDirichlet, 0);
    for (const auto *method : {"tuned", "temporal"}) {
        const auto stepper = makeOn(onTeam({1, 1}), problem, with(method));
        QCOMPARE(mistakeInTimes(*stepper, 2), std::string());
    }
    // One who has nearly nothing to do waits for the other.
    auto uneven = makeOn(onTeam({1, 40}), problem, with("tuned", Precision::float64));
#ifndef GRIDHELM_TEST_CUDA
    uneven->advance(300);
    const auto times = uneven->takeShareTimes();
    QVERIFY2(times.at(0).idle > times.at(1).idle, qPrintable(QString::number(times.at(0).idle)));
#endif
    QVERIFY(makeOn(onOne(), problem, with("tuned"))->takeShareTimes().empty());
}

void JacobiDividedTest::whatCannotBeDividedIsAnError()
{
    Random random(8);
    const auto problem = iterationProblem(random, 2, {5, 6, 1}, allDirichlet, 0);
    for (const auto *method : {"naive", "sequential"})
        GRIDHELM_EXPECT_ERROR(makeOn(onTeam({1, 1}), problem, with(method)));
    // Whichever back end is tested, one of these is not its own. (tst_jacobi_hybrid has a GPU with
    // the CPU.)
    const auto mixedTeam = test::onCpu().withTeam({CpuDevice{1}, GpuDevice{}});
    GRIDHELM_EXPECT_ERROR(makeOn(mixedTeam, problem, with(testsCuda ? "async1" : "tuned")));
}

GRIDHELM_TEST(JacobiDividedTest)
#include "tst_jacobi_divided.moc"
