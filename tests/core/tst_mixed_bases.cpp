// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every back end against the literal reference on grids of mixed treatments and degrees.
#include "core/sparse/omp/simd_targets.h"
#include "core/sparse/reference/literal.h"
#include "tests/core/backends.h"
#include "tests/core/evaluation_checks.h"
#include "tests/core/other_grids.h"
#include "tests/core/sanitized.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

using enum BoundaryTreatment;

template <typename T>
void checkCoefficients(const Backend &backend, const SparseGrid &grid, Random &random)
{
    const auto values = randomValues<T>(random, grid.points());
    std::vector<double> expected(values.begin(), values.end());
    reference::hierarchize<double>(grid, expected);
    auto coefficients = values;
    backend.hierarchize(grid, std::span(coefficients));
    const double tolerance =
        coefficientTolerance<T>(grid, std::vector<T>(expected.begin(), expected.end()));
    GRIDHELM_COMPARE_CLOSE(coefficients, expected, tolerance, describe(grid));
    backend.dehierarchize(grid, std::span(coefficients));
    GRIDHELM_COMPARE_CLOSE(coefficients, values, 4 * tolerance, describe(grid));
}

template <typename T>
void checkLongPoles(const Backend &backend, Random &random)
{
    for (const auto treatment : {zero, boundary, clenshawCurtis}) {
        for (const int degree : {1, 2, 3}) {
            for (const int level : {1, 2, 3, 4, 5, 9}) {
                for (const auto &shape : {GridShape(1, level, {}, {treatment}, 0, {degree}),
                                          GridShape(2, level, {2, 30}, {treatment}, 0, {degree}),
                                          GridShape(2, level, {30, 2}, {treatment}, 0, {degree})}) {
                    if (!QTest::currentTestFailed())
                        checkCoefficients<T>(backend, SparseGrid(shape), random);
                }
            }
        }
    }
}

} // namespace

class MixedBasesTest : public QObject
{
    Q_OBJECT

private slots:
    void cleanup() { omp::useBestSimdTarget(); }
    void coefficientsMatchTheReference_data() { addBackendAndTypeRows(Backends::fast); }
    void coefficientsMatchTheReference();
    void longPolesMatchTheReference_data() { addBackendAndTypeRows(Backends::fast); }
    void longPolesMatchTheReference();
    void polesTooLongForScratchArraysMatchTheReference();
    void everySimdTargetMatchesTheReference();
    void scatteredPointsMatchTheReference_data() { addBackendAndTypeRows(Backends::fast); }
    void scatteredPointsMatchTheReference();
    void productsOfAxesMatchTheReference_data() { addBackendAndTypeRows(Backends::fast); }
    void productsOfAxesMatchTheReference();
    void gradientsMatchTheReference_data() { addBackendAndTypeRows(Backends::fast); }
    void gradientsMatchTheReference();
    void numberOfThreadsDoesNotChangeABit();
};

void MixedBasesTest::coefficientsMatchTheReference()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(3);
        for (int i = 0; i < repeats(150) && !QTest::currentTestFailed(); ++i)
            checkCoefficients<T>(backend, *otherGrid(random, 6, 500), random);
    });
}

void MixedBasesTest::longPolesMatchTheReference()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(4);
        checkLongPoles<T>(backend, random);
    });
}

void MixedBasesTest::polesTooLongForScratchArraysMatchTheReference()
{
    const auto backend = makeOmpBackend(onCpu(1));
    Random random(5);
    const auto gridOf = [](BoundaryTreatment treatment) {
        return SparseGrid(GridShape(1, 18, {}, {treatment}, 0, {3}));
    };
    checkCoefficients<float>(*backend, gridOf(boundary), random);
    if (!isSanitized)
        checkCoefficients<double>(*backend, gridOf(zero), random);
}

