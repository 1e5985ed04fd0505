// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every evaluation path of every fast back end agrees with the literal reference, anywhere in the
// cube, with and without the indicator.
#include "core/sparse/backend.h"

#include "tests/core/backends.h"
#include "tests/core/evaluation_checks.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/core/sanitized.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cstring>
#include <limits>
#include <thread>
#include <utility>

using namespace gridhelm;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

using enum BoundaryTreatment;

/// Around the widths of SIMD registers, and no multiples of them.
constexpr std::size_t counts[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 63, 65, 100};

std::size_t randomCount(Random &random)
{
    return counts[random.index(std::size(counts))];
}

/// High dimensions, long axes, corners only.
std::vector<GridPointer> specialGrids()
{
    std::vector<BoundaryTreatment> twenty(20, modified);
    twenty[0] = boundary;
    twenty[7] = zero;
    twenty[19] = boundary;
    const std::vector<Level> corners(6, -1);
    return {
        makeGrid(GridShape(1, 1, zero)),
        makeGrid(GridShape(1, 14, boundary)),
        makeGrid(GridShape(1, 16, zero)),
        makeGrid(GridShape(1, 14, modified)),
        makeGrid(GridShape(2, 11, {11, 3}, {boundary, modified})),
        makeGrid(GridShape(8, 1, boundary)),
        std::make_shared<SparseGrid>(std::vector(6, boundary), corners),
        makeGrid(GridShape(20, 4, zero)),
        makeGrid(GridShape(20, 4, modified)),
        makeGrid(GridShape(20, 3, {}, twenty)),
        makeGrid(GridShape(32, 3, modified)),
        makeGrid(GridShape(32, 2, {}, {zero})),
    };
}

} // namespace

class InterpolationTest : public QObject
{
    Q_OBJECT

private slots:
    void scatteredPoints_data() { addBackendAndTypeRows(Backends::fast); }
    void scatteredPoints();
    void sharedDimensions_data() { addBackendAndTypeRows(Backends::fast); }
    void sharedDimensions();
    void cartesianPoints_data() { addBackendAndTypeRows(Backends::fast); }
    void cartesianPoints();
    void detectedPatterns_data() { addBackendAndTypeRows(Backends::fast); }
    void detectedPatterns();
    void specialGridsOnAllPaths_data() { addBackendAndTypeRows(Backends::fast); }
    void specialGridsOnAllPaths();
    void fewPointsOfALargeGrid_data() { addBackendAndTypeRows(Backends::fast); }
    void fewPointsOfALargeGrid();
    void largePictures_data() { addBackendAndTypeRows(Backends::fast); }
    void largePictures();
    void manyPointsOfASmallGrid_data() { addBackendAndTypeRows(Backends::fast); }
    void manyPointsOfASmallGrid();
    void noPoints_data() { addBackendAndTypeRows(Backends::all); }
    void noPoints();
    void patternsAreRecognised_data() { addBackendAndTypeRows(Backends::all); }
    void patternsAreRecognised();
    void smallValuesNextToTheEndsKeepTheirDigits_data() { addBackendAndTypeRows(Backends::all); }
    void smallValuesNextToTheEndsKeepTheirDigits();
    void manyPointsOfALargeGrid_data() { addBackendAndTypeRows(Backends::fast); }
    void manyPointsOfALargeGrid();
    void bitsDoNotDependOnThreadsOrCompany();
    void mismatchedSizesAreErrors_data() { addBackendAndTypeRows(Backends::all); }
    void mismatchedSizesAreErrors();
    void wrongNumberOfCoefficientsIsAnError_data() { addBackendAndTypeRows(Backends::all); }
    void wrongNumberOfCoefficientsIsAnError();
    void concurrentCallsAreSafe();
    void pointsOutsideTheCubeAreErrors();
};

