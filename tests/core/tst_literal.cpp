// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cases worked out by hand. They pin the arithmetic that the back ends share with the literal
// reference, where a mistake would hide from all comparisons between them.
#include "core/sparse/reference/literal.h"

#include "core/sparse/basis.h"
#include "tests/core/backends.h"
#include "tests/core/closeness.h"
#include "tests/core/definition.h"
#include "tests/core/random_grids.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <vector>

using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

using enum BoundaryTreatment;

double valueOf(BoundaryTreatment treatment, int level, double x)
{
    return basisValue(treatment, level, cellOf(level, x));
}

double slopeOf(BoundaryTreatment treatment, int level, double x)
{
    return basisDerivative(treatment, level, cellOf(level, x));
}

} // namespace

class LiteralTest : public QObject
{
    Q_OBJECT

private slots:
    void cellsAreHalfOpenExceptTheLast();
    void hatsOfZeroAndBoundary();
    void modifiedFunctionsExtrapolate();
    void endPointFunctions();
    void slopesAreToTheRightAndAtOneToTheLeft();
    void basisAgreesWithItsDefinition();

    void oneDimensionalCoefficients_data();
    void oneDimensionalCoefficients();
    void productOfFunctionsHasProductsOfCoefficients_data()
    {
        addBackendAndTypeRows(Backends::all);
    }
    void productOfFunctionsHasProductsOfCoefficients();
    void bilinearFunctionAndABump_data() { addBackendAndTypeRows(Backends::all); }
    void bilinearFunctionAndABump();
    void indicatorIsTheLastGroupOnly_data() { addBackendAndTypeRows(Backends::all); }
    void indicatorIsTheLastGroupOnly();
    void gradientOfOneProduct_data() { addBackendAndTypeRows(Backends::all); }
    void gradientOfOneProduct();
    void referenceIsTheSumOfAllFunctions();
};

void LiteralTest::cellsAreHalfOpenExceptTheLast()
{
    const auto check = [](int level, double x, std::uint32_t position, double fraction) {
        const auto cell = cellOf(level, x);
        QCOMPARE(cell.position, position);
        QCOMPARE(cell.fraction, fraction);
    };
    check(0, 0.0, 0, 0.0);
    check(0, 0.75, 0, 0.75);
    check(0, 1.0, 0, 1.0);
    check(1, 0.5, 1, 0.0);
    check(2, 0.3125, 1, 0.25);
    check(2, 1.0, 3, 1.0);
    check(29, 1.0, (1U << 29) - 1, 1.0);
    QCOMPARE(cellOf(2, 0.3125F).position, 1U);
    QCOMPARE(cellOf(29, 1.0F).position, (1U << 29) - 1);
    QCOMPARE(cellOf(29, 1.0F).fraction, 1.0F);
}

void LiteralTest::hatsOfZeroAndBoundary()
{
    for (auto treatment : {zero, boundary}) {
        QCOMPARE(valueOf(treatment, 0, 0.0), 0.0);
        QCOMPARE(valueOf(treatment, 0, 0.125), 0.25);
        QCOMPARE(valueOf(treatment, 0, 0.5), 1.0);
        QCOMPARE(valueOf(treatment, 0, 0.875), 0.25);
        QCOMPARE(valueOf(treatment, 0, 1.0), 0.0);
        QCOMPARE(valueOf(treatment, 1, 0.125), 0.5);
        QCOMPARE(valueOf(treatment, 1, 0.25), 1.0);
        QCOMPARE(valueOf(treatment, 1, 0.5), 0.0);
        QCOMPARE(valueOf(treatment, 1, 0.75), 1.0);
        QCOMPARE(valueOf(treatment, 1, 1.0), 0.0);
        QCOMPARE(valueOf(treatment, 2, 0.0), 0.0);
        QCOMPARE(valueOf(treatment, 2, 0.4375), 0.5);
    }
}

