// SPDX-License-Identifier: GPL-3.0-or-later
//
// Values to hierarchical coefficients and back, on all kinds of grids.
#include "core/sparse/backend.h"

#include "core/sparse/reference/literal.h"
#include "tests/core/backends.h"
#include "tests/core/closeness.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/core/random_grids.h"
#include "tests/core/sanitized.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace gridhelm;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

using enum BoundaryTreatment;

/// Larger grids than the random ones, of shapes that have been traps.
std::vector<GridPointer> specialGrids()
{
    std::vector<BoundaryTreatment> ten(10, zero);
    ten[4] = boundary;
    ten[9] = modified;
    std::vector<BoundaryTreatment> twenty(20, modified);
    twenty[3] = zero;
    twenty[19] = boundary;
    return {
        makeGrid(GridShape(1, 1, zero)),
        makeGrid(GridShape(1, 1, boundary)),
        makeGrid(GridShape(1, 1, modified)),
        makeGrid(GridShape(2, 5, {5, 3}, {zero})), // the trap of [Murarasu2013], Listing 4.2
        makeGrid(GridShape(1, 13, zero)),          // long poles
        makeGrid(GridShape(1, 13, boundary)),
        makeGrid(GridShape(1, 13, modified)),
        makeGrid(GridShape(2, 11, {}, {boundary, modified})),
        makeGrid(GridShape(2, 11, {2, 11}, {zero})),
        makeGrid(GridShape(2, 11, {11, 2}, {modified})),
        makeGrid(GridShape(3, 8, {8, 1, 5}, {modified, boundary, zero})),
        makeGrid(GridShape(5, 6, zero)),
        makeGrid(GridShape(4, 4, boundary)),
        makeGrid(GridShape(6, 5, modified)),
        makeGrid(GridShape(8, 1, boundary)),
        makeGrid(GridShape(20, 4, zero)),
        makeGrid(GridShape(20, 3, {}, twenty)),
        makeGrid(GridShape(32, 2, modified)),
        makeGrid(GridShape(32, 3, modified)),
        makeGrid(GridShape(5, 8, zero)),
        makeGrid(GridShape(10, 6, {}, ten)),  // enough points for several threads
        makeGrid(GridShape(1, 18, modified)), // a pole too long for scratch arrays
        makeGrid(GridShape(2, 17, {17, 2}, {boundary, zero})),
        makeGrid(GridShape(3, 9, boundary)),
        makeGrid(GridShape(2, 12, modified)),
        makeGrid(GridShape(1, 16, zero)),
    };
}

template <typename T>
void checkAgainstReference(const Backend &backend, const SparseGrid &grid, Random &random)
{
    const auto values = randomValues<T>(random, grid.points());
    auto expected = values;
    reference::hierarchize<T>(grid, expected);
    auto coefficients = values;
    backend.hierarchize(grid, std::span(coefficients));
    GRIDHELM_COMPARE_CLOSE(coefficients, expected,
                           hierarchizationTolerance<T>(grid, largestMagnitude(expected) + 1),
                           describe(grid));

    // The other way: compared with the literal inverse of the same coefficients.
    auto result = coefficients, expectedValues = coefficients, scale = magnitudes(coefficients);
    backend.dehierarchize(grid, std::span(result));
    reference::dehierarchize<T>(grid, expectedValues);
    reference::dehierarchize<T>(grid, scale); // at every point, the sum of the terms' magnitudes
    const double tolerance = interpolationTolerance<T>(grid, largestMagnitude(scale));
    GRIDHELM_COMPARE_CLOSE(result, expectedValues, tolerance, describe(grid));
    GRIDHELM_COMPARE_CLOSE(result, values, tolerance, describe(grid));
}

} // namespace

class HierarchizationTest : public QObject
{
    Q_OBJECT

private slots:
    void ompMatchesReferenceAndInverts_data() { addBackendAndTypeRows(Backends::fast); }
    void ompMatchesReferenceAndInverts();
    void ompMatchesReferenceOnSpecialGrids_data() { addBackendAndTypeRows(Backends::fast); }
    void ompMatchesReferenceOnSpecialGrids();
    void inverseGivesTheValuesBack_data() { addBackendAndTypeRows(Backends::all); }
    void inverseGivesTheValuesBack();
    void everyGridPointIsReproduced_data() { addBackendAndTypeRows(Backends::all); }
    void everyGridPointIsReproduced();
    void truncatedGridHasEveryBlockHierarchized_data() { addBackendAndTypeRows(Backends::all); }
    void truncatedGridHasEveryBlockHierarchized();
    void wrongNumberOfValuesIsAnError_data() { addBackendAndTypeRows(Backends::all); }
    void wrongNumberOfValuesIsAnError();
    void numberOfThreadsDoesNotChangeABit();
    void negativeNumberOfThreadsIsAnError();
};

