// SPDX-License-Identifier: GPL-3.0-or-later
//
// Both pressure solvers against the stencil written out, and against each other.
#include "core/simulations/cavity/pressure_solver.h"

#include "core/support/error.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/core/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::simulations;
using namespace gridhelm::test;

namespace {

std::vector<double> balancedRandom(std::size_t count, std::uint64_t seed)
{
    Random random(seed);
    std::vector<double> values(count);
    for (double &value : values)
        value = random.real(-1, 1);
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    for (double &value : values)
        value -= mean;
    return values;
}

std::vector<double> solved(PressureSolver &solver, const std::vector<double> &f)
{
    std::copy(f.begin(), f.end(), solver.values().begin());
    solver.solve();
    return {solver.values().begin(), solver.values().end()};
}

/// Laplace(p): a neighbour beyond a wall equals the cell.
std::vector<double> laplacian(int dimension, std::size_t n, const std::vector<double> &p)
{
    std::vector<double> result(p.size());
    for (std::size_t cell = 0; cell < p.size(); ++cell) {
        std::size_t stride = 1;
        for (int axis = 0; axis < dimension; ++axis, stride *= n) {
            const auto at = cell / stride % n;
            if (at > 0)
                result[cell] += p[cell - stride] - p[cell];
            if (at + 1 < n)
                result[cell] += p[cell + stride] - p[cell];
        }
        result[cell] *= static_cast<double>(n * n);
    }
    return result;
}

double largestDifference(const std::vector<double> &a, const std::vector<double> &b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

} // namespace

class TestPressureSolver : public QObject
{
    Q_OBJECT

private slots:
    void cosineSolverInvertsTheStencil_data();
    void cosineSolverInvertsTheStencil();
    void sorFindsTheSamePressure();
    void nothingGivesNothing();
    void sorRefusesThreeDimensions();
};

void TestPressureSolver::cosineSolverInvertsTheStencil_data()
{
    QTest::addColumn<int>("dimension");
    QTest::addColumn<int>("cells");
    for (int cells : {2, 3, 7, 8, 16, 31, 64})
        QTest::addRow("2D, %d cells", cells) << 2 << cells;
    for (int cells : {2, 3, 8, 13, 16})
        QTest::addRow("3D, %d cells", cells) << 3 << cells;
}

void TestPressureSolver::cosineSolverInvertsTheStencil()
{
    QFETCH(int, dimension);
    QFETCH(int, cells);
    const auto n = static_cast<std::size_t>(cells);
    const auto solver = makePressureSolver(PressureMethod::cosine, dimension, n, test::onCpu());
    const auto f = balancedRandom(solver->values().size(), 1);
    // Twice: a solver is used again and again.
    for (int repeat = 0; repeat < 2; ++repeat) {
        const auto p = solved(*solver, f);
        QVERIFY(largestDifference(laplacian(dimension, n, p), f) < 1e-11);
        QVERIFY(std::abs(std::accumulate(p.begin(), p.end(), 0.0)) < 1e-12);
    }
}

void TestPressureSolver::sorFindsTheSamePressure()
{
    for (std::size_t n : {8U, 17U, 32U}) {
        const auto f = balancedRandom(n * n, 2);
        const auto direct =
            solved(*makePressureSolver(PressureMethod::cosine, 2, n, test::onCpu()), f);
        const auto iterated =
            solved(*makePressureSolver(PressureMethod::sor, 2, n, test::onCpu()), f);
        const double range = std::abs(*std::max_element(direct.begin(), direct.end()));
        QVERIFY(largestDifference(direct, iterated) < 1e-8 * range);
    }
}

void TestPressureSolver::nothingGivesNothing()
{
    for (auto method : {PressureMethod::cosine, PressureMethod::sor}) {
        const auto p =
            solved(*makePressureSolver(method, 2, 8, test::onCpu()), std::vector<double>(64));
        QVERIFY(std::all_of(p.begin(), p.end(), [](double value) { return value == 0; }));
    }
}

void TestPressureSolver::sorRefusesThreeDimensions()
{
    GRIDHELM_EXPECT_ERROR(makePressureSolver(PressureMethod::sor, 3, 8, test::onCpu()));
}

GRIDHELM_TEST(TestPressureSolver)
#include "tst_pressure_solver.moc"
