// SPDX-License-Identifier: GPL-3.0-or-later
//
// The contracted grid evaluates to what the full one does.
#include "core/sparse/contraction.h"

#include "core/sparse/reference/literal.h"
#include "tests/core/closeness.h"
#include "tests/core/expect_error.h"
#include "tests/core/random_grids.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace gridhelm;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

using enum BoundaryTreatment;

/// At least one dimension stays free.
std::vector<bool> randomFixed(Random &random, int dimension)
{
    std::vector<bool> isFixed;
    for (int t = 0; t < dimension; ++t)
        isFixed.push_back(random.chance(0.6));
    isFixed[random.index(isFixed.size())] = false;
    return isFixed;
}

template <typename T>
void checkContraction(const SparseGrid &grid, const std::vector<bool> &isFixed, int threads,
                      Random &random)
{
    const auto d = static_cast<std::size_t>(grid.dimension());
    const auto coefficients = randomValues<T>(random, grid.points());
    const auto fixedAt = randomPoints<T>(random, grid, 1);
    const auto contracted =
        contract<T>(grid, coefficients, isFixed, fixedAt, true, CpuDevice{threads});
    QVERIFY(contracted.grid);
    QCOMPARE(contracted.coefficients.size(), static_cast<std::size_t>(contracted.grid->points()));
    QCOMPARE(contracted.lastGroup.size(), contracted.coefficients.size());

    auto points = randomPoints<T>(random, grid, 12);
    std::vector<T> freePoints;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (isFixed[i % d])
            points[i] = fixedAt[i % d];
        else
            freePoints.push_back(points[i]);
    }
    const auto view = viewOf(points, grid);
    const auto freeView = viewOf(freePoints, *contracted.grid);
    std::vector<T> values, expected, lastGroup, expectedLastGroup;
    for (std::size_t j = 0; j < view.count(); ++j) {
        const auto full = reference::interpolate<T>(grid, coefficients, view.point(j));
        expected.push_back(full.value);
        expectedLastGroup.push_back(full.lastGroup);
        const auto x = freeView.point(j);
        values.push_back(
            reference::interpolate<T>(*contracted.grid, contracted.coefficients, x).value);
        lastGroup.push_back(
            reference::interpolate<T>(*contracted.grid, contracted.lastGroup, x).value);
    }
    const double tolerance =
        interpolationTolerance<T>(grid, interpolationScale(grid, coefficients, points));
    GRIDHELM_COMPARE_CLOSE(values, expected, tolerance, describe(grid));
    GRIDHELM_COMPARE_CLOSE(lastGroup, expectedLastGroup, tolerance,
                           "last group: " + describe(grid));
}

} // namespace

class ContractionTest : public QObject
{
    Q_OBJECT

private slots:
    void contractionEqualsEvaluation_data();
    void contractionEqualsEvaluation();
    void truncatedGridContractsToTheTruncatedGridOfTheFreeDimensions();
    void anySetContractsToItsProjection();
    void lastGroupIsEmptyUnlessAskedFor();
    void coordinatesOfFreeDimensionsDoNotMatter();
    void nothingFixedChangesNothing();
    void everythingFixedIsAnError();
    void wrongSizesAreErrors();
};

void ContractionTest::contractionEqualsEvaluation_data()
{
    QTest::addColumn<int>("threads");
    QTest::newRow("1 thread") << 1;
    QTest::newRow("2 threads") << 2;
}

