// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Jacobi methods: the same iterates, or at least the same solution.
#include "core/solvers/jacobi/async_options.h"
#include "core/solvers/jacobi/temporal_options.h"
#include "core/solvers/poisson/poisson_method.h"
#include "core/solvers/poisson/poisson_stepper.h"

#include "core/solvers/poisson_reference.h"
#include "tests/core/closeness.h"
#include "tests/core/expect_error.h"
#include "tests/core/field_values.h"
#include "tests/core/on_cpu.h"
#include "tests/core/sanitized.h"
#include "tests/solvers/jacobi_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

using namespace gridhelm;
using namespace gridhelm::solvers;
using namespace gridhelm::test;

namespace {

/// Of these methods those that the tested back end has.
std::vector<std::string> tested(std::vector<std::string> methods)
{
    if (testsCuda)
        std::erase(methods, "naive");
    return methods;
}

/// Empty if both have the same values and largest changes to round-off.
std::string difference(const Stepper &result, const Stepper &expected, double roundOff)
{
    const auto want = valuesOf(expected);
    const auto worst = largestDifference(valuesOf(result), want);
    const double tolerance = roundOff * std::max(1.0, largestMagnitude(want));
    if (!(worst.amount <= tolerance))
        return worst.text + std::to_string(worst.amount);
    const double change = result.report().largestChange;
    if (!(std::abs(change - expected.report().largestChange) <= 4 * tolerance))
        return "largest change " + std::to_string(change) + " instead of "
               + std::to_string(expected.report().largestChange);
    return {};
}

/// Advances both by the same few numbers of iterations and compares.
std::string differenceFromNaive(const PoissonProblem &problem, const TestedSettings &options,
                                const std::vector<std::uint64_t> &advances)
{
    const auto naive = makePoissonStepper(problem, with("naive", options.precision), test::onCpu());
    const auto stepper = makePoisson(problem, options);
    const double eps = options.precision == Precision::float32 ? epsilon<float> : epsilon<double>;
    for (auto iterations : advances) {
        naive->advance(iterations);
        stepper->advance(iterations);
        if (stepper->report().iterations != naive->report().iterations)
            return "wrong number of iterations; " + describe(problem, options);
        const auto text = difference(*stepper, *naive, 4 * eps);
        if (!text.empty())
            return text + "; " + describe(problem, options);
    }
    return {};
}

} // namespace

class JacobiTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { GRIDHELM_SKIP_WITHOUT_BACKEND(); }
    void naiveIsLiteral();
    void tunedMatchesNaive2D();
    void tunedMatchesNaive3D();
    void temporalMatchesNaive();
    void temporalMatchesNaiveInManyBlocks();
    void temporalTakesASpikeAnywhere();
    void gridsBeyondTheCacheMatchNaive();
    void reachesEigenfunction();
    void reachesDirectSolution_data();
    void reachesDirectSolution();
    void floatReachesSolution();
    void liveParametersMoveTheSolution();
    void stopTokenStops();
    void startAtSolutionHasNoResidual();
    void reportCountsWork();
    void badOptionsAreErrors();
};

void JacobiTest::naiveIsLiteral()
{
    GRIDHELM_SKIP_ON_CUDA("naive is the CPU's alone");
    Random random(1);
    for (int dimension : {2, 3}) {
        for (int source = 0; source < 3; ++source) {
            const std::array<std::size_t, 3> n{6, 5, dimension == 3 ? std::size_t{4} : 1};
            const auto problem = iterationProblem(random, dimension, n, mixed, source);
            auto expected = *problem.initialGuess;
            const auto f = sampleSource(problem);
            const double start = reference::residualNorm(problem, f, expected);
            for (int i = 0; i < 9; ++i)
                expected = reference::jacobiSweep(problem, f, expected);
            const auto stepper = makePoisson(problem, with("naive"));
            QCOMPARE(stepper->report().residual, 1.0);
            stepper->advance(9);
            GRIDHELM_COMPARE_CLOSE(valuesOf(*stepper), expected, 1e-14,
                                   gridhelm::test::describe(problem));
            const double residual = reference::residualNorm(problem, f, expected) / start;
            QVERIFY(std::abs(stepper->report().residual - residual) < 1e-12);
        }
    }
}