void HierarchizationTest::ompMatchesReferenceAndInverts()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(1);
        for (int i = 0; i < 250 && !QTest::currentTestFailed(); ++i)
            checkAgainstReference<T>(backend, *randomGrid(random, 8, 20'000), random);
    });
}

void HierarchizationTest::ompMatchesReferenceOnSpecialGrids()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(2);
        for (const auto &grid : specialGrids()) {
            if (!QTest::currentTestFailed() && grid->points() <= mostComparedPoints)
                checkAgainstReference<T>(backend, *grid, random);
        }
    });
}

void HierarchizationTest::inverseGivesTheValuesBack()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(3);
        for (int i = 0; i < 100; ++i) {
            const auto grid = randomGrid(random, 8, 2'000);
            const auto values = randomValues<T>(random, grid->points());
            auto result = values;
            backend.hierarchize(*grid, std::span(result));
            auto scale = magnitudes(result);
            reference::dehierarchize<T>(*grid, scale);
            backend.dehierarchize(*grid, std::span(result));
            GRIDHELM_COMPARE_CLOSE(result, values,
                                   interpolationTolerance<T>(*grid, largestMagnitude(scale)),
                                   describe(*grid));
        }
    });
}

void HierarchizationTest::everyGridPointIsReproduced()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(4);
        const std::uint64_t highestPoints = backend.name() == "reference" ? 500 : 4'000;
        for (int i = 0; i < 100; ++i) {
            const auto grid = randomGrid(random, 8, highestPoints);
            const auto values = randomValues<T>(random, grid->points());
            auto coefficients = values;
            backend.hierarchize(*grid, std::span(coefficients));
            auto scale = magnitudes(coefficients);
            reference::dehierarchize<T>(*grid, scale);

            std::vector<T> points;
            std::vector<double> x(static_cast<std::size_t>(grid->dimension()));
            for (std::uint64_t j = 0; j < grid->points(); ++j) {
                grid->coordinates(j, x);
                for (double coordinate : x)
                    points.push_back(static_cast<T>(coordinate));
            }
            std::vector<T> result(grid->points());
            backend.load(grid, coefficients)->interpolate(viewOf(points, *grid), {result});
            GRIDHELM_COMPARE_CLOSE(result, values,
                                   interpolationTolerance<T>(*grid, largestMagnitude(scale)),
                                   describe(*grid));
        }
    });
}

void HierarchizationTest::truncatedGridHasEveryBlockHierarchized()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        // A constant has coefficients at the lowest level vector only (`modified`), or at the
        // corners (`boundary`); one block left out shows as ones.
        for (auto treatment : {boundary, modified}) {
            for (const auto &caps : std::vector<std::vector<int>>{
                     {5, 3}, {3, 5}, {2, 5}, {4, 2, 4}, {1, 3, 2}, {2, 2, 2}}) {
                const SparseGrid grid(
                    GridShape(static_cast<int>(caps.size()), 5, caps, {treatment}));
                std::vector<T> values(grid.points(), T(1));
                backend.hierarchize(grid, std::span(values));
                for (std::uint64_t j = 0; j < grid.points(); ++j)
                    QCOMPARE(values[j], j < grid.blockSize(0) ? T(1) : T(0));
            }
        }
    });
}

void HierarchizationTest::wrongNumberOfValuesIsAnError()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        const SparseGrid grid(GridShape(3, 3, zero));
        for (auto size : {grid.points() - 1, grid.points() + 1}) {
            std::vector<T> values(size);
            GRIDHELM_EXPECT_ERROR(backend.hierarchize(grid, std::span(values)));
            GRIDHELM_EXPECT_ERROR(backend.dehierarchize(grid, std::span(values)));
        }
    });
}

void HierarchizationTest::negativeNumberOfThreadsIsAnError()
{
    GRIDHELM_EXPECT_ERROR(cpuWith(-1));
    GRIDHELM_EXPECT_ERROR(ExecutionContext(CpuDevice{0}));
}

void HierarchizationTest::numberOfThreadsDoesNotChangeABit()
{
    Random random(5);
    const auto one = makeOmpBackend(test::onCpu(1)), two = makeOmpBackend(test::onCpu(2)),
               three = makeOmpBackend(test::onCpu(3));
    for (const auto &grid : specialGrids()) {
        const auto values = randomValues<double>(random, grid->points());
        auto a = values, b = values, c = values;
        one->hierarchize(*grid, std::span(a));
        two->hierarchize(*grid, std::span(b));
        three->hierarchize(*grid, std::span(c));
        QVERIFY2(a == b, describe(*grid).c_str());
        QVERIFY2(a == c, describe(*grid).c_str());
        one->dehierarchize(*grid, std::span(a));
        two->dehierarchize(*grid, std::span(b));
        three->dehierarchize(*grid, std::span(c));
        QVERIFY2(a == b, describe(*grid).c_str());
        QVERIFY2(a == c, describe(*grid).c_str());
    }
}

GRIDHELM_TEST(HierarchizationTest)
#include "tst_hierarchization.moc"
