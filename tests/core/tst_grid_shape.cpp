// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counting grids without enumerating them, and refusing those that are impossible.
#include "core/sparse/grid_shape.h"

#include "core/sparse/sparse_grid.h"
#include "tests/core/expect_error.h"
#include "tests/core/random_grids.h"
#include "tests/core/reference_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>
#include <sys/resource.h>

using namespace gridhelm;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

__extension__ typedef unsigned __int128 Wide;

using enum BoundaryTreatment;

/// Visits every level vector with components up to the caps, and counts those with |l|_1 < n, of
/// the dimensions that count.
GridCount countByEnumeration(const GridShape &shape)
{
    const auto d = static_cast<std::size_t>(shape.dimension());
    std::vector<Level> lowest;
    for (auto treatment : shape.treatments())
        lowest.push_back(static_cast<Level>(lowestLevel(treatment)));
    GridCount count;
    auto levels = lowest;
    while (true) {
        int sum = 0;
        std::uint64_t points = 1;
        for (std::size_t t = 0; t < d; ++t) {
            sum += levels[t] > 0 && !shape.isDense(static_cast<int>(t)) ? levels[t] : 0;
            points *= levels[t] < 0 ? 2U : 1ULL << levels[t];
        }
        if (sum < shape.level()) {
            ++count.blocks;
            count.points += points;
        }
        std::size_t t = 0;
        while (t < d && levels[t] + 1 >= shape.caps()[t]) {
            levels[t] = lowest[t];
            ++t;
        }
        if (t == d)
            return count;
        ++levels[t];
    }
}

Wide binomial(int n, int k)
{
    Wide result = 1;
    for (int i = 1; i <= k; ++i)
        result = result * static_cast<Wide>(n - k + i) / static_cast<Wide>(i);
    return result;
}

/// sum_g 2^g C(d - 1 + g, d - 1): what a regular grid without end points holds.
Wide regularPoints(int dimension, int level)
{
    Wide points = 0;
    for (int g = 0; g < level; ++g)
        points += binomial(dimension - 1 + g, dimension - 1) << g;
    return points;
}

long peakMemoryKibibytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

} // namespace

class GridShapeTest : public QObject
{
    Q_OBJECT

private slots:
    void countsMatchEnumeration();
    void countsMatchReferenceCases();
    void countsOfTenDimensionsTenLevels();
    void countsMatchClosedFormOrOverflow();
    void countsOfOneDimension();
    void denseDimensionsAreCombinedWithEveryBlockOfTheOthers();
    void overflowIsAnError();
    void capsAboveTheLevelCountAsTheLevel();
    void oneTreatmentStandsForAll();
    void treatmentsHaveTheirNames();
    void contradictoryEndsAreNoTreatment();
    void impossibleShapesAreErrors();
    void levelVectorCountsSumUpToTheBlocks();
    void gridTooLargeForMemoryIsRefusedBeforeAllocation();
    void gridThatFitsIsAccepted();
};

void GridShapeTest::countsMatchEnumeration()
{
    Random random(1);
    for (int i = 0; i < 400; ++i) {
        const auto shape = randomShape(random, 7, 1'000'000);
        const auto expected = countByEnumeration(shape);
        const auto count = countGrid(shape);
        QCOMPARE(count.blocks, expected.blocks);
        QCOMPARE(count.points, expected.points);
    }
}

void GridShapeTest::countsMatchReferenceCases()
{
    const auto cases = readReference("sparse_grid_cases.json");
    const auto &counts = cases.at("counts");
    QVERIFY(!counts.empty());
    for (const auto &entry : counts) {
        for (auto treatment : {zero, boundary, modified}) {
            const GridShape shape(entry.at("dim"), entry.at("level"), entry.at("caps"),
                                  {treatment});
            const auto &expected = entry.at(std::string(toString(treatment)));
            const auto count = countGrid(shape);
            QCOMPARE(count.points, expected.at("points").get<std::uint64_t>());
            QCOMPARE(count.blocks, expected.at("blocks").get<std::uint64_t>());
        }
    }
}