void MixedBasesTest::everySimdTargetMatchesTheReference()
{
    for (const auto &target : omp::availableSimdTargets()) {
        omp::forceSimdTarget(target);
        const auto backend = makeOmpBackend(onCpu(1));
        Random random(6);
        checkLongPoles<double>(*backend, random);
        checkLongPoles<float>(*backend, random);
        for (int i = 0; i < repeats(60) && !QTest::currentTestFailed(); ++i) {
            const auto grid = otherGrid(random, 6, 500);
            checkCoefficients<double>(*backend, *grid, random);
            checkCoefficients<float>(*backend, *grid, random);
        }
        if (QTest::currentTestFailed())
            qWarning("of %s", target.c_str());
    }
}

void MixedBasesTest::scatteredPointsMatchTheReference()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(5);
        for (int i = 0; i < repeats(100) && !QTest::currentTestFailed(); ++i) {
            const auto loaded = loadRandom<T>(backend, otherGrid(random, 6, 1'000), random);
            const auto count = static_cast<std::size_t>(random.integer(1, 40));
            checkScatteredPoints(loaded, randomPoints<T>(random, *loaded.grid, count));
            const int shared = random.integer(0, loaded.grid->dimension());
            const auto points = pointsWithSharedColumns<T>(random, *loaded.grid, count, shared);
            checkSharedPoints(loaded, points);
            checkDetectedPoints(loaded, points);
        }
    });
}

void MixedBasesTest::productsOfAxesMatchTheReference()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(6);
        for (int i = 0; i < repeats(100) && !QTest::currentTestFailed(); ++i) {
            const auto loaded = loadRandom<T>(backend, otherGrid(random, 5, 1'000), random);
            const int free = random.integer(0, std::min(loaded.grid->dimension(), 4));
            checkCartesianPoints(loaded,
                                 randomAxes<T>(random, *loaded.grid, free, free > 2 ? 7 : 20));
        }
    });
}

void MixedBasesTest::gradientsMatchTheReference()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(7);
        for (int i = 0; i < repeats(100) && !QTest::currentTestFailed(); ++i) {
            const auto loaded = loadRandom<T>(backend, otherGrid(random, 5, 600), random);
            const auto points = randomPoints<T>(random, *loaded.grid, 9);
            const auto view = viewOf(points, *loaded.grid);
            std::vector<T> values(view.count()), gradients(points.size());
            loaded.evaluator->gradient(view, values, gradients);
            std::vector<double> expected;
            double scale = largestMagnitude(loaded.coefficients);
            for (std::size_t j = 0; j < view.count(); ++j) {
                for (const auto &sum :
                     sumOfAllFunctions<T>(*loaded.grid, loaded.coefficients, view.point(j), true)
                         .gradient) {
                    expected.push_back(sum.value);
                    scale = std::max(scale, sum.magnitude);
                }
            }
            GRIDHELM_COMPARE_CLOSE(gradients, expected,
                                   4 * interpolationTolerance<T>(*loaded.grid, scale),
                                   describe(*loaded.grid));
        }
    });
}

void MixedBasesTest::numberOfThreadsDoesNotChangeABit()
{
    Random random(8);
    const auto grid =
        makeGrid(GridShape(4, 13, {}, {boundary, clenshawCurtis, leja, zero}, 0, {3}));
    QVERIFY(grid->points() > 100'000); // below, one thread does it
    const auto values = randomValues<float>(random, grid->points());
    const auto coefficientsWith = [&](int threads) {
        auto coefficients = values;
        makeOmpBackend(onCpu(threads))->hierarchize(*grid, std::span(coefficients));
        return coefficients;
    };
    const auto expected = coefficientsWith(1);
    QCOMPARE(coefficientsWith(2), expected);
    QCOMPARE(coefficientsWith(3), expected);
    const auto points = randomPoints<float>(random, *grid, 100);
    const auto valuesWith = [&](int threads) {
        std::vector<float> result(100);
        makeOmpBackend(onCpu(threads))
            ->load(grid, expected)
            ->interpolate(viewOf(points, *grid), EvaluationOutput<float>{result});
        return result;
    };
    QCOMPARE(valuesWith(2), valuesWith(1));
}

GRIDHELM_TEST(MixedBasesTest)
#include "tst_mixed_bases.moc"
