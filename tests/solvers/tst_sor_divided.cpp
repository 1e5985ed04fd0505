// SPDX-License-Identifier: GPL-3.0-or-later
//
// Red-black SOR on several devices, logical ones of the CPU or of a GPU: bit for bit what one
// computes.
#include "core/solvers/sor/sor_options.h"
#include "tests/core/expect_error.h"
#include "tests/core/sanitized.h"
#include "tests/solvers/divided_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace gridhelm;
using namespace gridhelm::solvers;
using namespace gridhelm::test;

class SorDividedTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { GRIDHELM_SKIP_WITHOUT_BACKEND(); }
    void sameIn2D();
    void sameIn3D();
    void sameWithSeveralThreadsEach();
    void sameInPasses();
    void sameAfterLiveParameters();
    void stopsAtTheSameIteration();
    void tellsHowTimeIsSpent();
    void stops();
    void whatCannotBeDividedIsAnError();
};

void SorDividedTest::sameIn2D()
{
    Random random(2);
    int kindOfSource = 0;
    for (std::size_t width : {1, 2, 17, 270}) {
        if (isSanitized && width != 17)
            continue;
        for (std::size_t height : {1, 2, 3, 5, 40, 75}) { // the last ones for tiles of a GPU
            for (const auto &kinds : {allDirichlet, mixed}) {
                for (auto precision : {Precision::float32, Precision::float64}) {
                    const auto problem =
                        iterationProblem(random, 2, {width, height, 1}, kinds, kindOfSource++ % 3);
                    VERIFY_NO_DIFFERENCE(differenceFromOne(problem, with("red-black", precision)));
                }
            }
        }
    }
}

void SorDividedTest::sameIn3D()
{
    Random random(3);
    VERIFY_NO_DIFFERENCE(differenceIn3D("red-black", random));
}

void SorDividedTest::sameWithSeveralThreadsEach()
{
    Random random(4);
    const auto flat = iterationProblem(random, 2, {301, 250, 1}, mixed, 0);
    VERIFY_NO_DIFFERENCE(differenceFromOne(flat, with("red-black", Precision::float32)));
    const auto box = iterationProblem(random, 3, {60, 41, 50}, mixed, 1);
    VERIFY_NO_DIFFERENCE(differenceFromOne(box, with("red-black")));
}

/// Among them the relaxation factor, and the place of a spike.
/// Of slabs that are as small as the passes allow, and of larger ones; some rows of the last
/// iterations are a shorter pass.
void SorDividedTest::sameInPasses()
{
    GRIDHELM_SKIP_ON_CUDA("it has no passes of several devices");
    Random random(6);
    int kindOfSource = 0;
    for (std::int64_t pass : {1, 2, 3, 7}) {
        auto settings = with("red-black", pass % 2 == 0 ? Precision::float32 : Precision::float64);
        settings.set(passOption, OptionValue(pass));
        for (const auto &kinds : {allDirichlet, mixed, allNeumann}) {
            for (std::size_t layers : {9, 14, 30, 71}) {
                if (isSanitized && layers > 20)
                    continue;
                const int source = kinds == allNeumann ? 0 : kindOfSource++ % 3;
                VERIFY_NO_DIFFERENCE(differenceFromOne(
                    iterationProblem(random, 2, {19, layers, 1}, kinds, source), settings));
                VERIFY_NO_DIFFERENCE(differenceFromOne(
                    iterationProblem(random, 3, {6, 9, layers}, kinds, source), settings));
            }
        }
        VERIFY_NO_DIFFERENCE(differenceAfterLiveParameters(
            iterationProblem(random, 2, {30, 40, 1}, mixed, 1), settings, random));
    }
    // Deep enough that they are chosen.
    VERIFY_NO_DIFFERENCE(
        differenceFromOne(iterationProblem(random, 2, {33, 1000, 1}, mixed, 1), with("red-black")));
}

void SorDividedTest::sameAfterLiveParameters()
{
    Random random(5);
    for (int dimension : {2, 3}) {
        for (int kindOfSource : {0, 1, 2}) {
            const std::array<std::size_t, 3> n{21, 14, dimension == 3 ? std::size_t{10} : 1};
            const auto problem = iterationProblem(random, dimension, n, mixed, kindOfSource);
            VERIFY_NO_DIFFERENCE(differenceAfterLiveParameters(problem, with("red-black"), random));
        }
    }
}

void SorDividedTest::stopsAtTheSameIteration()
{
    Random random(6);
    const auto problem = iterationProblem(random, 2, {33, 45, 1}, allDirichlet, 1);
    const auto iterationsOf = [](Stepper &stepper) {
        while (stepper.report().residual > 1e-6 && stepper.report().iterations < 1000)
            stepper.advance(1);
        return stepper.report().iterations;
    };
    const auto expected = iterationsOf(*makeOn(onOne(), problem, with("red-black")));
    QVERIFY(expected > 10 && expected < 1000);
    for (const auto &threads : teams)
        QCOMPARE(iterationsOf(*makeOn(onTeam(threads), problem, with("red-black"))), expected);
}

void SorDividedTest::stops()
{
    Random random(7);
    const auto problem = iterationProblem(random, 2, {50, 40, 1}, allDirichlet, 0);
    const auto stepper = makeOn(onTeam({1, 1}), problem, with("red-black"));
    std::stop_source stop;
    stop.request_stop();
    stepper->advance(1000, stop.get_token());
    QCOMPARE(stepper->report().iterations, 0);
}

void SorDividedTest::tellsHowTimeIsSpent()
{
#ifdef GRIDHELM_TEST_RANKS
    QSKIP("a rank knows its own time alone");
#endif
    Random random(9);
    // Slabs that have room for passes, and some that have not.
    for (const std::size_t height : {300, 40}) {
        const auto problem = iterationProblem(random, 2, {100, height, 1}, allDirichlet, 0);
        const auto stepper = makeOn(onTeam({1, 1}), problem, with("red-black"));
        QCOMPARE(mistakeInTimes(*stepper, 2), std::string());
    }
}

void SorDividedTest::whatCannotBeDividedIsAnError()
{
    Random random(8);
    const auto problem = iterationProblem(random, 2, {5, 6, 1}, allDirichlet, 0);
    GRIDHELM_EXPECT_ERROR(makeOn(onTeam({1, 1}), problem, with("sequential")));
    // Whichever back end is tested, one of these is not its own.
    const auto mixedTeam = test::onCpu().withTeam({CpuDevice{1}, GpuDevice{}});
    GRIDHELM_EXPECT_ERROR(makeOn(mixedTeam, problem, with("red-black")));
}

GRIDHELM_TEST(SorDividedTest)
#include "tst_sor_divided.moc"
