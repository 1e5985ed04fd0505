// SPDX-License-Identifier: GPL-3.0-or-later
//
// The bijection between grid points and storage indices.
#include "core/sparse/sparse_grid.h"

#include "tests/core/definition.h"
#include "tests/core/expect_error.h"
#include "tests/core/random_grids.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

using namespace gridhelm;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

using enum BoundaryTreatment;

struct Point
{
    std::vector<Level> levels;
    std::vector<std::uint32_t> positions;
};

Point pointAt(const SparseGrid &grid, std::uint64_t index)
{
    const auto d = static_cast<std::size_t>(grid.dimension());
    Point point{std::vector<Level>(d), std::vector<std::uint32_t>(d)};
    grid.idx2gp(index, point.levels, point.positions);
    return point;
}

/// |l|_1 of the dimensions that are dense, or that are not.
int sumOf(const SparseGrid &grid, LevelVectorView levels, bool ofDense)
{
    int result = 0;
    for (int t = 0; t < grid.dimension(); ++t) {
        const int level = levels[static_cast<std::size_t>(t)];
        result += grid.isDense(t) == ofDense && level > 0 ? level : 0;
    }
    return result;
}

/// Of each block, by what groups are (Grouping).
std::map<std::vector<Level>, int> groupsOf(const SparseGrid &grid)
{
    std::map<std::vector<Level>, int> groups;
    for (std::size_t block = 0; block < grid.blocks(); ++block) {
        const auto levels = grid.levelVector(block);
        groups[{levels.begin(), levels.end()}] =
            isInLastGroup(grid, levels) ? grid.groups() - 1 : sumOf(grid, levels, false);
    }
    return groups;
}

/// The order in memory (sparse-grids.md, eq:storage-order and eq:point-index) for two points.
bool comesBefore(const SparseGrid &grid, const std::map<std::vector<Level>, int> &groups,
                 const Point &a, const Point &b)
{
    const auto free = [](const Point &p) {
        return std::ranges::count_if(p.levels, [](Level level) { return level >= 0; });
    };
    if (groups.at(a.levels) != groups.at(b.levels))
        return groups.at(a.levels) < groups.at(b.levels);
    const int denseA = sumOf(grid, a.levels, true), denseB = sumOf(grid, b.levels, true);
    if (denseA != denseB)
        return denseA < denseB;
    if (free(a) != free(b))
        return free(a) < free(b);
    const auto bits = [](const Point &p) {
        int sum = 0;
        for (Level level : p.levels)
            sum += bitsInDimension(level);
        return sum;
    };
    if (bits(a) != bits(b))
        return bits(a) < bits(b);
    for (std::size_t t = a.levels.size(); t-- > 0;) { // the highest differing component
        if (a.levels[t] != b.levels[t])
            return a.levels[t] < b.levels[t];
    }
    for (std::size_t t = 0; t < a.positions.size(); ++t) { // row-major, last dimension fastest
        if (a.positions[t] != b.positions[t])
            return a.positions[t] < b.positions[t];
    }
    return false;
}

std::vector<Level> copyOf(std::span<const Level> levels)
{
    return {levels.begin(), levels.end()};
}

} // namespace

class SparseGridTest : public QObject
{
    Q_OBJECT

private slots:
    void indicesAndPointsAreABijectionInStorageOrder();
    void truncatedGridHoldsWhatItsShapeSays();
    void smallGridInOrder();
    void denseDimensionsComeWithAllLevelsInEachGroup();
    void blocksTileTheStorage();
    void groupsTileTheStorage();
    void leavesAreTheLastGroupIfAskedFor();
    void levelVectorsInAnyOrderGiveTheSameGrid();
    void explicitLevelVectorsEqualTheShape();
    void absentBlocksAreNotFound();
    void pointsOutsideTheGridAreErrors();
    void setsThatAreNoGridAreErrors();
    void coordinatesAreExact();
    void thirtyTwoDimensions();
    void tableTakesAtMost32BytesABlock();
};