void JacobiTest::tunedMatchesNaive2D()
{
    Random random(2);
    const std::vector<std::size_t> widths{1, 2, 3, 7, 15, 16, 17, 31, 33, 64, 129, 1001};
    int kindOfSource = 0;
    for (auto width : widths) {
        for (std::size_t height : {1, 2, 5, 37}) {
            for (const auto &kinds : {allDirichlet, mixed}) {
                for (auto precision : {Precision::float32, Precision::float64}) {
                    const auto problem =
                        iterationProblem(random, 2, {width, height, 1}, kinds, kindOfSource++ % 3);
                    for (int threads : {1, 2})
                        VERIFY_NO_DIFFERENCE(differenceFromNaive(
                            problem, with("tuned", precision, threads), {1, 4}));
                }
            }
        }
    }
}

void JacobiTest::tunedMatchesNaive3D()
{
    Random random(3);
    int kindOfSource = 0;
    const std::vector<std::array<std::size_t, 3>> sizes{
        {1, 1, 1}, {1, 2, 3}, {5, 1, 1}, {17, 3, 2}, {33, 9, 1}, {3, 17, 31}, {40, 41, 42}};
    for (const auto &size : sizes) {
        for (const auto &kinds : {allDirichlet, mixed}) {
            for (auto precision : {Precision::float32, Precision::float64}) {
                const auto problem = iterationProblem(random, 3, size, kinds, kindOfSource++ % 3);
                for (int threads : {1, 2})
                    VERIFY_NO_DIFFERENCE(
                        differenceFromNaive(problem, with("tuned", precision, threads), {1, 4}));
            }
        }
    }
    // Rows so long that few of each plane fit into the cache, and end in the middle of a block.
    const auto problem = iterationProblem(random, 3, {9001, 11, 3}, mixed, 0);
    VERIFY_NO_DIFFERENCE(
        differenceFromNaive(problem, with("tuned", Precision::float32, 2), {1, 2}));
}

void JacobiTest::temporalMatchesNaive()
{
    Random random(4);
    int kindOfSource = 0;
    for (std::size_t width : {1, 2, 15, 16, 17, 33, 130, 1025}) {
        for (std::size_t height : {1, 2, 3, 19, 64}) {
            for (const auto &kinds : {allDirichlet, mixed}) {
                for (auto precision : {Precision::float32, Precision::float64}) {
                    const auto problem =
                        iterationProblem(random, 2, {width, height, 1}, kinds, kindOfSource++ % 3);
                    auto options = with("temporal", precision, random.integer(1, 2));
                    options.set(jacobi::depthOption,
                                std::int64_t{random.chance(0.3) ? 0 : random.integer(1, 7)});
                    VERIFY_NO_DIFFERENCE(differenceFromNaive(problem, options, {1, 2, 13, 25}));
                }
            }
        }
    }
}

void JacobiTest::temporalMatchesNaiveInManyBlocks()
{
    Random random(5);
    for (int depth : {0, 3, 16, 33, 64}) {
        for (auto precision : {Precision::float32, Precision::float64}) {
            for (int source = 0; source < (isSanitized ? 1 : 3); ++source) {
                const auto problem = iterationProblem(random, 2, {6001, 31, 1}, mixed, source);
                auto options = with("temporal", precision, 2);
                options.set(jacobi::depthOption, std::int64_t{depth});
                VERIFY_NO_DIFFERENCE(differenceFromNaive(problem, options, {70}));
            }
        }
    }
}

/// Also where blocks begin and end.
void JacobiTest::temporalTakesASpikeAnywhere()
{
    constexpr std::array<std::size_t, 3> n{641, 903, 1};
    Random random(11);
    auto problem = iterationProblem(random, 2, n, allDirichlet, 0);
    int number = 0;
    for (const int column : {0, 103, 104, 128, 320, 639})
        for (const int row : {0, 23, 24, 40, 451, 880, 902}) {
            if (isSanitized && (column + row) % 4 != 0)
                continue;
            problem.source = SpikeSource{1,
                                         {(column + 1.0) / static_cast<double>(n[0] + 1),
                                          (row + 1.0) / static_cast<double>(n[1] + 1), 0.5}};
            constexpr std::array<std::int64_t, 5> depths{4, 8, 12, 16, 8};
            const int which = number++ % 5;
            const auto precision = which == 4 ? Precision::float64 : Precision::float32;
            auto options = with("temporal", precision, 2);
            options.set(jacobi::depthOption, depths[static_cast<std::size_t>(which)]);
            VERIFY_NO_DIFFERENCE(differenceFromNaive(problem, options, {24}));
        }
}