void InterpolationTest::scatteredPoints()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(1);
        for (int i = 0; i < repeats(200) && !QTest::currentTestFailed(); ++i) {
            const auto loaded = loadRandom<T>(backend, randomGrid(random, 8, 4'000), random);
            checkScatteredPoints(loaded,
                                 randomPoints<T>(random, *loaded.grid, randomCount(random)));
        }
    });
}

void InterpolationTest::sharedDimensions()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(2);
        for (int i = 0; i < repeats(150) && !QTest::currentTestFailed(); ++i) {
            const auto loaded = loadRandom<T>(backend, randomGrid(random, 8, 4'000), random);
            const int constant = random.integer(0, loaded.grid->dimension());
            checkSharedPoints(loaded, pointsWithSharedColumns<T>(random, *loaded.grid,
                                                                 randomCount(random), constant));
        }
    });
}

void InterpolationTest::cartesianPoints()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(3);
        for (int i = 0; i < repeats(150) && !QTest::currentTestFailed(); ++i) {
            const auto loaded = loadRandom<T>(backend, randomGrid(random, 8, 4'000), random);
            const int free = random.integer(0, std::min(loaded.grid->dimension(), 5));
            constexpr int longest[] = {2, 40, 10, 5, 3, 3}; // some 100 points at most
            checkCartesianPoints(loaded, randomAxes<T>(random, *loaded.grid, free, longest[free]));
        }
    });
}

void InterpolationTest::detectedPatterns()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(4);
        for (int i = 0; i < repeats(100) && !QTest::currentTestFailed(); ++i) {
            const auto loaded = loadRandom<T>(backend, randomGrid(random, 6, 2'000), random);
            const auto &grid = *loaded.grid;
            const int free = random.integer(0, std::min(grid.dimension(), 4));
            constexpr int longest[] = {2, 40, 10, 5, 3};
            auto points = listOf(randomAxes<T>(random, grid, free, longest[free]));
            checkDetectedPoints(loaded, points);
            // Nearly Cartesian: one coordinate differs, or the last point is missing.
            auto disturbed = points;
            disturbed[random.index(disturbed.size())] = static_cast<T>(random.real());
            checkDetectedPoints(loaded, disturbed);
            points.resize(points.size() - static_cast<std::size_t>(grid.dimension()));
            checkDetectedPoints(loaded, points);

            const int constant = random.integer(0, grid.dimension());
            checkDetectedPoints(
                loaded, pointsWithSharedColumns<T>(random, grid, randomCount(random), constant));
        }
    });
}

void InterpolationTest::specialGridsOnAllPaths()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(5);
        for (const auto &grid : specialGrids()) {
            if (grid->points() > mostComparedPoints)
                continue;
            const auto loaded = loadRandom<T>(backend, grid, random);
            checkScatteredPoints(loaded, randomPoints<T>(random, *grid, 19));
            for (int free = 0; free <= std::min(grid->dimension(), 3); ++free) {
                if (QTest::currentTestFailed())
                    return;
                checkSharedPoints(
                    loaded, pointsWithSharedColumns<T>(random, *grid, 9, grid->dimension() - free));
                checkCartesianPoints(loaded, randomAxes<T>(random, *grid, free, 3));
            }
        }
    });
}

void InterpolationTest::fewPointsOfALargeGrid()
{
    // Threads have blocks to share, not points.
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(6);
        for (const auto &grid :
             {makeGrid(GridShape(5, 8, zero)), makeGrid(GridShape(10, 6, modified)),
              makeGrid(GridShape(20, 5, zero)), makeGrid(GridShape(6, 4, boundary)),
              makeGrid(GridShape(8, 2, boundary)), makeGrid(GridShape(1, 19, modified)),
              makeGrid(GridShape(6, 10, zero)), makeGrid(GridShape(4, 10, boundary)),
              makeGrid(GridShape(2, 16, {16, 2}, {boundary, zero}))}) {
            if (QTest::currentTestFailed())
                return;
            if (grid->points() > mostComparedPoints)
                continue;
            const auto loaded = loadRandom<T>(backend, grid, random);
            for (std::size_t count : {1U, 2U, 5U})
                checkScatteredPoints(loaded, randomPoints<T>(random, *grid, count));
            checkSharedPoints(loaded, pointsWithSharedColumns<T>(
                                          random, *grid, 5, random.integer(0, grid->dimension())));
            const int free = std::min(grid->dimension(), random.integer(1, 3));
            checkCartesianPoints(loaded, randomAxes<T>(random, *grid, free, 2));
        }
    });
}