void LiteralTest::modifiedFunctionsExtrapolate()
{
    for (double x : {0.0, 0.3, 0.5, 1.0})
        QCOMPARE(valueOf(modified, 0, x), 1.0);
    QCOMPARE(valueOf(modified, 1, 0.0), 2.0);
    QCOMPARE(valueOf(modified, 1, 0.25), 1.0);
    QCOMPARE(valueOf(modified, 1, 0.5), 0.0);
    QCOMPARE(valueOf(modified, 1, 0.75), 1.0);
    QCOMPARE(valueOf(modified, 1, 1.0), 2.0);
    QCOMPARE(valueOf(modified, 2, 0.0), 2.0);
    QCOMPARE(valueOf(modified, 2, 0.125), 1.0);
    QCOMPARE(valueOf(modified, 2, 0.25), 0.0);
    QCOMPARE(valueOf(modified, 2, 0.375), 1.0); // a hat
    QCOMPARE(valueOf(modified, 2, 0.4375), 0.5);
    QCOMPARE(valueOf(modified, 2, 0.875), 1.0);
    QCOMPARE(valueOf(modified, 2, 1.0), 2.0);
}

void LiteralTest::endPointFunctions()
{
    QCOMPARE(endPointValue(0, 0.25), 0.75);
    QCOMPARE(endPointValue(1, 0.25), 0.25);
    QCOMPARE(endPointValue(0, 0.0), 1.0);
    QCOMPARE(endPointValue(1, 1.0), 1.0);
}

void LiteralTest::slopesAreToTheRightAndAtOneToTheLeft()
{
    for (auto treatment : {zero, boundary}) {
        QCOMPARE(slopeOf(treatment, 0, 0.0), 2.0);
        QCOMPARE(slopeOf(treatment, 0, 0.25), 2.0);
        QCOMPARE(slopeOf(treatment, 0, 0.5), -2.0);
        QCOMPARE(slopeOf(treatment, 0, 1.0), -2.0);
        QCOMPARE(slopeOf(treatment, 1, 0.25), -4.0);
        QCOMPARE(slopeOf(treatment, 1, 0.5), 4.0); // the next function begins here
        QCOMPARE(slopeOf(treatment, 1, 1.0), -4.0);
    }
    QCOMPARE(slopeOf(modified, 0, 0.3), 0.0);
    QCOMPARE(slopeOf(modified, 1, 0.0), -4.0);
    QCOMPARE(slopeOf(modified, 1, 0.5), 4.0);
    QCOMPARE(slopeOf(modified, 1, 1.0), 4.0);
    QCOMPARE(slopeOf(modified, 2, 0.125), -8.0); // no kink in the middle
    QCOMPARE(slopeOf(modified, 2, 0.25), 8.0);
    QCOMPARE(slopeOf(modified, 2, 0.375), -8.0);
    QCOMPARE(slopeOf(modified, 2, 0.75), 8.0);
}

void LiteralTest::basisAgreesWithItsDefinition()
{
    for (auto treatment : treatmentsWithCells()) {
        for (int level = 0; level <= 4; ++level) {
            for (int step = 0; step <= 256; ++step) {
                const double x = step / 256.0;
                const auto cell = cellOf(level, x);
                // Exact: all numbers are multiples of 2^-8.
                QCOMPARE(basisValue(treatment, level, cell),
                         basisFunction(treatment, level, cell.position, x));
                QCOMPARE(basisDerivative(treatment, level, cell),
                         basisSlope(treatment, level, cell.position, x));
                for (std::uint32_t other = 0; other < 1U << level; ++other) {
                    if (other != cell.position)
                        QCOMPARE(basisFunction(treatment, level, other, x), 0.0);
                }
            }
        }
    }
}