void ContractionTest::contractionEqualsEvaluation()
{
    QFETCH(int, threads);
    Random random(1);
    for (int i = 0; i < 150 && !QTest::currentTestFailed(); ++i) {
        const auto grid = randomGrid(random, 8, 3'000);
        const auto isFixed = randomFixed(random, grid->dimension());
        checkContraction<double>(*grid, isFixed, threads, random);
        checkContraction<float>(*grid, isFixed, threads, random);
    }
    for (const auto &grid : {makeGrid(GridShape(20, 4, zero)), makeGrid(GridShape(20, 4, modified)),
                             makeGrid(GridShape(1, 9, boundary)), makeGrid(GridShape(5, 6, zero)),
                             makeGrid(GridShape(4, 4, boundary)), makeGrid(GridShape(5, 8, zero)),
                             makeGrid(GridShape(4, 7, boundary))}) {
        const auto isFixed = randomFixed(random, grid->dimension());
        checkContraction<double>(*grid, isFixed, threads, random);
        checkContraction<float>(*grid, isFixed, threads, random);
    }
}

void ContractionTest::truncatedGridContractsToTheTruncatedGridOfTheFreeDimensions()
{
    Random random(2);
    for (int i = 0; i < 100; ++i) {
        const auto shape = randomShape(random, 8, 3'000);
        const auto isFixed = randomFixed(random, shape.dimension());
        std::vector<int> caps;
        std::vector<BoundaryTreatment> treatments;
        for (std::size_t t = 0; t < isFixed.size(); ++t) {
            if (!isFixed[t]) {
                caps.push_back(shape.caps()[t]);
                treatments.push_back(shape.treatments()[t]);
            }
        }
        const SparseGrid expected(
            GridShape(static_cast<int>(caps.size()), shape.level(), caps, treatments));
        const SparseGrid grid(shape);
        const std::vector<double> coefficients(grid.points()), x(isFixed.size(), 0.3);
        const auto contracted =
            contract<double>(grid, coefficients, isFixed, x, false, CpuDevice{1}).grid;
        QCOMPARE(contracted->treatments(), treatments);
        QVERIFY(std::ranges::equal(contracted->levelVectors(), expected.levelVectors()));
    }
}

void ContractionTest::anySetContractsToItsProjection()
{
    Random random(3);
    for (int i = 0; i < 100; ++i) {
        const auto grid = randomGrid(random, 6, 2'000);
        const auto isFixed = randomFixed(random, grid->dimension());
        const std::vector<double> coefficients(grid->points()), x(isFixed.size(), 0.3);
        const auto contracted =
            contract<double>(*grid, coefficients, isFixed, x, false, CpuDevice{1}).grid;
        std::set<std::vector<Level>> projections;
        for (std::size_t block = 0; block < grid->blocks(); ++block) {
            std::vector<Level> free;
            for (std::size_t t = 0; t < isFixed.size(); ++t) {
                if (!isFixed[t])
                    free.push_back(grid->levelVector(block)[t]);
            }
            QVERIFY2(contracted->findBlock(free), describe(*grid).c_str());
            projections.insert(free);
        }
        QCOMPARE(contracted->blocks(), projections.size());
    }
}

void ContractionTest::lastGroupIsEmptyUnlessAskedFor()
{
    const SparseGrid grid(GridShape(3, 3, modified));
    const std::vector<double> coefficients(grid.points(), 1.0), x(3, 0.3);
    QVERIFY(contract<double>(grid, coefficients, {true, false, true}, x, false, CpuDevice{1})
                .lastGroup.empty());
}

void ContractionTest::coordinatesOfFreeDimensionsDoNotMatter()
{
    Random random(4);
    for (int i = 0; i < 50; ++i) {
        const auto grid = randomGrid(random, 6, 2'000);
        const auto isFixed = randomFixed(random, grid->dimension());
        const auto coefficients = randomValues<double>(random, grid->points());
        auto x = randomPoints<double>(random, *grid, 1);
        const auto first = contract<double>(*grid, coefficients, isFixed, x, true, CpuDevice{1});
        for (std::size_t t = 0; t < x.size(); ++t) {
            if (!isFixed[t])
                x[t] = random.real();
        }
        const auto second = contract<double>(*grid, coefficients, isFixed, x, true, CpuDevice{1});
        QVERIFY2(first.coefficients == second.coefficients, describe(*grid).c_str());
        QVERIFY2(first.lastGroup == second.lastGroup, describe(*grid).c_str());
    }
}

void ContractionTest::nothingFixedChangesNothing()
{
    Random random(5);
    const SparseGrid grid(GridShape(3, 4, {}, {zero, boundary, modified}));
    const auto coefficients = randomValues<double>(random, grid.points());
    const std::vector<double> x(3, 0.5);
    const auto same =
        contract<double>(grid, coefficients, {false, false, false}, x, true, CpuDevice{1});
    QVERIFY(std::ranges::equal(same.grid->levelVectors(), grid.levelVectors()));
    auto lastGroup = coefficients;
    std::fill_n(lastGroup.begin(), grid.groupFirstPoint(grid.groups() - 1), 0.0);
    const double tolerance = interpolationTolerance<double>(grid, 1);
    GRIDHELM_COMPARE_CLOSE(same.coefficients, coefficients, tolerance, describe(grid));
    GRIDHELM_COMPARE_CLOSE(same.lastGroup, lastGroup, tolerance, describe(grid));
}

void ContractionTest::everythingFixedIsAnError()
{
    const SparseGrid grid(GridShape(2, 3, zero));
    const std::vector<double> coefficients(grid.points()), x(2, 0.5);
    GRIDHELM_EXPECT_ERROR(
        contract<double>(grid, coefficients, {true, true}, x, false, CpuDevice{1}));
}

void ContractionTest::wrongSizesAreErrors()
{
    const SparseGrid grid(GridShape(2, 3, zero));
    const std::vector<double> coefficients(grid.points()), tooFew(grid.points() - 1), x(2, 0.5);
    GRIDHELM_EXPECT_ERROR(contract<double>(grid, coefficients, {true}, x, false, CpuDevice{1}));
    GRIDHELM_EXPECT_ERROR(contract<double>(grid, coefficients, {true, false}, std::span(x).first(1),
                                           false, CpuDevice{1}));
    GRIDHELM_EXPECT_ERROR(contract<double>(grid, tooFew, {true, false}, x, false, CpuDevice{1}));
}

QTEST_GUILESS_MAIN(ContractionTest)
#include "tst_contraction.moc"