void InterpolationTest::largePictures()
{
    // Too many points for the reference: some of them are compared.
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(11);
        const auto treatments = std::vector{modified, boundary, zero, modified, boundary};
        for (const auto &[grid, lengths] : {
                 std::pair{makeGrid(GridShape(5, 4, {}, treatments)),
                           std::vector<std::size_t>{1, 41, 50, 1, 37}},
                 std::pair{makeGrid(GridShape(5, 4, {}, treatments)),
                           std::vector<std::size_t>{203, 1, 1, 1, 301}},
                 std::pair{makeGrid(GridShape(3, 6, {}, {boundary, zero, modified})),
                           std::vector<std::size_t>{33, 65, 129}},
                 std::pair{makeGrid(GridShape(1, 14, modified)), std::vector<std::size_t>{40'001}},
                 std::pair{makeGrid(GridShape(2, 10, boundary)), std::vector<std::size_t>{601, 3}},
             }) {
            if (QTest::currentTestFailed())
                return;
            const auto loaded = loadRandom<T>(backend, grid, random);
            checkSomeOfPicture(loaded, random, lengths, 300);
        }
    });
}

void InterpolationTest::manyPointsOfASmallGrid()
{
    // Threads have points to share, in several portions.
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(7);
        const auto treatments = std::vector{zero, boundary, modified};
        const auto loaded =
            loadRandom<T>(backend, makeGrid(GridShape(3, 2, {}, treatments)), random);
        checkScatteredPoints(loaded, randomPoints<T>(random, *loaded.grid, 20'011));
        checkSharedPoints(loaded, pointsWithSharedColumns<T>(random, *loaded.grid, 20'011, 1));
    });
}

void InterpolationTest::noPoints()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(8);
        const auto loaded = loadRandom<T>(backend, makeGrid(GridShape(3, 3, boundary)), random);
        const std::vector<T> none;
        loaded.evaluator->interpolate(viewOf(none, *loaded.grid), {});
        loaded.evaluator->interpolateShared(viewOf(none, *loaded.grid), {});
        loaded.evaluator->evaluate(viewOf(none, *loaded.grid), {});
        loaded.evaluator->gradient(viewOf(none, *loaded.grid), {}, {});
        CartesianPoints<T> axes{{{T(0.5)}, {}, {T(0.5)}}};
        loaded.evaluator->interpolateCartesian(axes, {});
    });
}

void InterpolationTest::patternsAreRecognised()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(9);
        const auto loaded = loadRandom<T>(backend, makeGrid(GridShape(5, 4, modified)), random);
        const auto patternOf = [&](const std::vector<T> &points) {
            std::vector<T> values(points.size() / 5);
            return loaded.evaluator->evaluate(viewOf(points, *loaded.grid), {values}).pattern;
        };
        const auto uniform = [&](std::size_t count) {
            std::vector<T> points(5 * count);
            for (T &x : points)
                x = static_cast<T>(random.real());
            return points;
        };
        QCOMPARE(patternOf(uniform(1000)), PointPattern::random);

        auto shared = uniform(1000);
        for (std::size_t j = 0; j < 1000; ++j)
            shared[j * 5 + 1] = shared[j * 5 + 3] = shared[j * 5 + 4] = T(0.3);
        QCOMPARE(patternOf(shared), PointPattern::sharedDimensions);

        CartesianPoints<T> picture{{{T(0.1)}, {}, {T(0.7)}, {}, {T(0.9)}}};
        for (int i = 0; i < 32; ++i) {
            picture.axes[1].push_back(static_cast<T>(i) / 31);
            picture.axes[3].push_back(static_cast<T>(31 - i) / 31); // descending is fine too
        }
        QCOMPARE(patternOf(listOf(picture)), PointPattern::cartesian);
    });
}

