// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/error_estimates.h"

#include "tests/core/closeness.h"
#include "tests/core/expect_error.h"
#include "tests/core/random_grids.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

using enum BoundaryTreatment;

bool isGridPoint(const SparseGrid &grid, std::span<const double> x)
{
    std::vector<Level> levels;
    for (double coordinate : x) {
        int level = 0; // the l for which 2^(l+1) x is odd
        double scaled = 2 * coordinate;
        while (level < maximumLevel && scaled != std::floor(scaled)) {
            scaled *= 2;
            ++level;
        }
        const bool isEnd = coordinate == 0 || coordinate == 1;
        levels.push_back(static_cast<Level>(isEnd ? -1 : level));
    }
    return grid.findBlock(levels).has_value();
}

} // namespace

class ErrorEstimatesTest : public QObject
{
    Q_OBJECT

private slots:
    void normsByHand();
    void zeroReferenceGivesTheAbsoluteError();
    void normsOfFloatsAreComputedInDouble();
    void nanIsTheWorstError();
    void differentLengthsAreAnError();

    void holdOutPointsAreInTheCubeAndNew();
    void holdOutPointsIncludeCornersAndFaceCentres();
    void holdOutPointsAreReproducible();
    void holdOutPointsSpreadOverTheCube();
};

void ErrorEstimatesTest::normsByHand()
{
    const std::vector<double> exact{3, -4, 0, 12}, approximation{3, -2, 1, 10};
    const auto norms = errorNorms<double>(approximation, exact);
    // Errors 0, 2, 1, -2; ||exact|| = 13.
    QCOMPARE(norms.relativeL2, 3.0 / 13);
    QCOMPARE(norms.maximum, 2.0);
    QCOMPARE(norms.relativeMaximum, 2.0 / 12);
    QCOMPARE(norms.worst, std::size_t{1});

    const std::vector<double> one{2}, other{-1};
    QCOMPARE(errorNorms<double>(other, one).relativeL2, 1.5);
    QCOMPARE(errorNorms<double>(other, one).worst, std::size_t{0});
    QCOMPARE(errorNorms<double>(one, one).relativeL2, 0.0);
    QCOMPARE(errorNorms<double>(one, one).maximum, 0.0);
}

void ErrorEstimatesTest::zeroReferenceGivesTheAbsoluteError()
{
    const std::vector<double> exact{0, 0}, approximation{3, -4};
    const auto norms = errorNorms<double>(approximation, exact);
    QCOMPARE(norms.relativeL2, 5.0);
    QCOMPARE(norms.maximum, 4.0);
    QCOMPARE(norms.relativeMaximum, 4.0);
    QCOMPARE(norms.worst, std::size_t{1});
}

void ErrorEstimatesTest::normsOfFloatsAreComputedInDouble()
{
    // In float, adding 1e-4 to 1 a hundred thousand times loses digits, and 1e30^2 overflows.
    std::vector<float> exact(100'000, 1e-2F), approximation(100'000, 2e-2F);
    QVERIFY(std::abs(errorNorms<float>(approximation, exact).relativeL2 - 1) < 1e-6);
    const std::vector<float> large{1e30F}, twice{2e30F};
    QVERIFY(std::abs(errorNorms<float>(twice, large).relativeL2 - 1) < 1e-6);
}

void ErrorEstimatesTest::nanIsTheWorstError()
{
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> exact{1, 1, 1}, approximation{9, nan, 5};
    const auto norms = errorNorms<double>(approximation, exact);
    QCOMPARE(norms.worst, std::size_t{1});
    QVERIFY(std::isnan(norms.maximum));
    QVERIFY(std::isnan(norms.relativeL2));
}

void ErrorEstimatesTest::differentLengthsAreAnError()
{
    const std::vector<double> two{1, 2}, three{1, 2, 3}, none;
    GRIDHELM_EXPECT_ERROR(errorNorms<double>(two, three));
    GRIDHELM_EXPECT_ERROR(errorNorms<double>(none, none));
}

void ErrorEstimatesTest::holdOutPointsAreInTheCubeAndNew()
{
    Random random(3);
    for (int i = 0; i < 100; ++i) {
        const auto grid = randomGrid(random, 8, 2'000);
        const auto d = static_cast<std::size_t>(grid->dimension());
        const auto count = 1 + random.index(200);
        const auto points = holdOutPoints(*grid, count, 7);
        QCOMPARE(points.size(), count * d);
        requireInsideUnitCube(PointsView<double>{points, grid->dimension()});
        std::set<std::vector<double>> different;
        for (std::size_t j = 0; j < count; ++j) {
            const auto x = std::span(points).subspan(j * d, d);
            QVERIFY2(!isGridPoint(*grid, x), describe(*grid).c_str());
            different.emplace(x.begin(), x.end());
        }
        QCOMPARE(different.size(), count);
    }
}

void ErrorEstimatesTest::holdOutPointsIncludeCornersAndFaceCentres()
{
    for (const auto &treatments :
         {std::vector{zero, zero, zero}, std::vector{modified, modified},
          std::vector{boundary, modified, zero}, std::vector(16, modified)}) {
        const auto d = treatments.size();
        const SparseGrid grid(GridShape(static_cast<int>(d), 2, {}, treatments));
        for (std::size_t count : {7, 12, 23, 200}) {
            const auto points = holdOutPoints(grid, count, 1);
            std::size_t corners = 0, faces = 0, inside = 0;
            for (std::size_t j = 0; j < count; ++j) {
                const auto x = std::span(points).subspan(j * d, d);
                const auto ends =
                    std::ranges::count_if(x, [](double c) { return c == 0 || c == 1; });
                const auto middles = std::ranges::count(x, 0.5);
                corners += static_cast<std::size_t>(ends) == d ? 1 : 0;
                faces += ends == 1 && static_cast<std::size_t>(middles) == d - 1 ? 1 : 0;
                inside += ends == 0 ? 1 : 0;
            }
            const auto ofEach = std::min(count / 8, std::size_t{2});
            QCOMPARE(corners, ofEach);
            QCOMPARE(faces, ofEach); // of dimensions without end points, if there are others
            QCOMPARE(inside, count - corners - faces);
        }
    }
}

void ErrorEstimatesTest::holdOutPointsAreReproducible()
{
    const SparseGrid grid(GridShape(4, 4, modified));
    QCOMPARE(holdOutPoints(grid, 100, 42), holdOutPoints(grid, 100, 42));
    QVERIFY(holdOutPoints(grid, 100, 42) != holdOutPoints(grid, 100, 43));
}

void ErrorEstimatesTest::holdOutPointsSpreadOverTheCube()
{
    const SparseGrid grid(GridShape(3, 4, zero));
    const auto points = holdOutPoints(grid, 4'000, 9);
    for (std::size_t t = 0; t < 3; ++t) {
        double sum = 0;
        for (std::size_t j = 0; j < 4'000; ++j)
            sum += points[j * 3 + t];
        // The mean of 4000 uniform numbers has the deviation 0.29 / sqrt(4000) = 0.0046.
        QVERIFY(std::abs(sum / 4'000 - 0.5) < 6 * 0.0046);
    }
}

GRIDHELM_TEST(ErrorEstimatesTest)
#include "tst_error_estimates.moc"