void LiteralTest::oneDimensionalCoefficients_data()
{
    QTest::addColumn<int>("treatment");
    QTest::addColumn<int>("level");
    QTest::addColumn<QList<double>>("values"); // in storage order
    QTest::addColumn<QList<double>>("coefficients");

    // At 1/2; 1/4, 3/4; 1/8, 3/8, 5/8, 7/8.
    QTest::newRow("zero") << int(zero) << 3 << QList<double>{8, 5, 7, 3, 4, 9, 2}
                          << QList<double>{8, 1, 3, 0.5, -2.5, 1.5, -1.5};
    QTest::newRow("modified") << int(modified) << 3 << QList<double>{8, 5, 7, 3, 4, 9, 2}
                              << QList<double>{8, -3, -1, -0.5, -2.5, 1.5, -4.5};
    // At 0, 1; 1/2; 1/4, 3/4.
    QTest::newRow("boundary") << int(boundary) << 2 << QList<double>{1, 3, 4, 2, 10}
                              << QList<double>{1, 3, 2, -0.5, 6.5};
    // At 1/16 and 15/16 the relatives are the outermost points of levels 2 and 1.
    QTest::newRow("modified, level 4")
        << int(modified) << 4 << QList<double>{8, 5, 7, 3, 4, 9, 2, 0, 0, 0, 0, 0, 0, 0, 0}
        << QList<double>{8, -3, -1, -0.5, -2.5, 1.5, -4.5, -2, -4, -4.5, -6, -8.5, -8, -4.5, 0.5};
}

void LiteralTest::oneDimensionalCoefficients()
{
    QFETCH(int, treatment);
    QFETCH(int, level);
    QFETCH(QList<double>, values);
    QFETCH(QList<double>, coefficients);
    const SparseGrid grid(GridShape(1, level, static_cast<BoundaryTreatment>(treatment)));
    QCOMPARE(grid.points(), static_cast<std::uint64_t>(values.size()));
    for (const char *name : {"reference", "omp, 1 thread", "omp, 2 threads"}) {
        const auto backend = makeBackend(name);
        const std::vector<double> given(values.begin(), values.end());
        auto result = given;
        backend->hierarchize(grid, std::span(result));
        QCOMPARE(QList<double>(result.begin(), result.end()), coefficients);
        backend->dehierarchize(grid, std::span(result));
        QCOMPARE(result, given);
    }
}

void LiteralTest::productOfFunctionsHasProductsOfCoefficients()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        // f(x, y) = g(x) h(y), y with end points; coefficients of g and h by hand.
        const SparseGrid grid(GridShape(2, 2, {}, {modified, boundary}));
        const auto g = [](double x) { return x == 0.5 ? 8.0 : x == 0.25 ? 5.0 : 7.0; };
        const auto h = [](double y) {
            return y == 0 ? 1.0 : y == 1 ? 3.0 : y == 0.5 ? 4.0 : y == 0.25 ? 2.0 : 10.0;
        };
        const auto gCoefficient = [](double x) { return x == 0.5 ? 8.0 : x == 0.25 ? -3.0 : -1.0; };
        const auto hCoefficient = [](double y) {
            return y == 0 ? 1.0 : y == 1 ? 3.0 : y == 0.5 ? 2.0 : y == 0.25 ? -0.5 : 6.5;
        };
        std::vector<T> values(grid.points()), expected(grid.points());
        std::array<double, 2> x{};
        for (std::uint64_t j = 0; j < grid.points(); ++j) {
            grid.coordinates(j, x);
            values[j] = static_cast<T>(g(x[0]) * h(x[1]));
            expected[j] = static_cast<T>(gCoefficient(x[0]) * hCoefficient(x[1]));
        }
        const auto given = values;
        backend.hierarchize(grid, std::span(values));
        QCOMPARE(values, expected); // exact in binary
        backend.dehierarchize(grid, std::span(values));
        QCOMPARE(values, given);
    });
}