void JacobiTest::gridsBeyondTheCacheMatchNaive()
{
    Random random(6);
    for (const auto &kinds : {allDirichlet, mixed}) {
        const auto problem = iterationProblem(random, 2, {2503, 2201, 1}, kinds, 1);
        for (auto method : {"tuned", "temporal"})
            VERIFY_NO_DIFFERENCE(
                differenceFromNaive(problem, with(method, Precision::float64, 2), {1, 4}));
    }
}

void JacobiTest::reachesEigenfunction()
{
    for (auto kind : {dirichlet, neumann}) {
        for (auto method : {"tuned", "temporal"}) {
            const auto stepper =
                makePoisson(eigenfunctionProblem(2, {65, 40, 1}, kind, {1, 2, 0}), with(method));
            QVERIFY(stepper->report().error > 0.9);
            stepper->advance(30'000);
            QVERIFY2(stepper->report().error < 1e-10, stepper->method().data());
            QVERIFY(stepper->report().residual < 1e-10);
        }
        const auto stepper =
            makePoisson(eigenfunctionProblem(3, {17, 12, 21}, kind, {1, 2, 1}), with("tuned"));
        stepper->advance(6'000);
        QVERIFY(stepper->report().error < 1e-10);
    }
}

void JacobiTest::reachesDirectSolution_data()
{
    QTest::addColumn<int>("sides");
    QTest::newRow("Dirichlet") << 0;
    QTest::newRow("mixed") << 1;
    QTest::newRow("Neumann") << 2;
}

void JacobiTest::reachesDirectSolution()
{
    QFETCH(int, sides);
    Random random(7);
    const std::array<std::array<SideKind, 6>, 3> kinds{allDirichlet, mixed, allNeumann};
    const std::vector<std::array<std::size_t, 3>> sizes{{1, 1, 1},   {7, 1, 1}, {65, 65, 1},
                                                        {33, 20, 1}, {2, 3, 4}, {13, 11, 9}};
    for (const auto &size : sizes) {
        if (isSanitized && size[0] > 30)
            continue;
        const int dimension = size[2] == 1 ? 2 : 3;
        const auto problem =
            randomProblem(random, dimension, size, kinds[static_cast<std::size_t>(sides)]);
        const auto expected = directSolution(problem);
        for (const auto &method : tested({"naive", "tuned", "temporal"})) {
            if (dimension == 3 && method == "temporal")
                continue;
            // The slowest error shrinks by cos(pi / 4 / 65) or so per iteration.
            const auto stepper = makePoisson(problem, with(method));
            stepper->advance(size[0] * size[0] * (sides == 1 ? 45 : 16) + 400);
            GRIDHELM_COMPARE_CLOSE(valuesOf(*stepper), expected,
                                   1e-10 * std::max(1.0, largestMagnitude(expected)),
                                   gridhelm::test::describe(problem));
        }
    }
}

void JacobiTest::floatReachesSolution()
{
    const auto problem = eigenfunctionProblem(2, {31, 31, 1}, dirichlet, {1, 1, 0});
    for (const auto &method : tested({"naive", "tuned", "temporal", "async0", "async3"})) {
        const auto stepper = makePoisson(problem, with(method, Precision::float32, 2));
        stepper->advance(8'000);
        QVERIFY2(stepper->report().error < 1e-4, stepper->method().data());
    }
}

void JacobiTest::liveParametersMoveTheSolution()
{
    PoissonProblem problem;
    problem.unknowns = {21, 17, 1};
    problem.spacing = 0.05;
    problem.sides[2].kind = neumann;
    problem.source = SpikeSource{};
    auto changed = problem;
    changed.source = SpikeSource{-2, {0.2, 0.9, 0.5}};
    changed.sides[1].value = 3;
    changed.sides[2].value = -1;
    const auto expected = directSolution(changed);
    for (const auto &method : tested({"naive", "tuned", "temporal", "async1", "async3"})) {
        const auto stepper = makePoisson(problem, with(method));
        stepper->advance(101);
        stepper->setLiveParameter("source strength", -2);
        stepper->setLiveParameter("source x", 0.2);
        stepper->setLiveParameter("source y", 0.9);
        stepper->setLiveParameter("boundary x high", 3);
        stepper->setLiveParameter("boundary y low", -1);
        GRIDHELM_EXPECT_ERROR(stepper->setLiveParameter("source x", 2));
        GRIDHELM_EXPECT_ERROR(stepper->setLiveParameter("relaxation", 1));
        QCOMPARE(stepper->liveParameters().front().value, 0.2);
        stepper->advance(10'000);
        QCOMPARE(stepper->report().iterations, std::uint64_t{10'101});
        GRIDHELM_COMPARE_CLOSE(valuesOf(*stepper), expected, 1e-10, method);
    }
}

void JacobiTest::stopTokenStops()
{
    PoissonProblem problem;
    problem.unknowns = {9, 9, 1};
    for (auto method : {"tuned", "temporal", "async2"}) {
        const auto stepper = makePoisson(problem, with(method));
        std::stop_source stop;
        stepper->advance(3, stop.get_token());
        stop.request_stop();
        stepper->advance(1'000'000'000'000, stop.get_token());
        QCOMPARE(stepper->report().iterations, std::uint64_t{3});
    }
}

void JacobiTest::startAtSolutionHasNoResidual()
{
    PoissonProblem problem;
    problem.unknowns = {5, 5, 1};
    const auto stepper = makePoisson(problem, with("tuned"));
    QCOMPARE(stepper->report().residual, 0.0);
    stepper->setLiveParameter("boundary x low", 1);
    QCOMPARE(stepper->report().residual, 1.0);
    stepper->advance(100);
    QVERIFY(stepper->report().residual < 1e-4);
}

void JacobiTest::reportCountsWork()
{
    PoissonProblem problem;
    problem.unknowns = {10, 7, 1};
    auto stepper = makePoisson(problem, with("tuned", Precision::float32));
    stepper->advance(3);
    QCOMPARE(stepper->report().flops, 5.0 * 3 * 70);
    QCOMPARE(stepper->report().bytes, 8.0 * 3 * 70);
    QVERIFY(std::isnan(stepper->report().error));
    QVERIFY(stepper->report().seconds > 0);
    problem.source = GridSource(70, 1.0);
    stepper = makePoisson(problem, with("tuned", Precision::float64));
    stepper->advance(1);
    QCOMPARE(stepper->report().bytes, 24.0 * 70);
    QCOMPARE(stepper->method(), std::string_view("tuned"));
}

void JacobiTest::badOptionsAreErrors()
{
    PoissonProblem problem;
    const auto expectError = [&](const char *method, auto spoil) {
        auto bad = with(method);
        spoil(bad);
        GRIDHELM_EXPECT_ERROR(makePoisson(problem, bad));
    };
    const auto expectBad = [&](const char *method, const Option &option, OptionValue value) {
        expectError(method, [&](auto &settings) { settings.set(option, value); });
    };
    expectError("async2", [](auto &settings) { settings.threads = 0; });
    for (std::int64_t alpha : {0, 3, 100'000})
        expectBad("async2", jacobi::alphaOption, alpha);
    expectBad("async2", jacobi::alphaOption, std::string("6"));
    expectBad("async2", jacobi::tileOption, std::vector<std::size_t>{4, 4, 4});
    for (std::int64_t depth : {-1, 1000}) {
        expectBad("async2", jacobi::depthOption, depth);
        expectBad("temporal", jacobi::depthOption, depth);
    }
    expectBad("async2", jacobi::depthOption, std::int64_t{4});
    problem.dimension = 3;
    expectError("async2", [](auto &) {});
    expectError("temporal", [](auto &) {});
    problem.unknowns[1] = 0;
    expectError("tuned", [](auto &) {});
    for (const auto *method : {"naive", "temporal", "async3"})
        QCOMPARE(poissonMethod(method).name, std::string_view(method));
    GRIDHELM_EXPECT_ERROR(poissonMethod("multigrid"));
}

GRIDHELM_TEST(JacobiTest)
#include "tst_jacobi.moc"