void InterpolationTest::smallValuesNextToTheEndsKeepTheirDigits()
{
    // One coefficient, at x = 1/2: the function is 2x there, however small.
    checkBackendAndType([]<typename T>(const Backend &backend) {
        const auto grid = makeGrid(GridShape(1, 20, zero));
        std::vector<T> coefficients(grid->points(), T(0));
        coefficients.front() = T(1);
        const auto evaluator = backend.load(grid, coefficients);
        const std::vector<T> points{T(1e-17), T(0.3e-6), T(0.7e-6), T(0.25)};
        std::vector<T> values(points.size());
        evaluator->interpolate(viewOf(points, *grid), {values});
        for (std::size_t i = 0; i < points.size(); ++i)
            QVERIFY2(std::abs(values[i] - 2 * points[i])
                         <= 4 * std::numeric_limits<T>::epsilon() * points[i],
                     qPrintable(QString("%1 instead of %2").arg(values[i]).arg(2 * points[i])));
        // The finest function next to the end, whose ratio to the coarsest is 2^19.
        coefficients.front() = T(0);
        coefficients[grid->blockOffset(19)] = T(1);
        const auto fine = backend.load(grid, coefficients);
        fine->interpolate(viewOf(points, *grid), {values});
        const T exact = points[1] * T(1 << 20);
        QVERIFY(std::abs(values[1] - exact) <= 4 * std::numeric_limits<T>::epsilon() * exact);
    });
}

void InterpolationTest::manyPointsOfALargeGrid()
{
    // So many that they pass by one part of the tree after the other.
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(12);
        const auto loaded = loadRandom<T>(backend, makeGrid(GridShape(6, 10, zero)), random);
        const std::size_t count = loaded.grid->points() > mostComparedPoints ? 31 : 301;
        checkScatteredPoints(loaded, randomPoints<T>(random, *loaded.grid, count));
    });
}

void InterpolationTest::bitsDoNotDependOnThreadsOrCompany()
{
    Random random(13);
    const auto grid = makeGrid(GridShape(6, 10, zero));
    const auto coefficients = randomValues<double>(random, grid->points());
    const auto points = randomPoints<double>(random, *grid, 300);
    std::vector<double> one(300), two(300), alone(1);
    makeOmpBackend(test::onCpu(1))
        ->load(grid, coefficients)
        ->interpolate(viewOf(points, *grid), {one});
    const auto evaluator = makeOmpBackend(test::onCpu(2))->load(grid, coefficients);
    evaluator->interpolate(viewOf(points, *grid), {two});
    QCOMPARE(one, two);
    for (std::size_t j : {0U, 17U, 299U}) {
        const std::vector<double> point(points.begin() + static_cast<std::ptrdiff_t>(6 * j),
                                        points.begin() + static_cast<std::ptrdiff_t>(6 * j + 6));
        evaluator->interpolate(viewOf(point, *grid), {alone});
        QCOMPARE(alone[0], one[j]);
        QVERIFY(std::memcmp(&alone[0], &one[j], sizeof(double)) == 0);
    }
    QVERIFY(std::memcmp(one.data(), two.data(), one.size() * sizeof(double)) == 0);
}

