// SPDX-License-Identifier: GPL-3.0-or-later
//
// A grid that grows keeps its coefficients, and ends where one go would have ended.
#include "core/sparse/growth.h"

#include "core/sparse/reference/literal.h"
#include "tests/core/backends.h"
#include "tests/core/closeness.h"
#include "tests/core/definition.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/core/random_grids.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

using namespace gridhelm;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

using enum BoundaryTreatment;

/// The simulation: a value that depends on the point only, never on the grid it is in.
template <typename T>
T simulate(std::span<const double> x)
{
    double sum = 0.25, phase = 0;
    for (std::size_t t = 0; t < x.size(); ++t) {
        const auto direction = static_cast<double>(t + 1);
        sum += x[t] * (1 - 0.4 * x[t]) / direction;
        phase += 3 * direction * x[t];
    }
    return static_cast<T>(sum + std::sin(phase));
}

template <typename T>
T simulateAt(const SparseGrid &grid, std::uint64_t index)
{
    std::vector<double> x(static_cast<std::size_t>(grid.dimension()));
    grid.coordinates(index, x);
    return simulate<T>(x);
}

template <typename T>
std::vector<T> coefficientsInOneGo(const SparseGrid &grid)
{
    std::vector<T> values(grid.points());
    for (std::uint64_t j = 0; j < grid.points(); ++j)
        values[j] = simulateAt<T>(grid, j);
    reference::hierarchize<T>(grid, values);
    return values;
}

template <typename T>
std::vector<T> grow(const Backend &backend, const SparseGrid &grid,
                    const std::vector<T> &coefficients, const GridPointer &grown)
{
    return growCoefficients<T>(backend, grid, coefficients, grown,
                               [&](std::uint64_t index) { return simulateAt<T>(*grown, index); });
}

/// Index in `grid` of the point with this index in `other`, if it is there.
std::optional<std::uint64_t> indexIn(const SparseGrid &grid, const SparseGrid &other,
                                     std::uint64_t index)
{
    const auto d = static_cast<std::size_t>(other.dimension());
    std::vector<Level> levels(d);
    std::vector<std::uint32_t> positions(d);
    other.idx2gp(index, levels, positions);
    if (!grid.findBlock(levels))
        return std::nullopt;
    return grid.gp2idx(levels, positions);
}

/// The grid and a random selection of `count` level vectors of `full` beside it, closed.
GridPointer partOf(const SparseGrid &start, const SparseGrid &full, std::size_t count,
                   Random &random)
{
    std::vector<Level> added;
    for (std::size_t i = 0; i < count; ++i) {
        const auto vector = full.levelVector(random.index(full.blocks()));
        added.insert(added.end(), vector.begin(), vector.end());
    }
    return std::make_shared<SparseGrid>(withLevelVectors(start, added));
}

GridPointer lowestGrid(const SparseGrid &full)
{
    return std::make_shared<SparseGrid>(full.treatments(), full.levelVector(0));
}

} // namespace

class GrowthTest : public QObject
{
    Q_OBJECT

private slots:
    void severalLevelsAtOnceEqualOneGo_data() { addBackendAndTypeRows(Backends::all); }
    void severalLevelsAtOnceEqualOneGo();
    void blockAfterBlockEqualsOneGo_data() { addBackendAndTypeRows(Backends::all); }
    void blockAfterBlockEqualsOneGo();
    void orderOfGrowthDoesNotMatter_data() { addBackendAndTypeRows(Backends::all); }
    void orderOfGrowthDoesNotMatter();
    void oldCoefficientsStayBitByBit_data() { addBackendAndTypeRows(Backends::all); }
    void oldCoefficientsStayBitByBit();
    void onlyNewPointsAreAskedForAndOnce();
    void growingByNothingChangesNothing();

    void pointAfterPointEqualsOneGo();
    void ancestorsAreBelowTheirPoint();
    void ancestorWeightsInOneDimension();
    void ancestorWeightsDoNotDependOnTheRestOfTheGrid();

    void grownGridMustContainTheOldOne();
    void closureIsTheSmallest();
    void impossibleLevelVectorsAreErrors();
};

