// SPDX-License-Identifier: GPL-3.0-or-later
//
// Gradients: the literal reference, finite differences inside a linear piece, and the conventions
// at kinks and at x = 1.
#include "core/sparse/backend.h"

#include "core/sparse/reference/literal.h"
#include "tests/core/backends.h"
#include "tests/core/closeness.h"
#include "tests/core/definition.h"
#include "tests/core/random_grids.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

/// The largest sum of magnitudes of the terms of any derivative at `points`.
template <typename T>
double gradientScale(const SparseGrid &grid, const std::vector<T> &coefficients,
                     const std::vector<T> &points)
{
    const auto view = viewOf(points, grid);
    double scale = 1;
    for (std::size_t j = 0; j < view.count(); ++j) {
        for (const auto &sum :
             sumOfAllFunctions<T>(grid, coefficients, view.point(j), true).gradient)
            scale = std::max(scale, sum.magnitude);
    }
    return scale;
}

template <typename T>
void checkAgainstReference(const Backend &backend, const GridPointer &grid, std::size_t count,
                           Random &random)
{
    const auto coefficients = randomValues<T>(random, grid->points());
    const auto points = randomPoints<T>(random, *grid, count);
    const auto view = viewOf(points, *grid);
    const auto d = static_cast<std::size_t>(grid->dimension());
    std::vector<T> expectedValues(count), expected(count * d);
    for (std::size_t j = 0; j < count; ++j) {
        expectedValues[j] = reference::interpolate<T>(*grid, coefficients, view.point(j)).value;
        reference::gradient<T>(*grid, coefficients, view.point(j),
                               std::span(expected).subspan(j * d, d));
    }
    const T unset = std::numeric_limits<T>::quiet_NaN();
    std::vector<T> values(count, unset), gradients(count * d, unset);
    backend.load(grid, coefficients)->gradient(view, values, gradients);
    GRIDHELM_COMPARE_CLOSE(
        values, expectedValues,
        interpolationTolerance<T>(*grid, interpolationScale(*grid, coefficients, points)),
        describe(*grid));
    GRIDHELM_COMPARE_CLOSE(
        gradients, expected,
        interpolationTolerance<T>(*grid, gradientScale(*grid, coefficients, points)),
        describe(*grid));
}

} // namespace

class GradientTest : public QObject
{
    Q_OBJECT

private slots:
    void ompMatchesReference_data() { addBackendAndTypeRows(Backends::fast); }
    void ompMatchesReference();
    void ompMatchesReferenceInManyDimensions_data() { addBackendAndTypeRows(Backends::fast); }
    void ompMatchesReferenceInManyDimensions();
    void finiteDifferencesInsideALinearPieceAgree_data() { addBackendAndTypeRows(Backends::all); }
    void finiteDifferencesInsideALinearPieceAgree();
    void kinksTakeTheRightSideAndOneTheLeft_data() { addBackendAndTypeRows(Backends::all); }
    void kinksTakeTheRightSideAndOneTheLeft();
    void linearFunctionsHaveConstantGradients_data() { addBackendAndTypeRows(Backends::all); }
    void linearFunctionsHaveConstantGradients();
};

void GradientTest::ompMatchesReference()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(1);
        for (int i = 0; i < 120 && !QTest::currentTestFailed(); ++i) {
            const auto grid = randomGrid(random, 8, 1'000);
            checkAgainstReference<T>(backend, grid, 1 + random.index(19), random);
        }
    });
}

void GradientTest::ompMatchesReferenceInManyDimensions()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(2);
        checkAgainstReference<T>(backend, makeGrid(GridShape(20, 4, BoundaryTreatment::zero)), 3,
                                 random);
        checkAgainstReference<T>(backend, makeGrid(GridShape(32, 2, BoundaryTreatment::modified)),
                                 3, random);
        checkAgainstReference<T>(backend, makeGrid(GridShape(1, 12, BoundaryTreatment::boundary)),
                                 33, random);
    });
}