void InterpolationTest::mismatchedSizesAreErrors()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        const auto grid = makeGrid(GridShape(3, 3, zero));
        const auto loaded = backend.load(grid, std::vector<T>(grid->points()));
        const std::vector<T> six(6, T(0.5)), seven(7, T(0.5));
        std::vector<T> one(1), two(2), three(3);
        GRIDHELM_EXPECT_ERROR(loaded->interpolate({six, 2}, {three}));
        GRIDHELM_EXPECT_ERROR(loaded->interpolate({six, 0}, {two}));
        GRIDHELM_EXPECT_ERROR(loaded->interpolate({seven, 3}, {two}));
        GRIDHELM_EXPECT_ERROR(loaded->interpolate({six, 3}, {one}));
        GRIDHELM_EXPECT_ERROR(loaded->interpolate({six, 3}, {two, one}));
        GRIDHELM_EXPECT_ERROR(loaded->interpolateShared({six, 3}, {one}));
        GRIDHELM_EXPECT_ERROR(loaded->evaluate({six, 3}, {one}));
        GRIDHELM_EXPECT_ERROR(loaded->gradient({six, 3}, two, two));
        const CartesianPoints<T> twoAxes{{{T(0.5)}, {T(0.5)}}};
        GRIDHELM_EXPECT_ERROR(loaded->interpolateCartesian(twoAxes, {one}));
        const CartesianPoints<T> axes{{{T(0.5)}, {T(0.5)}, {T(0.1), T(0.2)}}};
        GRIDHELM_EXPECT_ERROR(loaded->interpolateCartesian(axes, {one}));
    });
}

void InterpolationTest::wrongNumberOfCoefficientsIsAnError()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        const auto grid = makeGrid(GridShape(3, 3, zero));
        GRIDHELM_EXPECT_ERROR(backend.load(grid, std::vector<T>(grid->points() - 1)));
        GRIDHELM_EXPECT_ERROR(backend.load(grid, std::vector<T>(grid->points() + 1)));
    });
}

void InterpolationTest::concurrentCallsAreSafe()
{
    Random random(10);
    const auto backend = makeOmpBackend(test::onCpu(2));
    const auto loaded = loadRandom<double>(*backend, makeGrid(GridShape(4, 5, boundary)), random);
    const auto points = randomPoints<double>(random, *loaded.grid, 333);
    const auto axes = randomAxes<double>(random, *loaded.grid, 2, 20);
    const auto view = viewOf(points, *loaded.grid);
    const auto evaluateAll = [&] {
        std::vector<double> result(2 * view.count() + axes.count());
        std::vector<double> gradients(points.size()), values(view.count());
        const std::span all(result);
        loaded.evaluator->interpolate(view, {all.first(view.count())});
        loaded.evaluator->interpolateShared(view, {all.subspan(view.count(), view.count())});
        loaded.evaluator->interpolateCartesian(axes, {all.last(axes.count())});
        loaded.evaluator->gradient(view, values, gradients);
        result.insert(result.end(), gradients.begin(), gradients.end());
        return result;
    };
    const auto expected = evaluateAll();
    std::vector<std::vector<double>> results(3);
    std::vector<std::thread> threads;
    for (auto &result : results)
        threads.emplace_back([&] { result = evaluateAll(); });
    for (auto &thread : threads)
        thread.join();
    for (const auto &result : results)
        QCOMPARE(result, expected);
}

void InterpolationTest::pointsOutsideTheCubeAreErrors()
{
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> good{0, 1, 0.5, 0.25};
    requireInsideUnitCube(PointsView<double>{good, 2});
    for (double bad :
         {-0x1p-60, 1 + 0x1p-52, nan, -1.0, 2.0, std::numeric_limits<double>::infinity()}) {
        for (std::size_t where = 0; where < good.size(); ++where) {
            auto points = good;
            points[where] = bad;
            GRIDHELM_EXPECT_ERROR(requireInsideUnitCube(PointsView<double>{points, 2}));
        }
    }
    const std::vector<float> badFloat{0.5F, 1.0000001F};
    GRIDHELM_EXPECT_ERROR(requireInsideUnitCube(PointsView<float>{badFloat, 2}));
}

GRIDHELM_TEST(InterpolationTest)
#include "tst_interpolation.moc"