void GrowthTest::severalLevelsAtOnceEqualOneGo()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(1);
        for (int i = 0; i < 60; ++i) {
            // From (n', c') to (n, c), n' <= n and c' <= c.
            const auto shape = randomShape(random, 7, 1'500);
            std::vector<int> caps;
            for (int cap : shape.caps())
                caps.push_back(random.integer(1, cap));
            const SparseGrid small(GridShape(shape.dimension(), random.integer(1, shape.level()),
                                             caps, shape.treatments()));
            const auto large = makeGrid(shape);
            const auto expected = coefficientsInOneGo<T>(*large);
            const auto result = grow(backend, small, coefficientsInOneGo<T>(small), large);
            GRIDHELM_COMPARE_CLOSE(
                result, expected,
                hierarchizationTolerance<T>(*large, largestMagnitude(expected) + 2),
                describe(small) + " to " + describe(*large));
        }
        // Several levels in many dimensions.
        const SparseGrid small(GridShape(20, 1, modified));
        const auto large = makeGrid(GridShape(20, 3, modified));
        const auto expected = coefficientsInOneGo<T>(*large);
        GRIDHELM_COMPARE_CLOSE(grow(backend, small, coefficientsInOneGo<T>(small), large), expected,
                               hierarchizationTolerance<T>(*large, largestMagnitude(expected) + 2),
                               describe(*large));
    });
}

void GrowthTest::blockAfterBlockEqualsOneGo()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(2);
        for (int i = 0; i < 20; ++i) {
            const auto full = randomGrid(random, 5, 600);
            auto grid = lowestGrid(*full);
            auto coefficients = coefficientsInOneGo<T>(*grid);
            while (grid->blocks() < full->blocks()) {
                const auto next = partOf(*grid, *full, 1, random);
                coefficients = grow(backend, *grid, coefficients, next);
                grid = next;
            }
            QVERIFY(std::ranges::equal(grid->levelVectors(), full->levelVectors()));
            const auto expected = coefficientsInOneGo<T>(*full);
            GRIDHELM_COMPARE_CLOSE(
                coefficients, expected,
                hierarchizationTolerance<T>(*full, largestMagnitude(expected) + 2),
                describe(*full));
        }
    });
}

void GrowthTest::orderOfGrowthDoesNotMatter()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(3);
        for (int i = 0; i < 40; ++i) {
            const auto full = randomGrid(random, 6, 800);
            const auto start = lowestGrid(*full);
            const auto first = coefficientsInOneGo<T>(*start);
            const auto atOnce = grow(backend, *start, first, full);
            for (int path = 0; path < 2; ++path) {
                const auto half = partOf(*start, *full, full->blocks() / 3, random);
                const auto inBetween = grow(backend, *start, first, half);
                GRIDHELM_COMPARE_CLOSE(
                    grow(backend, *half, inBetween, full), atOnce,
                    hierarchizationTolerance<T>(*full, largestMagnitude(atOnce) + 2),
                    describe(*full));
            }
        }
    });
}

void GrowthTest::oldCoefficientsStayBitByBit()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(4);
        for (int i = 0; i < 60; ++i) {
            const auto full = randomGrid(random, 6, 1'500);
            const auto part = partOf(*lowestGrid(*full), *full, full->blocks() / 4, random);
            // Any coefficients: they must not be touched.
            const auto old = randomValues<T>(random, part->points());
            const auto result = grow(backend, *part, old, full);
            QCOMPARE(result.size(), static_cast<std::size_t>(full->points()));
            for (std::uint64_t j = 0; j < part->points(); ++j)
                QVERIFY2(result[*indexIn(*full, *part, j)] == old[j], describe(*full).c_str());
        }
    });
}