void GradientTest::finiteDifferencesInsideALinearPieceAgree()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(3);
        for (int i = 0; i < 60; ++i) {
            const auto grid = randomGrid(random, 6, 600);
            const auto coefficients = randomValues<T>(random, grid->points());
            const auto evaluator = backend.load(grid, coefficients);
            const auto d = static_cast<std::size_t>(grid->dimension());
            // Pieces of dimension t have the width 2^-(L + 1); x lies in the first half of one and
            // x + step in the same.
            std::vector<T> x(d);
            for (std::size_t t = 0; t < d; ++t) {
                const int bits = std::max(grid->highestLevel(static_cast<int>(t)), 0) + 1;
                const auto piece = static_cast<double>(random.index(std::size_t{1} << bits));
                x[t] = static_cast<T>(std::ldexp(piece + random.real(0.01, 0.5), -bits));
            }
            std::vector<T> points = x;
            std::vector<T> steps(d);
            for (std::size_t t = 0; t < d; ++t) {
                const int bits = std::max(grid->highestLevel(static_cast<int>(t)), 0) + 1;
                auto moved = x;
                moved[t] += static_cast<T>(std::ldexp(0.25, -bits));
                steps[t] = moved[t] - x[t]; // what the sum has become after rounding; exact
                points.insert(points.end(), moved.begin(), moved.end());
            }
            std::vector<T> values(d + 1), gradients((d + 1) * d);
            evaluator->gradient(viewOf(points, *grid), values, gradients);
            const double tolerance =
                interpolationTolerance<T>(*grid, interpolationScale(*grid, coefficients, points));
            for (std::size_t t = 0; t < d; ++t) {
                const auto step = static_cast<double>(steps[t]);
                const double quotient =
                    (static_cast<double>(values[t + 1]) - static_cast<double>(values[0])) / step;
                const double error = std::abs(static_cast<double>(gradients[t]) - quotient);
                QVERIFY2(error <= 2 * tolerance / step, describe(*grid).c_str());
                // The same piece, hence the same derivative, at the other end of the step.
                const double difference =
                    std::abs(static_cast<double>(gradients[t])
                             - static_cast<double>(gradients[(t + 1) * d + t]));
                QVERIFY2(difference <= 2 * tolerance / step, describe(*grid).c_str());
            }
        }
    });
}

void GradientTest::kinksTakeTheRightSideAndOneTheLeft()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(4);
        for (int i = 0; i < 60; ++i) {
            const auto grid = randomGrid(random, 5, 300);
            const auto coefficients = randomValues<T>(random, grid->points());
            const auto d = static_cast<std::size_t>(grid->dimension());
            // All coordinates on possible kinks or at the ends.
            std::vector<T> x(10 * d);
            for (std::size_t k = 0; k < x.size(); ++k) {
                const int bits = std::max(grid->highestLevel(static_cast<int>(k % d)), 0) + 1;
                x[k] = static_cast<T>(std::ldexp(random.integer(0, 1 << bits), -bits));
            }
            const auto view = viewOf(x, *grid);
            std::vector<T> values(10), gradients(10 * d);
            backend.load(grid, coefficients)->gradient(view, values, gradients);
            const double tolerance =
                interpolationTolerance<T>(*grid, gradientScale(*grid, coefficients, x));
            for (std::size_t j = 0; j < 10; ++j) {
                const auto expected =
                    sumOfAllFunctions<T>(*grid, coefficients, view.point(j), true).gradient;
                for (std::size_t t = 0; t < d; ++t)
                    QVERIFY2(std::abs(static_cast<double>(gradients[j * d + t]) - expected[t].value)
                                 <= tolerance,
                             describe(*grid).c_str());
            }
        }
    });
}

void GradientTest::linearFunctionsHaveConstantGradients()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        // u = 1 + 2 x - 3 y + z / 2
        const auto modified = BoundaryTreatment::modified;
        const auto grid =
            makeGrid(GridShape(3, 4, {}, {modified, BoundaryTreatment::boundary, modified}));
        std::vector<T> coefficients(grid->points());
        std::vector<double> x(3);
        for (std::uint64_t j = 0; j < grid->points(); ++j) {
            grid->coordinates(j, x);
            coefficients[j] = static_cast<T>(1 + 2 * x[0] - 3 * x[1] + x[2] / 2);
        }
        backend.hierarchize(*grid, std::span(coefficients));
        Random random(5);
        const auto points = randomPoints<T>(random, *grid, 50);
        std::vector<T> values(50), gradients(150), expected;
        for (int j = 0; j < 50; ++j)
            expected.insert(expected.end(), {T(2), T(-3), T(0.5)});
        backend.load(grid, coefficients)->gradient(viewOf(points, *grid), values, gradients);
        GRIDHELM_COMPARE_CLOSE(
            gradients, expected,
            interpolationTolerance<T>(*grid, gradientScale(*grid, coefficients, points)),
            describe(*grid));
    });
}

GRIDHELM_TEST(GradientTest)
#include "tst_gradient.moc"
