// SPDX-License-Identifier: GPL-3.0-or-later
//
// The discrete Poisson problem itself: what is accepted, what f is, the literal residual and sweep.
#include "core/solvers/padded_residual.h"
#include "core/solvers/poisson_parameters.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/poisson_reference.h"
#include "tests/core/expect_error.h"
#include "tests/solvers/poisson_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

using namespace gridhelm;
using namespace gridhelm::solvers;
using namespace gridhelm::test;

namespace {

constexpr auto dirichlet = SideKind::dirichlet;
constexpr auto neumann = SideKind::neumann;

double largestOf(const std::vector<double> &values)
{
    double largest = 0;
    for (double value : values)
        largest = std::max(largest, std::abs(value));
    return largest;
}

} // namespace

class PoissonTest : public QObject
{
    Q_OBJECT

private slots:
    void badInputIsAnError();
    void allNeumannProblemMustBeBalanced();
    void spikeIsOneUnknownOfItsStrength();
    void eigenfunctionHasNoResidual();
    void directSolutionHasNoResidual();
    void sweepByHand();
    void paddedResidualMatchesLiteral();
    void parametersAreWhatMayChange();
};

void PoissonTest::badInputIsAnError()
{
    PoissonProblem good;
    good.unknowns = {3, 2, 1};
    requireSoluble(good, 8);
    const auto expectError = [&](auto spoil) {
        PoissonProblem bad = good;
        spoil(bad);
        GRIDHELM_EXPECT_ERROR(requireSoluble(bad, 8));
    };
    expectError([](auto &p) { p.dimension = 1; });
    expectError([](auto &p) { p.unknowns[0] = 0; });
    expectError([](auto &p) { p.unknowns[2] = 2; });
    expectError([](auto &p) { p.unknowns = {1'000'000'000, 1'000'000'000, 1}; });
    expectError([](auto &p) { p.unknowns[0] = std::numeric_limits<std::size_t>::max(); });
    expectError([](auto &p) { p.spacing = 0; });
    expectError([](auto &p) { p.spacing = std::nan(""); });
    expectError([](auto &p) { p.sides[1].value = std::nan(""); });
    expectError([](auto &p) { p.source = GridSource(5); });
    expectError([](auto &p) { p.source = GridSource(6, std::nan("")); });
    expectError([](auto &p) { p.source = FunctionSource(); });
    expectError([](auto &p) { p.source = [](double, double, double) { return 1 / 0.0; }; });
    expectError([](auto &p) { p.source = SpikeSource{1, {0.5, 1.5, 0.5}}; });
    expectError([](auto &p) { p.source = SpikeSource{std::nan(""), {0.5, 0.5, 0.5}}; });
    expectError([](auto &p) { p.initialGuess = std::vector<double>(7); });
}

void PoissonTest::allNeumannProblemMustBeBalanced()
{
    PoissonProblem problem;
    problem.unknowns = {4, 4, 1};
    problem.spacing = 0.5;
    problem.sides.fill({neumann, 0});
    requireSoluble(problem, 8);
    problem.source = SpikeSource{2, {0.5, 0.5, 0.5}};
    GRIDHELM_EXPECT_ERROR(requireSoluble(problem, 8));
    problem.sides[3].value = -1; // times a length of 2
    requireSoluble(problem, 8);
    problem.sides[0].kind = dirichlet;
    problem.sides[3].value = 5;
    requireSoluble(problem, 8);
}

void PoissonTest::spikeIsOneUnknownOfItsStrength()
{
    PoissonProblem problem;
    problem.unknowns = {5, 3, 1};
    problem.spacing = 0.25;
    problem.source = SpikeSource{};
    std::vector<double> expected(15);
    expected[7] = 16;
    QCOMPARE(sampleSource(problem), expected);
    QCOMPARE(unknownAt(problem, {0, 1, 0.5}), (std::array<std::size_t, 3>{0, 2, 0}));
}

void PoissonTest::eigenfunctionHasNoResidual()
{
    for (int dimension : {2, 3}) {
        for (auto kind : {dirichlet, neumann}) {
            const std::array<std::size_t, 3> n{9, 6, dimension == 3 ? std::size_t{5} : 1};
            const auto problem = eigenfunctionProblem(dimension, n, kind, {2, 1, 3});
            requireSoluble(problem, 8);
            auto exact = problem;
            exact.source = problem.knownSolution;
            const auto u = sampleSource(exact);
            QVERIFY(largestOf(u) > 0.5);
            const auto r = reference::residual(problem, sampleSource(problem), u);
            QVERIFY(largestOf(r) < 1e-10);
        }
    }
}

void PoissonTest::directSolutionHasNoResidual()
{
    Random random(3);
    const auto problem = randomProblem(
        random, 3, {4, 5, 6}, {dirichlet, neumann, neumann, dirichlet, dirichlet, neumann});
    const auto f = sampleSource(problem);
    QVERIFY(reference::residualNorm(problem, f, directSolution(problem)) < 1e-10);
}

void PoissonTest::sweepByHand()
{
    PoissonProblem problem;
    problem.unknowns = {2, 1, 1};
    problem.spacing = 0.5;
    problem.sides = {{{dirichlet, 1}, {neumann, 4}, {dirichlet, 2}, {dirichlet, 3}, {}, {}}};
    // Left: 1 + 20 + 2 + 3 + f / 4. Right: 10 + (20 + 2) + 2 + 3 + f / 4.
    const auto u =
        reference::jacobiSweep(problem, std::vector<double>{8, 12}, std::vector<double>{10, 20});
    QCOMPARE(u, (std::vector<double>{28.0 / 4, 40.0 / 4}));
}

void PoissonTest::paddedResidualMatchesLiteral()
{
    Random random(4);
    const auto problem = randomProblem(
        random, 3, {7, 5, 3}, {neumann, dirichlet, dirichlet, neumann, neumann, dirichlet});
    std::vector<double> values = randomValues<double>(random, problem.count());
    PaddedGrid<double> grid(problem.unknowns, 3, CpuDevice{1});
    grid.assign(std::span<const double>(values));
    setAllGhosts(grid, problem.sides, problem.spacing);
    const double norm =
        scaledResidualNorm(grid, scaledSource<double>(problem, wholeSlab(problem), CpuDevice{}),
                           CpuDevice{2})
        / (problem.spacing * problem.spacing);
    const double expected = reference::residualNorm(problem, sampleSource(problem), values);
    QVERIFY(std::abs(norm - expected) < 1e-12 * expected);
}

void PoissonTest::parametersAreWhatMayChange()
{
    PoissonProblem problem;
    problem.source = SpikeSource{};
    QCOMPARE(poissonParameters(problem).size(), std::size_t{2 + 1 + 4});
    setPoissonParameter(problem, "source y", 0.25);
    setPoissonParameter(problem, "boundary x high", -2);
    QCOMPARE(std::get<SpikeSource>(problem.source).position[1], 0.25);
    QCOMPARE(problem.sides[1].value, -2.0);
    GRIDHELM_EXPECT_ERROR(setPoissonParameter(problem, "source y", 1.25));
    GRIDHELM_EXPECT_ERROR(setPoissonParameter(problem, "source y", std::nan("")));
    GRIDHELM_EXPECT_ERROR(setPoissonParameter(problem, "source z", 0.5));
    QCOMPARE(std::get<SpikeSource>(problem.source).position[1], 0.25);
    problem.sides.fill({neumann, 0});
    QCOMPARE(poissonParameters(problem).size(), std::size_t{2});
}

GRIDHELM_TEST(PoissonTest)
#include "tst_poisson.moc"