void GrowthTest::onlyNewPointsAreAskedForAndOnce()
{
    Random random(5);
    const auto backend = makeOmpBackend(test::onCpu(1));
    for (int i = 0; i < 40; ++i) {
        const auto full = randomGrid(random, 6, 1'500);
        const auto part = partOf(*lowestGrid(*full), *full, full->blocks() / 4, random);
        const auto old = coefficientsInOneGo<double>(*part);
        std::multiset<std::uint64_t> asked;
        growCoefficients<double>(*backend, *part, old, full, [&](std::uint64_t index) {
            asked.insert(index);
            return simulateAt<double>(*full, index);
        });
        for (std::uint64_t j = 0; j < full->points(); ++j)
            QCOMPARE(asked.count(j), indexIn(*part, *full, j) ? std::size_t{0} : std::size_t{1});
    }
}

void GrowthTest::growingByNothingChangesNothing()
{
    const auto grid = makeGrid(GridShape(3, 3, boundary));
    Random random(6);
    const auto coefficients = randomValues<double>(random, grid->points());
    QCOMPARE(grow(*makeOmpBackend(test::onCpu(1)), *grid, coefficients, grid), coefficients);
    const SparseGrid same = withLevelVectors(*grid, {});
    QVERIFY(std::ranges::equal(same.levelVectors(), grid->levelVectors()));
}

void GrowthTest::pointAfterPointEqualsOneGo()
{
    Random random(7);
    std::vector<GridPointer> grids;
    for (int i = 0; i < 100; ++i)
        grids.push_back(randomGrid(random, 7, 600));
    grids.push_back(makeGrid(GridShape(20, 2, zero)));
    grids.push_back(makeGrid(GridShape(1, 9, modified)));
    for (const auto &grid : grids) {
        const auto expected = coefficientsInOneGo<double>(*grid);
        std::vector<double> coefficients(grid->points());
        for (std::uint64_t j = 0; j < grid->points(); ++j) { // ancestors come first
            const auto ancestors = ancestorWeights(*grid, j);
            QCOMPARE(ancestors.points.size(), ancestors.weights.size());
            coefficients[j] = simulateAt<double>(*grid, j);
            for (std::size_t b = 0; b < ancestors.points.size(); ++b)
                coefficients[j] -= ancestors.weights[b] * coefficients[ancestors.points[b]];
        }
        GRIDHELM_COMPARE_CLOSE(
            coefficients, expected,
            hierarchizationTolerance<double>(*grid, largestMagnitude(expected) + 2),
            describe(*grid));
    }
}

void GrowthTest::ancestorsAreBelowTheirPoint()
{
    Random random(8);
    for (int i = 0; i < 60; ++i) {
        const auto grid = randomGrid(random, 7, 1'000);
        const auto d = static_cast<std::size_t>(grid->dimension());
        std::vector<Level> levels(d), ancestorLevels(d);
        std::vector<std::uint32_t> positions(d), ancestorPositions(d);
        std::vector<double> x(d);
        for (int attempt = 0; attempt < 20; ++attempt) {
            const auto point = static_cast<std::uint64_t>(random.index(grid->points()));
            grid->idx2gp(point, levels, positions);
            grid->coordinates(point, x);
            const auto ancestors = ancestorWeights(*grid, point);
            QVERIFY(std::ranges::is_sorted(ancestors.points));
            std::size_t found = 0;
            // Exactly the functions of other blocks below that do not vanish here, with their
            // values: exact in binary.
            for (std::uint64_t other = 0; other < grid->points(); ++other) {
                grid->idx2gp(other, ancestorLevels, ancestorPositions);
                double value = other == point ? 0 : 1;
                for (std::size_t t = 0; t < d; ++t) {
                    value *= ancestorLevels[t] > levels[t]
                                 ? 0
                                 : basisFunction(grid->treatments()[t], ancestorLevels[t],
                                                 ancestorPositions[t], x[t]);
                }
                if (value == 0)
                    continue;
                QVERIFY2(found < ancestors.points.size(), describe(*grid).c_str());
                QCOMPARE(ancestors.points[found], other);
                QCOMPARE(ancestors.weights[found], value);
                ++found;
            }
            QCOMPARE(ancestors.points.size(), found);
        }
    }
}

void GrowthTest::ancestorWeightsInOneDimension()
{
    using Points = std::vector<std::uint64_t>;
    using Weights = std::vector<double>;
    // The point 5/8 (index 5 without, 7 with end points) lies under 1/2 and 3/4.
    const auto zeroAncestors = ancestorWeights(SparseGrid(GridShape(1, 3, zero)), 5);
    QCOMPARE(zeroAncestors.points, (Points{0, 2}));
    QCOMPARE(zeroAncestors.weights, (Weights{0.75, 0.5}));
    const auto boundaryAncestors = ancestorWeights(SparseGrid(GridShape(1, 3, boundary)), 7);
    QCOMPARE(boundaryAncestors.points, (Points{0, 1, 2, 4}));
    QCOMPARE(boundaryAncestors.weights, (Weights{0.375, 0.625, 0.75, 0.5}));
    const auto modifiedAncestors = ancestorWeights(SparseGrid(GridShape(1, 3, modified)), 5);
    QCOMPARE(modifiedAncestors.points, (Points{0, 2}));
    QCOMPARE(modifiedAncestors.weights, (Weights{1, 0.5}));
    // 7/8: outside the middle of the last modified function.
    QCOMPARE(ancestorWeights(SparseGrid(GridShape(1, 3, modified)), 6).weights, (Weights{1, 1.5}));
    QVERIFY(ancestorWeights(SparseGrid(GridShape(1, 3, zero)), 0).points.empty());
}

void GrowthTest::ancestorWeightsDoNotDependOnTheRestOfTheGrid()
{
    Random random(9);
    for (int i = 0; i < 60; ++i) {
        const auto full = randomGrid(random, 6, 1'000);
        const auto part = partOf(*lowestGrid(*full), *full, full->blocks() / 4, random);
        for (int attempt = 0; attempt < 20; ++attempt) {
            const auto point = static_cast<std::uint64_t>(random.index(part->points()));
            const auto inPart = ancestorWeights(*part, point);
            const auto inFull = ancestorWeights(*full, *indexIn(*full, *part, point));
            QCOMPARE(inPart.weights, inFull.weights);
            QCOMPARE(inPart.points.size(), inFull.points.size());
            for (std::size_t b = 0; b < inPart.points.size(); ++b)
                QCOMPARE(*indexIn(*full, *part, inPart.points[b]), inFull.points[b]);
        }
    }
}

void GrowthTest::grownGridMustContainTheOldOne()
{
    const auto backend = makeOmpBackend(test::onCpu(1));
    const auto tryGrowing = [&](const GridShape &from, const GridShape &to) {
        const SparseGrid grid(from);
        return grow(*backend, grid, std::vector<double>(grid.points()), makeGrid(to));
    };
    GRIDHELM_EXPECT_ERROR(tryGrowing(GridShape(2, 3, zero), GridShape(2, 2, zero)));
    GRIDHELM_EXPECT_ERROR(tryGrowing(GridShape(2, 3, zero), GridShape(2, 9, {9, 1}, {zero})));
    GRIDHELM_EXPECT_ERROR(tryGrowing(GridShape(2, 3, zero), GridShape(2, 3, modified)));
    GRIDHELM_EXPECT_ERROR(tryGrowing(GridShape(2, 2, zero), GridShape(2, 3, boundary)));
    GRIDHELM_EXPECT_ERROR(tryGrowing(GridShape(2, 2, zero), GridShape(3, 3, zero)));
}

void GrowthTest::closureIsTheSmallest()
{
    Random random(10);
    for (int i = 0; i < 60; ++i) {
        const auto full = randomGrid(random, 5, 1'000);
        const auto start = partOf(*lowestGrid(*full), *full, full->blocks() / 8, random);
        std::vector<Level> added;
        for (int k = random.integer(0, 3); k > 0; --k) {
            const auto vector = full->levelVector(random.index(full->blocks()));
            added.insert(added.end(), vector.begin(), vector.end());
        }
        const auto closed = withLevelVectors(*start, added);
        QCOMPARE(closed.treatments(), full->treatments());
        const auto d = static_cast<std::size_t>(full->dimension());
        // Exactly the vectors of the start and those below an added one.
        for (std::size_t block = 0; block < full->blocks(); ++block) {
            const auto vector = full->levelVector(block);
            bool isWanted = start->findBlock(vector).has_value();
            for (std::size_t first = 0; first < added.size(); first += d) {
                bool isBelow = true;
                for (std::size_t t = 0; t < d; ++t)
                    isBelow = isBelow && vector[t] <= added[first + t];
                isWanted = isWanted || isBelow;
            }
            QVERIFY2(closed.findBlock(vector).has_value() == isWanted, describe(*full).c_str());
        }
    }
}

void GrowthTest::impossibleLevelVectorsAreErrors()
{
    const SparseGrid grid(GridShape(2, 3, {}, {zero, boundary}));
    const auto tryAdding = [&](std::vector<Level> added) { return withLevelVectors(grid, added); };
    QVERIFY(tryAdding({4, 1}).findBlock(std::vector<Level>{4, 0}));
    GRIDHELM_EXPECT_ERROR(tryAdding({-1, 0}));
    GRIDHELM_EXPECT_ERROR(tryAdding({0, -2}));
    GRIDHELM_EXPECT_ERROR(tryAdding({30, 0}));
    GRIDHELM_EXPECT_ERROR(tryAdding({0, 0, 1}));
}

QTEST_GUILESS_MAIN(GrowthTest)
#include "tst_growth.moc"
