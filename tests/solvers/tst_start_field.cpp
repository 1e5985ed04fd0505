// SPDX-License-Identifier: GPL-3.0-or-later
//
// Warm starts: fields of any resolution are brought to the unknowns, all methods begin with them,
// and what is left to do is measured as for a cold start.
#include "core/execution/team.h"
#include "core/solvers/cold_residual.h"
#include "core/solvers/field_pieces.h"
#include "core/solvers/poisson/methods.h"
#include "core/solvers/poisson/poisson_stepper.h"
#include "core/solvers/poisson_reference.h"
#include "core/solvers/setup/pmm_setup.h"
#include "core/solvers/setup/poisson_setup.h"
#include "core/solvers/start_field.h"
#include "tests/core/expect_error.h"
#include "tests/core/field_values.h"
#include "tests/core/on_cpu.h"
#include "tests/solvers/jacobi_cases.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <limits>

using namespace gridhelm;
using namespace gridhelm::solvers;
using namespace gridhelm::test;

namespace {

/// Of a problem whose sides y and z have no flux: u = 2 + 3 x, which linear interpolation
/// reproduces.
PoissonProblem risingProblem(int dimension, std::array<std::size_t, 3> unknowns, bool endsInFlux)
{
    PoissonProblem problem;
    problem.dimension = dimension;
    problem.unknowns = unknowns;
    problem.spacing = 1 / (static_cast<double>(unknowns[0]) + (endsInFlux ? 0.5 : 1));
    problem.sides.fill({neumann, 0});
    problem.sides[0] = {dirichlet, 2};
    problem.sides[1] = endsInFlux ? SideCondition{neumann, 3} : SideCondition{dirichlet, 5};
    return problem;
}

/// A function of the place at the unknowns of a problem.
template <typename Function>
StartField fieldOf(const PoissonProblem &problem, Function function)
{
    StartField field{"u.vti", {problem.unknowns, firstUnknown(problem), problem.spacing}, {}};
    const auto places = placesOf(problem);
    for (std::size_t i = 0; i < places.size(); i += 3)
        field.values.push_back(function(places[i], places[i + 1], places[i + 2]));
    return field;
}

double largestDistance(const std::vector<double> &a, const std::vector<double> &b)
{
    double largest = a.size() == b.size() ? 0 : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

/// -Laplace(u) = 1 on the unit square.
PoissonProblem warmedPlate(std::size_t n)
{
    PoissonProblem problem;
    problem.unknowns = {n, n, 1};
    problem.spacing = 1 / static_cast<double>(n + 1);
    problem.source = [](double, double, double) { return 1.0; };
    return problem;
}

} // namespace

class StartFieldTest : public QObject
{
    Q_OBJECT

private slots:
    void asManyPointsAreTakenAsTheyAre();
    void linearFieldsArriveExactly_data();
    void linearFieldsArriveExactly();
    void betweenPointsByHand();
    void sidesCountBeyondTheOutermostPoints();
    void timesOfFrontsAreInterpolated();
    void coldResidualIsLiteral();
    void allMethodsAreMeasuredFromCold();
    void theGuessItselfMeasuresOtherwise();
    void aCoarseSolutionSavesIterations();
    void unusableFieldsAreRefused();
    void filesAreReadByTheSetups();
    void radiusIsThatOfTheSpot();

private:
    std::string path(const char *name) const { return m_folder.filePath(name).toStdString(); }