void LiteralTest::bilinearFunctionAndABump()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        // Corners (0,0), (0,1), (1,0), (1,1); edges y = 0, 1 and x = 0, 1; the middle.
        const auto grid = makeGrid(GridShape(2, 1, boundary));
        const std::vector<T> coefficients{1, 2, 3, 4, 0, 0, 0, 0, 16};
        const auto evaluator = backend.load(grid, coefficients);
        const std::vector<T> points{0, 0, 0, 1, 1, 0, 1, 1, T(0.5), T(0.5), T(0.25), T(0.75)};
        std::vector<T> values(6);
        evaluator->interpolate(viewOf(points, *grid), {values});
        // 1 + 2 x + y, and 16 hat(x) hat(y).
        const std::vector<T> expected{1, 2, 3, 4, T(2.5) + 16, T(2.25) + 4};
        QCOMPARE(values, expected);
    });
}

void LiteralTest::indicatorIsTheLastGroupOnly()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        const auto grid = makeGrid(GridShape(1, 3, zero));
        const std::vector<T> coefficients{8, 1, 3, T(0.5), T(-2.5), T(1.5), T(-1.5)};
        const auto evaluator = backend.load(grid, coefficients);
        const std::vector<T> points{T(0.5), T(0.375), T(0.3125), T(0.875), 1};
        std::vector<T> values(5), indicator(5);
        evaluator->interpolate(viewOf(points, *grid), {values, indicator});
        // At 5/16: 8 * 5/8 + 1 * 3/4 - 2.5 / 2.
        QCOMPARE(values, (std::vector<T>{8, 4, T(4.5), 2, 0}));
        QCOMPARE(indicator, (std::vector<T>{0, T(2.5), T(1.25), T(1.5), 0}));
    });
}

void LiteralTest::gradientOfOneProduct()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        // u = 3 hat(x) m(y), hat of level 0, m the two modified functions of level 1.
        const auto grid = makeGrid(GridShape(2, 2, {1, 2}, {zero, modified}));
        QCOMPARE(grid->points(), std::uint64_t{3});
        const auto evaluator = backend.load(grid, std::vector<T>{0, 3, 3});
        const std::vector<T> points{T(0.25), T(0.125), T(0.5), T(0.5), 1, 1, 0, T(0.75)};
        std::vector<T> values(4), gradients(8);
        evaluator->gradient(viewOf(points, *grid), values, gradients);
        QCOMPARE(values, (std::vector<T>{T(2.25), 0, 0, 0}));
        // hat' m, hat m': at (1/4, 1/8): 2 * 3/2, 1/2 * -4; in the middle to the right: -2 * 0,
        // 1 * 4; at (1, 1) to the left: -2 * 2, 0 * 4; at (0, 3/4): 2 * 1, 0 * 4.
        QCOMPARE(gradients, (std::vector<T>{9, -6, 0, 12, -12, 0, 6, 0}));
    });
}

void LiteralTest::referenceIsTheSumOfAllFunctions()
{
    Random random(1);
    for (int i = 0; i < 150; ++i) {
        const auto grid = randomGrid(random, 6, 800);
        const auto coefficients = randomValues<double>(random, grid->points());
        const auto points = randomPoints<double>(random, *grid, 20);
        const auto view = viewOf(points, *grid);
        const auto d = static_cast<std::size_t>(grid->dimension());
        for (std::size_t j = 0; j < view.count(); ++j) {
            const auto expected =
                sumOfAllFunctions<double>(*grid, coefficients, view.point(j), true);
            const auto result = reference::interpolate<double>(*grid, coefficients, view.point(j));
            const auto close = [&](double value, const Sum &sum) {
                return std::abs(value - sum.value)
                       <= interpolationTolerance<double>(*grid, std::max(sum.magnitude, 1.0));
            };
            QVERIFY2(close(result.value, expected.value), describe(*grid).c_str());
            QVERIFY2(close(result.lastGroup, expected.lastGroup), describe(*grid).c_str());
            std::vector<double> gradient(d);
            reference::gradient<double>(*grid, coefficients, view.point(j), gradient);
            for (std::size_t t = 0; t < d; ++t)
                QVERIFY2(close(gradient[t], expected.gradient[t]), describe(*grid).c_str());
        }
    }
}

GRIDHELM_TEST(LiteralTest)
#include "tst_literal.moc"