void GridShapeTest::countsOfTenDimensionsTenLevels()
{
    for (auto treatment : {zero, modified}) {
        const auto count = countGrid(GridShape(10, 10, treatment));
        QCOMPARE(count.blocks, std::uint64_t{92'378});
        QCOMPARE(count.points, std::uint64_t{32'978'945});
    }
}

void GridShapeTest::countsMatchClosedFormOrOverflow()
{
    for (int dimension = 1; dimension <= 32; ++dimension) {
        for (int level = 1; level <= 30; ++level) {
            const GridShape shape(dimension, level);
            const auto expected = regularPoints(dimension, level);
            if (expected > std::numeric_limits<std::uint64_t>::max()) {
                GRIDHELM_EXPECT_ERROR(countGrid(shape));
            } else {
                const auto count = countGrid(shape);
                QCOMPARE(count.points, static_cast<std::uint64_t>(expected));
                // Blocks: level vectors of d components with |l|_1 <= n - 1.
                QCOMPARE(count.blocks,
                         static_cast<std::uint64_t>(binomial(dimension + level - 1, dimension)));
            }
        }
    }
}

void GridShapeTest::countsOfOneDimension()
{
    for (int level = 1; level <= 30; ++level) {
        QCOMPARE(countGrid(GridShape(1, level, zero)).points, (1ULL << level) - 1);
        QCOMPARE(countGrid(GridShape(1, level, modified)).points, (1ULL << level) - 1);
        QCOMPARE(countGrid(GridShape(1, level, boundary)).points, (1ULL << level) + 1);
    }
}

void GridShapeTest::denseDimensionsAreCombinedWithEveryBlockOfTheOthers()
{
    // Two parameters and time: 49 and 129 runs of the cavity, with 33 times each.
    for (int level : {4, 5, 6}) {
        const auto runs = countGrid(GridShape(2, level, modified));
        const auto times = countGrid(GridShape(1, 5, boundary));
        QCOMPARE(times.points, std::uint64_t{33});
        const GridShape shape(3, level, {level, level, 5}, {modified, modified, boundary}, 0b100);
        QCOMPARE(countGrid(shape).points, runs.points * times.points);
        QCOMPARE(countGrid(shape).blocks, runs.blocks * times.blocks);
    }
    // Their caps are their own, however low the level; without one they have the level's.
    QCOMPARE(countGrid(GridShape(2, 1, {1, 12}, {zero}, 0b10)).points, std::uint64_t{4095});
    QCOMPARE(countGrid(GridShape(2, 3, {}, {zero}, 0b11)).points, std::uint64_t{49});
    QCOMPARE(countGrid(GridShape(1, 1, {30}, {boundary}, 1)).points, (1ULL << 30) + 1);
}

void GridShapeTest::overflowIsAnError()
{
    // The tables of counts stay small.
    GRIDHELM_EXPECT_ERROR(GridShape(32, 30, std::vector<int>(32, 30), {boundary}, ~0U));
    GRIDHELM_EXPECT_ERROR(GridShape(3, 1, {21, 21, 23}, {zero}, 0b111));
    QCOMPARE(countGrid(GridShape(3, 1, {21, 21, 21}, {zero}, 0b111)).points,
             ((1ULL << 21) - 1) * ((1ULL << 21) - 1) * ((1ULL << 21) - 1));
    GRIDHELM_EXPECT_ERROR(countGrid(GridShape(32, 30, std::vector<int>(32, 3), {boundary}, ~3U)));
    GRIDHELM_EXPECT_ERROR(countGrid(GridShape(32, 30, zero)));
    GRIDHELM_EXPECT_ERROR(countGrid(GridShape(32, 30, boundary)));
    GRIDHELM_EXPECT_ERROR(countGrid(GridShape(32, 30, modified)));
    GRIDHELM_EXPECT_ERROR(SparseGrid(GridShape(32, 30, boundary)));
    // 3^32 = 1.85e15 points: large, but countable.
    QCOMPARE(countGrid(GridShape(32, 1, boundary)).points, std::uint64_t{1'853'020'188'851'841});
}

void GridShapeTest::capsAboveTheLevelCountAsTheLevel()
{
    const GridShape shape(3, 4, {9, 2, 4}, {zero});
    QCOMPARE(shape.caps(), (std::vector<int>{4, 2, 4}));
    QCOMPARE(GridShape(2, 7).caps(), (std::vector<int>{7, 7}));
    QCOMPARE(GridShape(2, 7, {}, {boundary}).caps(), (std::vector<int>{7, 7}));
}

void GridShapeTest::oneTreatmentStandsForAll()
{
    QCOMPARE(GridShape(3, 2, {}, {modified}).treatments(), std::vector(3, modified));
    const std::vector mixed{zero, boundary, modified};
    QCOMPARE(GridShape(3, 2, {}, mixed).treatments(), mixed);
}

void GridShapeTest::treatmentsHaveTheirNames()
{
    // As they are in study files: never to change.
    QCOMPARE(findBoundaryTreatment("zero"), std::optional(zero));
    QCOMPARE(findBoundaryTreatment("boundary"), std::optional(boundary));
    QCOMPARE(findBoundaryTreatment("modified"), std::optional(modified));
    QCOMPARE(findBoundaryTreatment("clenshaw-curtis"), std::optional(clenshawCurtis));
    QCOMPARE(findBoundaryTreatment("leja"), std::optional(leja));
    QVERIFY(!findBoundaryTreatment("Modified") && !findBoundaryTreatment(""));
    for (const auto treatment : boundaryTreatments()) {
        QCOMPARE(findBoundaryTreatment(toString(treatment)), std::optional(treatment));
        QCOMPARE(parseBoundaryTreatments(toString(treatment), 2), std::vector(2, treatment));
        QVERIFY(boundaryTreatmentHelp().find(std::string(toString(treatment)) + " (")
                != std::string::npos);
    }
    GRIDHELM_EXPECT_ERROR(parseBoundaryTreatments("none", 2));
}

void GridShapeTest::contradictoryEndsAreNoTreatment()
{
    for (const auto treatment : treatmentsWithCells())
        QVERIFY(areConsistent(endsOf(treatment)));
    QVERIFY(areConsistent({.levelZero = {0, 1}, .outermost = {0, 2}}));
    QVERIFY(!areConsistent({.levelZero = {0, 1}, .outermost = {2, 2}})); // nothing to divide by
    QVERIFY(!areConsistent({.levelZero = {1, 1}, .outermost = {1, 1}})); // no two points say it
    QVERIFY(!areConsistent({.levelZero = {3, 1}}));
    QVERIFY(!areConsistent({.arePoints = true, .levelZero = {1, 1}})); // would not be hierarchical
}

void GridShapeTest::impossibleShapesAreErrors()
{
    for (int dimension : {-1, 0, 33, 1000})
        GRIDHELM_EXPECT_ERROR(GridShape(dimension, 3));
    for (int level : {-1, 0, 31, 1000})
        GRIDHELM_EXPECT_ERROR(GridShape(3, level));
    GRIDHELM_EXPECT_ERROR(GridShape(3, 4, {2, 2}, {zero}));
    GRIDHELM_EXPECT_ERROR(GridShape(3, 4, {2, 2, 2, 2}, {zero}));
    GRIDHELM_EXPECT_ERROR(GridShape(3, 4, {2, 0, 2}, {zero}));
    GRIDHELM_EXPECT_ERROR(GridShape(3, 4, {2, -1, 2}, {zero}));
    GRIDHELM_EXPECT_ERROR(GridShape(3, 4, {2, 2, 31}, {zero}, 0b100));
    GRIDHELM_EXPECT_ERROR(GridShape(3, 4, {2, 2, 0}, {zero}, 0b100));
    GRIDHELM_EXPECT_ERROR(GridShape(3, 4, {}, {zero}, 0b1000)); // of another dimension
    GRIDHELM_EXPECT_ERROR(GridShape(3, 4, {}, {}));
    GRIDHELM_EXPECT_ERROR(GridShape(3, 4, {}, {zero, zero}));
    GRIDHELM_EXPECT_ERROR(GridShape(3, 4, {}, {zero, zero, zero, zero}));
}

void GridShapeTest::levelVectorCountsSumUpToTheBlocks()
{
    Random random(2);
    for (int i = 0; i < 100; ++i) {
        const auto shape = randomShape(random, 8, 100'000);
        const LevelVectorCounts counts(shape);
        std::uint64_t blocks = 0;
        const int d = shape.dimension(), denseSum = shape.highestDenseSum();
        for (int free = 0; free <= d; ++free) {
            for (int group = 0; group < shape.level(); ++group) {
                for (int dense = 0; dense <= denseSum; ++dense)
                    blocks += counts(d, free, {group, dense});
            }
        }
        QCOMPARE(blocks, countGrid(shape).blocks);
        QCOMPARE(counts(d, -1, {0, 0}), std::uint64_t{0});
        QCOMPARE(counts(d, 0, {shape.level(), 0}), std::uint64_t{0});
        QCOMPARE(counts(d, 0, {0, denseSum + 1}), std::uint64_t{0});
    }
}

void GridShapeTest::gridTooLargeForMemoryIsRefusedBeforeAllocation()
{
    const auto before = peakMemoryKibibytes();
    // 2,978,876,139,921 points, 24 TB of doubles.
    GRIDHELM_EXPECT_ERROR(requireFitsInMemory(GridShape(20, 4, boundary), 8));
    // 4.3e9 blocks of 32 components for the corners' neighbours alone.
    GRIDHELM_EXPECT_ERROR(SparseGrid(GridShape(32, 4, boundary)));
    QVERIFY(peakMemoryKibibytes() - before < 16 * 1024);
}

void GridShapeTest::gridThatFitsIsAccepted()
{
    requireFitsInMemory(GridShape(3, 5), 8);
    requireFitsInMemory(GridShape(10, 6), 8);
}

GRIDHELM_TEST(GridShapeTest)
#include "tst_grid_shape.moc"