    QTemporaryDir m_folder;
};

void StartFieldTest::asManyPointsAreTakenAsTheyAre()
{
    Random random(1);
    const auto problem = randomProblem(random, 2, {7, 4, 1}, mixed);
    StartField field{"u.vti", {{7, 4, 1}, {5, 5, 5}, 77}, randomValues<double>(random, 28)};
    QVERIFY(startingValues(problem, field) == field.values);
}

void StartFieldTest::linearFieldsArriveExactly_data()
{
    QTest::addColumn<int>("dimension");
    QTest::addColumn<bool>("endsInFlux");
    QTest::newRow("2D") << 2 << false;
    QTest::newRow("2D, a flux") << 2 << true;
    QTest::newRow("3D") << 3 << false;
    QTest::newRow("3D, a flux") << 3 << true;
}

void StartFieldTest::linearFieldsArriveExactly()
{
    QFETCH(int, dimension);
    QFETCH(bool, endsInFlux);
    const auto rising = [](double x, double, double) { return 2 + 3 * x; };
    using Size = std::array<std::size_t, 2>; // the first field covers the second one's box
    const auto sized = [&](const Size &n) {
        return risingProblem(dimension, {n[0], n[1], dimension == 3 ? n[1] : 1}, endsInFlux);
    };
    for (const auto &[from, to] :
         {std::pair<Size, Size>{{5, 4}, {16, 11}}, {{16, 12}, {5, 3}}, {{1, 2}, {9, 5}}}) {
        const auto coarse = sized(from), fine = sized(to);
        const auto values = startingValues(fine, fieldOf(coarse, rising));
        QVERIFY(largestDistance(values, fieldOf(fine, rising).values) < 1e-12);
    }
}

void StartFieldTest::betweenPointsByHand()
{
    PoissonProblem problem; // unknowns at 1, 2 by 1
    problem.unknowns = {2, 1, 1};
    const StartField field{
        "u.vti", {{3, 2, 1}, {0.5, 0.25, 0}, 1}, {10, 20, 40, /* y = 1.25: */ 110, 220, 440}};
    // x = 1: half of both; y = 1: a quarter of the lower row, three of the upper one.
    QVERIFY(largestDistance(startingValues(problem, field),
                            {15 * 0.25 + 165 * 0.75, 30 * 0.25 + 330 * 0.75})
            < 1e-12);
}

void StartFieldTest::sidesCountBeyondTheOutermostPoints()
{
    // One unknown in the middle of a unit square with the value 8; sides 0, 2, 4, 6.
    auto problem = warmedPlate(3); // unknowns at 1/4, 1/2, 3/4
    for (std::size_t side = 0; side < 4; ++side)
        problem.sides[side].value = 2.0 * static_cast<double>(side);
    const StartField middle{"u.vti", {{1, 1, 1}, {0.5, 0.5, 0}, 0.5}, {8}};
    const auto values = startingValues(problem, middle);
    QCOMPARE(values[4], 8.0);
    QCOMPARE(values[3], (0 + 8) / 2.0); // beside x low
    QCOMPARE(values[5], (2 + 8) / 2.0);
    QCOMPARE(values[1], (4 + 8) / 2.0);
    QCOMPARE(values[7], (6 + 8) / 2.0);
    QCOMPARE(values[0], (8 + 0 + 4 + (0 + 4) / 2.0) / 4); // the corner is the mean of its sides
}

void StartFieldTest::timesOfFrontsAreInterpolated()
{
    PmmProblem problem;
    problem.nodes = {5, 5, 5};
    problem.spacing = 0.25;
    problem.origin = {1, 0, 0};
    constexpr double never = std::numeric_limits<double>::infinity();
    StartField field{"t.vti", {{3, 3, 3}, {1, 0, 0}, 0.5}, std::vector<double>(27)};
    for (std::size_t i = 0; i < 27; ++i) {
        const auto column = i % 3, plane = i / 9;
        field.values[i] = static_cast<double>(column + 10 * plane);
    }
    field.values[0] = never;
    const auto times = startingTimes(problem, field);
    QCOMPARE(times[0], never);
    QCOMPARE(times[1], never); // a half of it
    QCOMPARE(times[2], 1.0);
    QCOMPARE(times[3], 1.5);
    QCOMPARE(times[124], 22.0);
    field.grid.origin[0] = 0;
    GRIDHELM_EXPECT_ERROR(startingTimes(problem, field));
}

void StartFieldTest::coldResidualIsLiteral()
{
    Random random(2);
    for (const auto &kinds : {allDirichlet, mixed, allNeumann}) {
        for (int dimension : {2, 3}) {
            for (int source : {0, 1, 2}) {
                const auto problem = iterationProblem(
                    random, dimension, {6, 5, dimension == 3 ? std::size_t{4} : 1}, kinds, source);
                const double expected = reference::residualNorm(
                    problem, sampleSource(problem), std::vector<double>(problem.count()));
                const double actual =
                    scaledColdResidual(problem) / (problem.spacing * problem.spacing);
                QVERIFY2(std::abs(actual - expected) <= 1e-12 * expected,
                         gridhelm::test::describe(problem).c_str());
            }
        }
    }
}

void StartFieldTest::allMethodsAreMeasuredFromCold()
{
    Random random(3);
    for (const auto *family : poissonFamilies()) {
        for (const auto *method : methodsOf(*family)) {
            for (int dimension : {2, 3}) {
                if (dimension == 3 && !method->solves3D)
                    continue;
                const std::array<std::size_t, 3> n{30, 40, dimension == 3 ? std::size_t{9} : 1};
                auto problem = iterationProblem(random, dimension, n, mixed, 0);
                problem.isMeasuredFromCold = true;
                const auto f = sampleSource(problem);
                const double cold =
                    reference::residualNorm(problem, f, std::vector<double>(problem.count()));
                const double expected =
                    reference::residualNorm(problem, f, *problem.initialGuess) / cold;
                const std::string name(method->name);
                const auto one = makePoissonStepper(problem, {name}, onCpu(2));
                QVERIFY2(std::abs(one->report().residual / expected - 1) < 1e-12, name.c_str());
                QVERIFY2(valuesOf(*one) == *problem.initialGuess, name.c_str());

                problem.initialGuess = gridhelm::test::directSolution(problem);
                const auto solved = makePoissonStepper(problem, {name}, onCpu());
                QVERIFY2(solved->report().residual < 1e-12, name.c_str());
                solved->advance(12);
                QVERIFY2(largestDistance(valuesOf(*solved), *problem.initialGuess) < 1e-10,
                         name.c_str());
            }
        }
    }
}

void StartFieldTest::theGuessItselfMeasuresOtherwise()
{
    Random random(4);
    auto problem = iterationProblem(random, 2, {9, 8, 1}, allDirichlet, 0);
    QCOMPARE(makePoissonStepper(problem, {"red-black"}, onCpu())->report().residual, 1.0);
    // Nothing to do for u = 0: there is no cold start to be measured against.
    problem.isMeasuredFromCold = true;
    problem.source = std::monostate();
    problem.sides.fill({dirichlet, 0});
    QCOMPARE(makePoissonStepper(problem, {"red-black"}, onCpu())->report().residual, 1.0);
}

void StartFieldTest::aCoarseSolutionSavesIterations()
{
    const auto coarse = warmedPlate(31);
    const auto stepper = makePoissonStepper(coarse, {"red-black"}, onCpu());
    stepper->advance(400);
    StartField field{
        "u.vti", {coarse.unknowns, firstUnknown(coarse), coarse.spacing}, valuesOf(*stepper)};
    auto warm = warmedPlate(63);
    warm.initialGuess = startingValues(warm, field);
    warm.isMeasuredFromCold = true;
    const auto iterations = [](const PoissonProblem &problem, const char *method) {
        const auto run = makePoissonStepper(problem, {method}, onCpu());
        while (run->report().residual > 1e-3 && run->report().iterations < 20000)
            run->advance(1);
        return run->report().iterations;
    };
    for (const char *method : {"tuned", "red-black", "mlssor"}) {
        const auto left = iterations(warm, method), cold = iterations(warmedPlate(63), method);
        QVERIFY2(cold < 20000 && left < cold, method);
    }
}

void StartFieldTest::unusableFieldsAreRefused()
{
    const auto flat = warmedPlate(9);
    auto box = flat;
    box.dimension = 3;
    box.unknowns[2] = 9;
    const auto field = [](std::array<std::size_t, 3> points, double origin, double spacing) {
        return StartField{"u.vti",
                          {points, {origin, origin, points[2] > 1 ? origin : 0}, spacing},
                          std::vector<double>(points[0] * points[1] * points[2], 1.0)};
    };
    QCOMPARE(startingValues(flat, field({4, 4, 1}, 0.2, 0.2)).size(), std::size_t(81));
    const auto isRefusedFor = [&](const PoissonProblem &problem, const StartField &start,
                                  const char *why) {
        return isRefused([&] { startingValues(problem, start); }, why);
    };
    QVERIFY(isRefusedFor(box, field({4, 4, 1}, 0.2, 0.2), "3 dimensions"));
    QVERIFY(isRefusedFor(flat, field({4, 4, 4}, 0.2, 0.2), "2 dimensions"));
    QVERIFY(isRefusedFor(flat, field({4, 4, 1}, 0.2, 0.1), "reaches from 0.2 to 0.5 in x"));
    QVERIFY(isRefusedFor(flat, field({4, 4, 1}, 3, 0.2), "reaches from 3"));
    auto bad = field({4, 4, 1}, 0.2, 0.2);
    bad.values[5] = std::nan("");
    QVERIFY(isRefusedFor(flat, bad, "at point 5"));
    auto huge = flat;
    huge.unknowns = {1'000'000'000, 1'000'000'000, 1};
    huge.spacing = 1e-9;
    GRIDHELM_EXPECT_ERROR(startingValues(huge, field({4, 4, 1}, 0.2, 0.2)));
    GRIDHELM_EXPECT_ERROR(placesOf(huge));
    huge.unknowns[0] = std::numeric_limits<std::size_t>::max();
    GRIDHELM_EXPECT_ERROR(placesOf(huge));
}

void StartFieldTest::filesAreReadByTheSetups()
{
    const std::vector<double> u(16, 1.5), v(16, 2.5);
    const std::vector<ImageArrayView> arrays{{"u", std::span<const double>(u)},
                                             {"v", std::span<const double>(v)}};
    writeVti(path("two.vti"), {{4, 4, 1}, {0.2, 0.2, 0}, 0.2}, arrays);
    PoissonSetup setup;
    setup.size = "4";
    QVERIFY(!poissonProblem(setup).isMeasuredFromCold);
    setup.start = path("two.vti");
    const auto first = poissonProblem(setup);
    QVERIFY(first.isMeasuredFromCold && first.initialGuess == u);
    setup.startArray = "v";
    QVERIFY(poissonProblem(setup).initialGuess == v);
    setup.size = "9";
    const auto finer = poissonProblem(setup).initialGuess.value();
    QCOMPARE(finer.size(), std::size_t(81));
    QCOMPARE(finer[40], 2.5);
    setup.startArray = "w";
    QVERIFY(isRefused([&] { poissonProblem(setup); }, "no field \"w\": it has u, v"));
    setup.start = path("none.vti");
    GRIDHELM_EXPECT_ERROR(poissonProblem(setup));
    setup.startAt = [](std::span<const double> places) {
        return std::vector<double>(places.size() / 3, 7.0);
    };
    QVERIFY(poissonProblem(setup).initialGuess == std::vector<double>(81, 7.0));

    const std::vector<double> times(27, 0.5);
    const std::vector<ImageArrayView> time{{"arrival time", std::span<const double>(times)}};
    writeVti(path("times.vti"), {{3, 3, 3}, {0, 0, 0}, 0.5}, time);
    PmmSetup front;
    front.nodes = "5";
    front.points = {"0.5,0.5,0.5"};
    front.start = path("times.vti");
    QVERIFY(pmmProblem(front).initialGuess == std::vector<double>(125, 0.5));
}

void StartFieldTest::radiusIsThatOfTheSpot()
{
    PoissonSetup setup;
    setup.size = "9";
    setup.source = {"gaussian", {}};
    const auto valueAt = [&](double x) {
        return std::get<FunctionSource>(poissonProblem(setup).source)(x, 0.5, 0);
    };
    QVERIFY(std::abs(valueAt(0.55) - std::exp(-0.5)) < 1e-12);
    setup.radius = "0.1";
    QVERIFY(std::abs(valueAt(0.6) - std::exp(-0.5)) < 1e-12);
    setup.radius = "0";
    GRIDHELM_EXPECT_ERROR(poissonProblem(setup));
    setup.radius = "0.1";
    setup.source.name = "spike";
    QVERIFY(isRefused([&] { poissonProblem(setup); }, "--radius is for the source gaussian"));
}

GRIDHELM_TEST(StartFieldTest)
#include "tst_start_field.moc"
