// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every SIMD instruction set that this CPU has computes the same.
#include "core/sparse/omp/simd_targets.h"

#include "core/linalg/combination.h"
#include "core/sparse/reference/literal.h"
#include "core/sparse/weight_evaluator.h"
#include "tests/core/backends.h"
#include "tests/core/evaluation_checks.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace gridhelm;
using namespace gridhelm::linalg;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

template <typename T>
void checkAllPaths(const Backend &backend, const GridPointer &grid, Random &random)
{
    const auto loaded = loadRandom<T>(backend, grid, random);
    const int d = grid->dimension();
    checkScatteredPoints(loaded, randomPoints<T>(random, *grid, 1 + random.index(70)));
    checkSharedPoints(loaded, pointsWithSharedColumns<T>(random, *grid, 1 + random.index(30),
                                                         random.integer(0, d)));
    const int free = random.integer(0, std::min(d, 3));
    checkCartesianPoints(loaded, randomAxes<T>(random, *grid, free, free > 2 ? 4 : 9));
}

template <typename T>
void checkGradient(const Backend &backend, const GridPointer &grid, Random &random)
{
    const auto loaded = loadRandom<T>(backend, grid, random);
    const auto d = static_cast<std::size_t>(grid->dimension());
    const auto count = 1 + random.index(20);
    const auto points = randomPoints<T>(random, *grid, count);
    const auto view = viewOf(points, *grid);
    std::vector<T> values(count), gradients(count * d), expected(count * d);
    loaded.evaluator->gradient(view, values, gradients);
    for (std::size_t j = 0; j < count; ++j)
        reference::gradient<T>(*grid, loaded.coefficients, view.point(j),
                               std::span(expected).subspan(j * d, d));
    int highest = 0;
    for (int t = 0; t < grid->dimension(); ++t)
        highest = std::max(highest, grid->highestLevel(t));
    // Slopes are at most 2^(l + 1).
    const double scale =
        std::ldexp(2.0, highest) * interpolationScale(*grid, loaded.coefficients, points);
    GRIDHELM_COMPARE_CLOSE(gradients, expected, interpolationTolerance<T>(*grid, scale),
                           describe(*grid));
}

template <typename T>
void checkHierarchization(const Backend &backend, const GridPointer &grid, Random &random)
{
    const auto values = randomValues<T>(random, grid->points());
    auto result = values, expected = values;
    backend.hierarchize(*grid, std::span(result));
    reference::hierarchize<T>(*grid, expected);
    GRIDHELM_COMPARE_CLOSE(result, expected,
                           hierarchizationTolerance<T>(*grid, largestMagnitude(expected) + 1),
                           describe(*grid));
    auto scale = magnitudes(result);
    reference::dehierarchize<T>(*grid, scale);
    backend.dehierarchize(*grid, std::span(result));
    GRIDHELM_COMPARE_CLOSE(
        result, values, interpolationTolerance<T>(*grid, largestMagnitude(scale)), describe(*grid));
}

template <typename T>
void checkVectors(const GridPointer &grid, Random &random)
{
    const std::size_t columns = 1 + random.index(40);
    const auto matrix = randomValues<T>(random, grid->points() * columns);
    const auto x = randomPoints<T>(random, *grid, 1);
    WeightEvaluator evaluator(*grid);
    for (int t = 0; t < grid->dimension(); ++t)
        evaluator.setCoordinate(t, static_cast<double>(x[static_cast<std::size_t>(t)]));
    std::vector<T> y(columns), expected;
    combine<T>(evaluator.weights(), {matrix.data(), grid->points(), columns, columns}, 0, y, {},
               CpuDevice{1});
    double scale = 1;
    for (std::size_t c = 0; c < columns; ++c) {
        std::vector<T> column;
        for (std::size_t row = 0; row < grid->points(); ++row)
            column.push_back(matrix[row * columns + c]);
        expected.push_back(reference::interpolate<T>(*grid, column, x).value);
        scale = std::max(scale, interpolationScale(*grid, column, x));
    }
    GRIDHELM_COMPARE_CLOSE(y, expected, interpolationTolerance<T>(*grid, scale), describe(*grid));
}

} // namespace

class SimdTargetsTest : public QObject
{
    Q_OBJECT

private slots:
    void cleanup() { omp::useBestSimdTarget(); }

    void everyTargetMatchesReference_data();
    void everyTargetMatchesReference();
    void bestTargetIsTheFirst();
    void unknownTargetIsAnError();
};

void SimdTargetsTest::everyTargetMatchesReference_data()
{
    QTest::addColumn<QString>("target");
    for (const auto &target : omp::availableSimdTargets())
        QTest::newRow(target.c_str()) << QString::fromStdString(target);
}

void SimdTargetsTest::everyTargetMatchesReference()
{
    QFETCH(QString, target);
    omp::forceSimdTarget(target.toStdString());
    QCOMPARE(omp::activeSimdTarget(), target.toStdString());
    const auto backend = makeOmpBackend(test::onCpu(1));
    QVERIFY(QString::fromStdString(backend->description()).contains(target));
    Random random(1);
    for (int i = 0; i < 60; ++i) {
        const auto grid = randomGrid(random, 8, 1'500);
        checkAllPaths<double>(*backend, grid, random);
        checkAllPaths<float>(*backend, grid, random);
        checkGradient<double>(*backend, grid, random);
        checkGradient<float>(*backend, grid, random);
        checkHierarchization<double>(*backend, grid, random);
        checkHierarchization<float>(*backend, grid, random);
        checkVectors<double>(grid, random);
        checkVectors<float>(grid, random);
        if (QTest::currentTestFailed())
            return;
    }
}

void SimdTargetsTest::bestTargetIsTheFirst()
{
    const auto targets = omp::availableSimdTargets();
    QVERIFY(!targets.empty());
    omp::forceSimdTarget(targets.back());
    omp::useBestSimdTarget();
    QCOMPARE(omp::activeSimdTarget(), targets.front());
}

void SimdTargetsTest::unknownTargetIsAnError()
{
    GRIDHELM_EXPECT_ERROR(omp::forceSimdTarget("abacus"));
}

GRIDHELM_TEST(SimdTargetsTest)
#include "tst_simd_targets.moc"
