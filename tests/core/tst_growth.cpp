// SPDX-License-Identifier: GPL-3.0-or-later
//
// A grid that grows keeps its coefficients, and ends where one go would have ended.
#include "core/sparse/growth.h"

#include "core/sparse/reference/literal.h"
#include "tests/core/closeness.h"
#include "tests/core/definition.h"
#include "tests/core/random_grids.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

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

/// A random selection of `count` level vectors of `full` and all that are below them.
GridPointer partOf(const SparseGrid &full, std::size_t count, Random &random)
{
    std::vector<std::size_t> chosen{0};
    for (std::size_t i = 0; i < count; ++i)
        chosen.push_back(random.index(full.blocks()));
    std::vector<Level> levels;
    for (std::size_t block = 0; block < full.blocks(); ++block) {
        const auto vector = full.levelVector(block);
        const bool isWanted = std::ranges::any_of(chosen, [&](std::size_t other) {
            return std::ranges::equal(vector, full.levelVector(other), std::less_equal<>());
        });
        if (isWanted)
            levels.insert(levels.end(), vector.begin(), vector.end());
    }
    return std::make_shared<SparseGrid>(full.treatments(), levels, full.dense());
}

} // namespace

class GrowthTest : public QObject
{
    Q_OBJECT

private slots:
    void pointAfterPointEqualsOneGo();
    void ancestorsAreBelowTheirPoint();
    void ancestorWeightsInOneDimension();
    void ancestorWeightsDoNotDependOnTheRestOfTheGrid();
};

void GrowthTest::pointAfterPointEqualsOneGo()
{
    Random random(7);
    std::vector<GridPointer> grids;
    for (int i = 0; i < 100; ++i)
        grids.push_back(randomGrid(random, 7, 600, i % 2 == 0 ? Kinds::hats : Kinds::all));
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
            (grid->hasHatsOnly() ? 1 : 16)
                * hierarchizationTolerance<double>(*grid, largestMagnitude(expected) + 2),
            describe(*grid));
    }
}

void GrowthTest::ancestorsAreBelowTheirPoint()
{
    Random random(8);
    for (int i = 0; i < 60; ++i) {
        const auto grid = randomGrid(random, 7, 1'000, i % 2 == 0 ? Kinds::hats : Kinds::all);
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
            // values: exact in binary, if they are hats.
            for (std::uint64_t other = 0; other < grid->points(); ++other) {
                grid->idx2gp(other, ancestorLevels, ancestorPositions);
                double value = other == point ? 0 : 1;
                for (std::size_t t = 0; t < d; ++t) {
                    value *= ancestorLevels[t] > levels[t]
                                 ? 0
                                 : anyFunction(grid->basis(static_cast<int>(t)), ancestorLevels[t],
                                               ancestorPositions[t], x[t])
                                       .value;
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
        const auto part = partOf(*full, full->blocks() / 4, random);
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

GRIDHELM_TEST(GrowthTest)
#include "tst_growth.moc"