void SparseGridTest::indicesAndPointsAreABijectionInStorageOrder()
{
    Random random(1);
    for (int i = 0; i < 300; ++i) {
        const auto grid = randomGrid(random, 8, 20'000);
        const auto groups = groupsOf(*grid);
        std::optional<Point> previous;
        for (std::uint64_t index = 0; index < grid->points(); ++index) {
            const auto point = pointAt(*grid, index);
            // Strictly ascending, hence all different.
            if (previous && !comesBefore(*grid, groups, *previous, point))
                QFAIL(describe(*grid).c_str());
            if (grid->gp2idx(point.levels, point.positions) != index)
                QFAIL(describe(*grid).c_str());
            for (std::size_t t = 0; t < point.levels.size(); ++t) {
                if (point.levels[t] < lowestLevel(grid->treatments()[t])
                    || point.positions[t] >= (point.levels[t] < 0 ? 2U : 1U << point.levels[t]))
                    QFAIL(describe(*grid).c_str());
            }
            previous = point;
        }
    }
}

void SparseGridTest::truncatedGridHoldsWhatItsShapeSays()
{
    Random random(2);
    for (int i = 0; i < 200; ++i) {
        const auto shape = randomShape(random, 8, 20'000);
        const SparseGrid grid(shape);
        const auto count = countGrid(shape);
        QCOMPARE(grid.points(), count.points);
        QCOMPARE(std::uint64_t{grid.blocks()}, count.blocks);
        QCOMPARE(grid.dimension(), shape.dimension());
        QCOMPARE(grid.treatments(), shape.treatments());
        for (std::size_t block = 0; block < grid.blocks(); ++block) {
            const auto levels = grid.levelVector(block);
            QVERIFY(sumOf(grid, levels, false) <= shape.level() - 1);
            for (std::size_t t = 0; t < levels.size(); ++t)
                QVERIFY(levels[t] <= shape.caps()[t] - 1);
        }
        for (int t = 0; t < grid.dimension(); ++t)
            QCOMPARE(grid.highestLevel(t), shape.caps()[static_cast<std::size_t>(t)] - 1);
    }
}

void SparseGridTest::smallGridInOrder()
{
    // By hand: group 0 has (-1,-1), then one free dimension, then two; group 1 likewise.
    const SparseGrid grid(GridShape(2, 2, boundary));
    const std::vector<Level> expected{-1, -1, 0, -1, -1, 0, 0, 0, 1, -1, -1, 1, 1, 0, 0, 1};
    QCOMPARE(copyOf(grid.levelVectors()), expected);
    QCOMPARE(grid.points(), std::uint64_t{4 + 2 + 2 + 1 + 4 + 4 + 2 + 2});

    const auto index = [&](Level l0, Level l1, std::uint32_t p0, std::uint32_t p1) {
        return grid.gp2idx(std::vector{l0, l1}, std::vector{p0, p1});
    };
    QCOMPARE(index(-1, -1, 0, 1), std::uint64_t{1}); // (0, 1): last dimension fastest
    QCOMPARE(index(-1, -1, 1, 0), std::uint64_t{2}); // (1, 0)
    QCOMPARE(index(0, -1, 0, 1), std::uint64_t{5});
    QCOMPARE(index(-1, 0, 1, 0), std::uint64_t{7});
    QCOMPARE(index(0, 0, 0, 0), std::uint64_t{8});
    QCOMPARE(index(1, -1, 1, 0), std::uint64_t{9 + 2});
    QCOMPARE(index(-1, 1, 1, 0), std::uint64_t{13 + 2});
    QCOMPARE(index(0, 1, 0, 1), std::uint64_t{20});
}

void SparseGridTest::denseDimensionsComeWithAllLevelsInEachGroup()
{
    // By hand: the second dimension counts nothing, and has 5 points whatever the first one has.
    const SparseGrid grid(GridShape(2, 2, {2, 2}, {modified, boundary}, 0b10));
    const std::vector<Level> expected{0, -1, 0, 0, 0, 1, 1, -1, 1, 0, 1, 1};
    QCOMPARE(copyOf(grid.levelVectors()), expected);
    QCOMPARE(grid.groups(), 2);
    QCOMPARE(grid.groupFirstPoint(1), std::uint64_t{5});
    QCOMPARE(grid.points(), std::uint64_t{15});
    QVERIFY(!grid.isDense(0) && grid.isDense(1));
    // The same blocks where it counts: another order, and other groups.
    const SparseGrid counting({modified, boundary}, grid.levelVectors());
    QCOMPARE(counting.groups(), 3);
    QCOMPARE(counting.groupFirstPoint(1), std::uint64_t{3});
    QCOMPARE(counting.points(), std::uint64_t{15});
    // All of them dense: a full grid, in one group.
    const SparseGrid full(GridShape(2, 1, {3, 2}, {zero, boundary}, 0b11));
    QCOMPARE(full.groups(), 1);
    QCOMPARE(full.points(), std::uint64_t{7 * 5});
}

void SparseGridTest::blocksTileTheStorage()
{
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        const auto grid = randomGrid(random, 8, 20'000);
        std::uint64_t next = 0;
        for (std::size_t block = 0; block < grid->blocks(); ++block) {
            std::uint64_t size = 1;
            for (Level level : grid->levelVector(block))
                size *= level < 0 ? 2U : 1ULL << level;
            QCOMPARE(grid->blockOffset(block), next);
            QCOMPARE(grid->blockSize(block), size);
            QCOMPARE(grid->findBlock(grid->levelVector(block)), std::optional(block));
            next += size;
        }
        QCOMPARE(grid->points(), next);

        auto groups = groupsOf(*grid);
        std::size_t nextBlock = 0;
        for (const auto &blockClass : grid->blockClasses()) {
            QCOMPARE(blockClass.firstBlock, nextBlock);
            QCOMPARE(blockClass.firstPoint, grid->blockOffset(nextBlock));
            while (nextBlock < grid->blocks()
                   && groups[copyOf(grid->levelVector(nextBlock))] == blockClass.group
                   && sumOf(*grid, grid->levelVector(nextBlock), true) == blockClass.dense
                   && freeDimensions(grid->levelVector(nextBlock)) == blockClass.free
                   && grid->blockSize(nextBlock) == std::uint64_t{1} << blockClass.blockBits) {
                ++nextBlock;
            }
        }
        QCOMPARE(nextBlock, grid->blocks());
    }
}

void SparseGridTest::groupsTileTheStorage()
{
    Random random(4);
    for (int i = 0; i < 200; ++i) {
        const auto grid = randomGrid(random, 8, 20'000);
        QCOMPARE(grid->groupFirstBlock(0), std::size_t{0});
        QCOMPARE(grid->groupFirstPoint(0), std::uint64_t{0});
        QCOMPARE(grid->groupFirstBlock(grid->groups()), grid->blocks());
        QCOMPARE(grid->groupFirstPoint(grid->groups()), grid->points());
        auto groups = groupsOf(*grid);
        for (int group = 0; group < grid->groups(); ++group) {
            // A downward-closed set leaves no group out.
            QVERIFY(grid->groupFirstBlock(group) < grid->groupFirstBlock(group + 1));
            QCOMPARE(grid->groupFirstPoint(group), grid->blockOffset(grid->groupFirstBlock(group)));
            for (auto b = grid->groupFirstBlock(group); b < grid->groupFirstBlock(group + 1); ++b)
                QCOMPARE(groups[copyOf(grid->levelVector(b))], group);
        }
    }
}

void SparseGridTest::leavesAreTheLastGroupIfAskedFor()
{
    // 2 is dense. (2, 0), (1, 1), (0, 2) have nothing above in 0 and 1; (3, 0) would make one of
    // them an inner block.
    const std::vector<BoundaryTreatment> treatments{leja, clenshawCurtis, modified};
    std::vector<Level> levels;
    for (const auto &[a, b] : {std::pair{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}, {3, 0}}) {
        for (int t : {0, 1})
            levels.insert(levels.end(),
                          {static_cast<Level>(a), static_cast<Level>(b), static_cast<Level>(t)});
    }
    const SparseGrid grid(treatments, levels, 4, {}, Grouping::leavesLast);
    QCOMPARE(grid.grouping(), Grouping::leavesLast);
    QCOMPARE(grid.groups(), 4); // level sums 0, 1, 2 and leaves
    QCOMPARE(grid.groupFirstBlock(2), std::size_t{6});
    QCOMPARE(grid.groupFirstBlock(3), std::size_t{8}); // (2, 0) is below (3, 0)
    for (auto b = grid.groupFirstBlock(3); b < grid.blocks(); ++b) {
        const auto vector = grid.levelVector(b);
        QVERIFY(vector[0] == 3 || vector[0] + vector[1] == 2);
    }
    const SparseGrid one({leja}, std::vector<Level>{0}, 0, {}, Grouping::leavesLast);
    QCOMPARE(one.groups(), 1);
}

void SparseGridTest::levelVectorsInAnyOrderGiveTheSameGrid()
{
    Random random(5);
    for (int i = 0; i < 100; ++i) {
        const auto treatments = randomTreatments(random, random.integer(1, 8));
        const auto levels = randomClosedSet(random, treatments, 10'000);
        const auto dense = randomDense(random, static_cast<int>(treatments.size()));
        const SparseGrid grid(treatments, levels, dense);
        QCOMPARE(grid.blocks() * treatments.size(), levels.size());
        for (std::size_t first = 0; first < levels.size(); first += treatments.size())
            QVERIFY(grid.findBlock(std::span(levels).subspan(first, treatments.size())));
        const SparseGrid again(treatments, grid.levelVectors(), dense);
        QCOMPARE(copyOf(again.levelVectors()), copyOf(grid.levelVectors()));
    }
}

void SparseGridTest::explicitLevelVectorsEqualTheShape()
{
    Random random(6);
    for (int i = 0; i < 100; ++i) {
        const SparseGrid fromShape(randomShape(random, 8, 10'000));
        const SparseGrid fromList(fromShape.treatments(), fromShape.levelVectors(),
                                  fromShape.dense());
        QCOMPARE(copyOf(fromList.levelVectors()), copyOf(fromShape.levelVectors()));
        QCOMPARE(fromList.points(), fromShape.points());
        QCOMPARE(fromList.groups(), fromShape.groups());
        for (int t = 0; t < fromShape.dimension(); ++t)
            QCOMPARE(fromList.highestLevel(t), fromShape.highestLevel(t));
    }
}

void SparseGridTest::absentBlocksAreNotFound()
{
    const SparseGrid grid(GridShape(3, 4, {4, 2, 3}, {zero, boundary, modified}));
    const auto find = [&](Level a, Level b, Level c) {
        return grid.findBlock(std::vector{a, b, c});
    };
    QVERIFY(find(3, -1, 0));
    QVERIFY(find(3, 0, 0));
    QVERIFY(!find(4, 0, 0));  // above its cap, and the sum too large
    QVERIFY(!find(3, 1, 0));  // the sum too large
    QVERIFY(!find(0, 2, 0));  // above its cap
    QVERIFY(!find(0, 0, 3));  // above its cap
    QVERIFY(!find(-1, 0, 0)); // zero has no end points
    QVERIFY(!find(0, 0, -1)); // nor has modified
    QVERIFY(!find(0, -2, 0)); // nobody has this
    QVERIFY(!find(127, 127, 127));
    QVERIFY(!find(-128, -128, -128));

    Random random(7);
    for (int i = 0; i < 100; ++i) {
        const auto set = randomGrid(random, 5, 2'000);
        const auto d = static_cast<std::size_t>(set->dimension());
        for (int attempt = 0; attempt < 200; ++attempt) {
            std::vector<Level> levels(d);
            for (Level &level : levels)
                level = static_cast<Level>(random.integer(-1, 5));
            bool isPresent = false;
            for (std::size_t block = 0; block < set->blocks() && !isPresent; ++block)
                isPresent = std::ranges::equal(set->levelVector(block), levels);
            QCOMPARE(set->findBlock(levels).has_value(), isPresent);
        }
    }
}

void SparseGridTest::pointsOutsideTheGridAreErrors()
{
    const SparseGrid grid(GridShape(2, 3, {3, 2}, {boundary, zero}));
    const auto index = [&](std::vector<Level> levels, std::vector<std::uint32_t> positions) {
        return grid.gp2idx(levels, positions);
    };
    GRIDHELM_EXPECT_ERROR(index({0, 2}, {0, 0}));  // above the cap
    GRIDHELM_EXPECT_ERROR(index({2, 1}, {0, 0}));  // above the level
    GRIDHELM_EXPECT_ERROR(index({0, -1}, {0, 0})); // no end points here
    GRIDHELM_EXPECT_ERROR(index({-1, 0}, {2, 0})); // only two end points
    GRIDHELM_EXPECT_ERROR(index({2, 0}, {4, 0}));  // four points in this level
    GRIDHELM_EXPECT_ERROR(index({0, 0}, {0, 1}));  // one point in this level
    GRIDHELM_EXPECT_ERROR(index({0}, {0}));        // too few components
    GRIDHELM_EXPECT_ERROR(index({0, 0, 0}, {0, 0, 0}));
    GRIDHELM_EXPECT_ERROR(index({0, 0}, {0}));

    std::vector<Level> levels(2);
    std::vector<std::uint32_t> positions(2);
    std::vector<double> x(2);
    GRIDHELM_EXPECT_ERROR(grid.idx2gp(grid.points(), levels, positions));
    GRIDHELM_EXPECT_ERROR(grid.coordinates(grid.points(), x));
    GRIDHELM_EXPECT_ERROR(grid.idx2gp(~std::uint64_t{0}, levels, positions));
}

void SparseGridTest::setsThatAreNoGridAreErrors()
{
    const auto make = [](std::vector<BoundaryTreatment> treatments, std::vector<Level> levels) {
        return SparseGrid(std::move(treatments), levels);
    };
    QCOMPARE(make({zero, boundary}, {0, -1}).points(), std::uint64_t{2});
    GRIDHELM_EXPECT_ERROR(make({zero, zero}, {}));
    GRIDHELM_EXPECT_ERROR(make({}, {0}));
    GRIDHELM_EXPECT_ERROR(make(std::vector(33, zero), std::vector<Level>(33, 0)));
    GRIDHELM_EXPECT_ERROR(make({zero, zero}, {0, 0, 1}));          // half a vector
    GRIDHELM_EXPECT_ERROR(make({zero, zero}, {0, 0, 1, 0, 0, 0})); // one twice
    GRIDHELM_EXPECT_ERROR(make({zero, zero}, {1, 0}));             // no (0,0)
    GRIDHELM_EXPECT_ERROR(make({zero, zero}, {0, 0, 2, 0}));       // no (1,0)
    GRIDHELM_EXPECT_ERROR(make({zero, zero}, {0, 0, 1, 0, 1, 1})); // no (0,1)
    GRIDHELM_EXPECT_ERROR(make({boundary, zero}, {0, 0}));         // no end points
    GRIDHELM_EXPECT_ERROR(make({zero, zero}, {0, 0, -1, 0}));      // end points of zero
    GRIDHELM_EXPECT_ERROR(make({modified, zero}, {0, 0, -1, 0}));
    GRIDHELM_EXPECT_ERROR(make({boundary, zero}, {-1, 0, -2, 0}));
    GRIDHELM_EXPECT_ERROR(SparseGrid({zero, zero}, std::vector<Level>{0, 0}, 0b100));
    std::vector<Level> tooHigh;
    for (Level level = 0; level <= 30; ++level)
        tooHigh.push_back(level);
    GRIDHELM_EXPECT_ERROR(make({zero}, tooHigh));
}

void SparseGridTest::coordinatesAreExact()
{
    QCOMPARE(pointCoordinate(boundary, -1, 0), 0.0);
    QCOMPARE(pointCoordinate(boundary, -1, 1), 1.0);
    QCOMPARE(pointCoordinate(boundary, 0, 0), 0.5);
    QCOMPARE(pointCoordinate(boundary, 2, 3), 0.875);
    QCOMPARE(pointCoordinate(boundary, 29, (1U << 29) - 1), 1 - 0x1p-30);

    Random random(8);
    for (int i = 0; i < 100; ++i) {
        const auto grid = randomGrid(random, 6, 5'000);
        std::vector<double> x(static_cast<std::size_t>(grid->dimension()));
        for (std::uint64_t index = 0; index < grid->points(); ++index) {
            grid->coordinates(index, x);
            const auto point = pointAt(*grid, index);
            for (std::size_t t = 0; t < x.size(); ++t) {
                const double expected =
                    point.levels[t] < 0
                        ? static_cast<double>(point.positions[t])
                        : std::ldexp(2.0 * point.positions[t] + 1, -(point.levels[t] + 1));
                if (x[t] != expected)
                    QFAIL(describe(*grid).c_str());
            }
        }
    }
}

void SparseGridTest::thirtyTwoDimensions()
{
    std::vector<BoundaryTreatment> treatments(32, modified);
    treatments[31] = boundary;
    treatments[0] = zero;
    const SparseGrid grid(GridShape(32, 3, {}, treatments));
    for (std::uint64_t index = 0; index < grid.points(); ++index) {
        const auto point = pointAt(grid, index);
        QCOMPARE(grid.gp2idx(point.levels, point.positions), index);
    }
}

void SparseGridTest::tableTakesAtMost32BytesABlock()
{
    const SparseGrid grid(GridShape(10, 8, zero));
    QVERIFY(grid.blocks() > 10'000);
    QVERIFY(grid.tableBytes() <= 32 * grid.blocks());
}

GRIDHELM_TEST(SparseGridTest)
#include "tst_sparse_grid.moc"
