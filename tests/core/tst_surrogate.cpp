// SPDX-License-Identifier: GPL-3.0-or-later
//
// Weights over rows: of a sparse grid as a surrogate, and combined by evaluators.
#include "core/sparse/sparse_grid_surrogate.h"

#include "tests/core/backends.h"
#include "tests/core/definition.h"
#include "tests/core/evaluation_checks.h"
#include "tests/core/expect_error.h"
#include "tests/core/random_grids.h"
#include "tests/core/random_points.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

using enum BoundaryTreatment;

/// Every second grid with all treatments and degrees.
Kinds kindsOf(int i)
{
    return i % 2 == 0 ? Kinds::hats : Kinds::all;
}

/// One weight for each row.
std::vector<double> dense(const SparseWeights &weights, std::uint64_t rows)
{
    std::vector<double> all(rows);
    for (std::size_t i = 0; i < weights.rows.size(); ++i)
        all[weights.rows[i]] += weights.weights[i];
    return all;
}

/// The values at x of all functions, one after the other, or the slopes in one direction.
std::vector<double> allFunctions(const SparseGrid &grid, std::span<const double> x, int derived)
{
    const auto d = static_cast<std::size_t>(grid.dimension());
    std::vector<Level> levels(d);
    std::vector<std::uint32_t> positions(d);
    std::vector<double> values(grid.points(), 1.0);
    for (std::uint64_t point = 0; point < grid.points(); ++point) {
        grid.idx2gp(point, levels, positions);
        for (std::size_t t = 0; t < d; ++t) {
            const auto function =
                anyFunction(grid.basis(static_cast<int>(t)), levels[t], positions[t], x[t]);
            values[point] *= static_cast<int>(t) == derived ? function.slope : function.value;
        }
    }
    return values;
}

double scaleOf(const std::vector<double> &values)
{
    return std::max(1.0, largestMagnitude(values));
}

/// The place, moved in one direction.
std::vector<double> moved(std::vector<double> x, std::size_t t, double by)
{
    x[t] += by;
    return x;
}

} // namespace

class SurrogateTest : public QObject
{
    Q_OBJECT

private slots:
    void weightsAreTheFunctions();
    void derivativeWeightsAreTheSlopes();
    void groupsAreAPrefix();
    void outsideItGoesOnLinearly();
    void outsideOfPolynomialsValueAndSlopeGoOn();
    void activeRowsAreThoseOfMostPlaces();
    void impossiblePlacesAreErrors();

    void combinationIsTheInterpolant_data() { addBackendAndTypeRows(Backends::all); }
    void combinationIsTheInterpolant();
    void anyWeightsCanBeCombined_data() { addBackendAndTypeRows(Backends::all); }
    void anyWeightsCanBeCombined();
    void weightsOfOtherRowsAreErrors_data() { addBackendAndTypeRows(Backends::all); }
    void weightsOfOtherRowsAreErrors();
};

void SurrogateTest::weightsAreTheFunctions()
{
    Random random(1);
    for (int i = 0; i < 100; ++i) {
        const auto grid = randomGrid(random, 7, 2'000, kindsOf(i));
        const SparseGridSurrogate surrogate(grid);
        QCOMPARE(surrogate.dimension(), grid->dimension());
        QCOMPARE(surrogate.rows(), grid->points());
        QVERIFY(surrogate.activeRows(surrogate.groups()) <= surrogate.rows());
        // As many as there are where no function vanishes by chance.
        std::vector<double> anywhere(static_cast<std::size_t>(grid->dimension()));
        for (std::size_t t = 0; t < anywhere.size(); ++t)
            anywhere[t] = 0.3141592653589793 + 0.01 * static_cast<double>(t);
        for (int groups = 1; groups <= surrogate.groups(); ++groups)
            QCOMPARE(surrogate.activeRows(groups), surrogate.weights(anywhere, groups).rows.size());
        for (int attempt = 0; attempt < 5; ++attempt) {
            const auto x = randomPoints<double>(random, *grid, 1);
            const auto weights = surrogate.weights(x, surrogate.groups());
            QVERIFY(std::ranges::is_sorted(weights.rows));
            QVERIFY(std::ranges::find(weights.weights, 0.0) == weights.weights.end());
            for (std::size_t k = 0; k < weights.rows.size(); ++k)
                QCOMPARE(k >= weights.lastGroupBegin,
                         weights.rows[k] >= grid->groupFirstPoint(grid->groups() - 1));
            const auto expected = allFunctions(*grid, x, -1);
            GRIDHELM_COMPARE_CLOSE(dense(weights, surrogate.rows()), expected,
                                   interpolationTolerance<double>(*grid, scaleOf(expected)),
                                   describe(*grid));
        }
    }
}

void SurrogateTest::derivativeWeightsAreTheSlopes()
{
    Random random(2);
    for (int i = 0; i < 100; ++i) {
        const auto grid = randomGrid(random, 6, 1'500, kindsOf(i));
        const SparseGridSurrogate surrogate(grid);
        const auto x = randomPoints<double>(random, *grid, 1);
        for (int t = 0; t < grid->dimension(); ++t) {
            const auto expected = allFunctions(*grid, x, t);
            const auto weights = surrogate.derivativeWeights(x, t, surrogate.groups());
            QVERIFY(std::ranges::is_sorted(weights.rows));
            GRIDHELM_COMPARE_CLOSE(dense(weights, surrogate.rows()), expected,
                                   interpolationTolerance<double>(*grid, scaleOf(expected)),
                                   describe(*grid));
        }
    }
}

void SurrogateTest::groupsAreAPrefix()
{
    Random random(3);
    for (int i = 0; i < 40; ++i) {
        const auto grid = randomGrid(random, 6, 1'500, kindsOf(i));
        const SparseGridSurrogate surrogate(grid);
        const auto x = randomPoints<double>(random, *grid, 1);
        const auto all = dense(surrogate.weights(x, surrogate.groups()), surrogate.rows());
        QCOMPARE(surrogate.rows(0), std::uint64_t{0});
        for (int groups = 1; groups <= surrogate.groups(); ++groups) {
            const auto weights = surrogate.weights(x, groups);
            auto expected = all;
            std::fill(expected.begin() + static_cast<std::ptrdiff_t>(surrogate.rows(groups)),
                      expected.end(), 0.0);
            QCOMPARE(dense(weights, surrogate.rows()), expected);
            for (std::size_t k = 0; k < weights.rows.size(); ++k)
                QCOMPARE(k >= weights.lastGroupBegin,
                         weights.rows[k] >= surrogate.rows(groups - 1));
        }
    }
}

void SurrogateTest::outsideItGoesOnLinearly()
{
    Random random(4);
    for (int i = 0; i < 60; ++i) {
        const auto grid = randomGrid(random, 4, 1'000);
        const SparseGridSurrogate surrogate(grid);
        auto x = randomPoints<double>(random, *grid, 1);
        const auto outside = random.index(x.size());
        x[outside] = random.chance(0.5) ? random.real(-0.5, -0.1) : random.real(1.1, 1.5);
        const auto at = [&](const std::vector<double> &place) {
            return dense(surrogate.weights(place, surrogate.groups(), OutOfRange::extrapolated),
                         surrogate.rows());
        };
        // Linear there, so a difference quotient is the derivative.
        constexpr double step = 0.0625;
        const auto above = at(moved(x, outside, step)), below = at(moved(x, outside, -step));
        std::vector<double> expected;
        for (std::size_t row = 0; row < above.size(); ++row)
            expected.push_back((above[row] - below[row]) / (2 * step));
        const auto derivative =
            dense(surrogate.derivativeWeights(x, static_cast<int>(outside), surrogate.groups(),
                                              OutOfRange::extrapolated),
                  surrogate.rows());
        const double scale = scaleOf(expected) + scaleOf(above) / step;
        GRIDHELM_COMPARE_CLOSE(derivative, expected,
                               4 * interpolationTolerance<double>(*grid, scale), describe(*grid));

        // In another direction: by the same way through two places inside.
        const auto t = static_cast<int>(random.index(x.size()));
        if (t == static_cast<int>(outside))
            continue;
        const double width =
            std::ldexp(1.0, -(std::max(grid->highestLevel(static_cast<int>(outside)), 0) + 1));
        const double end = x[outside] < 0 ? 0 : 1, inner = x[outside] < 0 ? width : 1 - width;
        const double beyond = std::abs(x[outside] - end) / width;
        auto atEnd = x, atInner = x;
        atEnd[outside] = end;
        atInner[outside] = inner;
        const auto slopesAtEnd = allFunctions(*grid, atEnd, t);
        const auto slopesAtInner = allFunctions(*grid, atInner, t);
        expected.clear();
        for (std::size_t row = 0; row < slopesAtEnd.size(); ++row)
            expected.push_back((1 + beyond) * slopesAtEnd[row] - beyond * slopesAtInner[row]);
        GRIDHELM_COMPARE_CLOSE(
            dense(surrogate.derivativeWeights(x, t, surrogate.groups(), OutOfRange::extrapolated),
                  surrogate.rows()),
            expected,
            interpolationTolerance<double>(*grid, (1 + 2 * beyond) * scaleOf(slopesAtEnd)),
            describe(*grid));
    }
}

void SurrogateTest::outsideOfPolynomialsValueAndSlopeGoOn()
{
    const auto grid = makeGrid(GridShape(2, 3, {}, {clenshawCurtis, modified}, 0, {3, 1}));
    Random random(14);
    const auto coefficients = randomValues<double>(random, grid->points());
    const SparseGridSurrogate surrogate(grid);
    const auto valueAt = [&](std::vector<double> x) {
        double sum = 0;
        const auto weights =
            surrogate.weights(x, surrogate.groups(), gridhelm::OutOfRange::extrapolated);
        for (std::size_t i = 0; i < weights.rows.size(); ++i)
            sum += weights.weights[i] * coefficients[weights.rows[i]];
        return sum;
    };
    const auto slopeAt = [&](std::vector<double> x, int t) {
        double sum = 0;
        const auto weights = surrogate.derivativeWeights(x, t, surrogate.groups(),
                                                         gridhelm::OutOfRange::extrapolated);
        for (std::size_t i = 0; i < weights.rows.size(); ++i)
            sum += weights.weights[i] * coefficients[weights.rows[i]];
        return sum;
    };
    for (const double y : {0.3, 1.4, -0.2}) {
        for (const auto &[end, x] : {std::pair{0.0, -0.4}, std::pair{1.0, 1.7}}) {
            const double slope = slopeAt({end, y}, 0);
            QVERIFY(std::abs(valueAt({x, y}) - (valueAt({end, y}) + (x - end) * slope)) < 1e-12);
            QVERIFY(std::abs(slopeAt({x, y}, 0) - slope) < 1e-12);
        }
    }
    QVERIFY_EXCEPTION_THROWN(surrogate.weights(std::vector{-0.4, 0.3}, 3), gridhelm::Error);
}

void SurrogateTest::activeRowsAreThoseOfMostPlaces()
{
    Random random(15);
    for (int i = 0; i < 100; ++i) {
        const auto grid = randomGrid(random, 5, 1'500, kindsOf(i));
        const SparseGridSurrogate surrogate(grid);
        std::vector<double> x;
        for (int t = 0; t < grid->dimension(); ++t)
            x.push_back(random.real(0.01, 0.99) + 1e-3 / 3);
        for (int groups = 1; groups <= surrogate.groups(); ++groups)
            QCOMPARE(surrogate.weights(x, groups).rows.size(), surrogate.activeRows(groups));
    }
}

void SurrogateTest::impossiblePlacesAreErrors()
{
    const SparseGridSurrogate surrogate(makeGrid(GridShape(2, 3, modified)));
    const std::vector<double> inside{0.5, 0.5}, outside{0.5, 1.25}, three{0.5, 0.5, 0.5},
        nothing{0.5, std::numeric_limits<double>::quiet_NaN()};
    GRIDHELM_EXPECT_ERROR(surrogate.weights(outside, 3));
    GRIDHELM_EXPECT_ERROR(surrogate.weights(three, 3));
    GRIDHELM_EXPECT_ERROR(surrogate.weights(nothing, 3, OutOfRange::extrapolated));
    GRIDHELM_EXPECT_ERROR(surrogate.derivativeWeights(outside, 0, 3));
    GRIDHELM_EXPECT_ERROR(surrogate.derivativeWeights(inside, 2, 3));
    GRIDHELM_EXPECT_ERROR(surrogate.derivativeWeights(inside, -1, 3));
    QVERIFY(!surrogate.weights(outside, 3, OutOfRange::extrapolated).rows.empty());
}

void SurrogateTest::combinationIsTheInterpolant()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(5);
        for (int i = 0; i < 60; ++i) {
            const auto loaded =
                loadRandom<T>(backend, randomGrid(random, 7, 1'500, kindsOf(i)), random);
            const SparseGridSurrogate surrogate(loaded.grid);
            const auto points = randomPoints<T>(random, *loaded.grid, 3);
            const auto view = viewOf(points, *loaded.grid);
            std::vector<T> values(view.count()), indicator(view.count());
            loaded.evaluator->evaluate(view, EvaluationOutput<T>{values, indicator});
            const double tolerance = interpolationTolerance<T>(
                *loaded.grid, interpolationScale(*loaded.grid, loaded.coefficients, points));
            for (std::size_t j = 0; j < view.count(); ++j) {
                const auto at = view.point(j);
                const auto sum = loaded.evaluator->combine(surrogate.weights(
                    std::vector<double>(at.begin(), at.end()), surrogate.groups()));
                QVERIFY2(std::abs(sum.value - static_cast<double>(values[j])) <= tolerance,
                         describe(*loaded.grid).c_str());
                QVERIFY2(std::abs(sum.indicator - static_cast<double>(indicator[j])) <= tolerance,
                         describe(*loaded.grid).c_str());
            }
        }
    });
}

void SurrogateTest::anyWeightsCanBeCombined()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(6);
        for (int i = 0; i < 40; ++i) {
            const auto loaded =
                loadRandom<T>(backend, randomGrid(random, 6, 1'500, kindsOf(i)), random);
            SparseWeights some;
            double value = 0, last = 0, scale = 1;
            const auto split = random.index(loaded.grid->points() + 1);
            for (std::uint64_t row = 0; row < loaded.grid->points(); ++row) {
                if (row == split)
                    some.lastGroupBegin = some.rows.size();
                if (random.chance(0.5))
                    continue;
                some.rows.push_back(row);
                some.weights.push_back(random.real(-1, 1));
                const auto coefficient = static_cast<double>(loaded.coefficients[row]);
                value += some.weights.back() * coefficient;
                scale += std::abs(some.weights.back() * coefficient);
                if (row >= split)
                    last += some.weights.back() * coefficient;
            }
            if (split == loaded.grid->points())
                some.lastGroupBegin = some.rows.size();
            const auto sum = loaded.evaluator->combine(some);
            const double tolerance = interpolationTolerance<T>(*loaded.grid, scale);
            QVERIFY2(std::abs(sum.value - value) <= tolerance, describe(*loaded.grid).c_str());
            QVERIFY2(std::abs(sum.indicator - std::abs(last)) <= tolerance,
                     describe(*loaded.grid).c_str());
        }
        // Nothing is nothing.
        const auto loaded = loadRandom<T>(backend, makeGrid(GridShape(2, 2, boundary)), random);
        QCOMPARE(loaded.evaluator->combine({}).value, 0.0);
        QCOMPARE(loaded.evaluator->combine({}).indicator, 0.0);
    });
}

void SurrogateTest::weightsOfOtherRowsAreErrors()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(7);
        const auto loaded = loadRandom<T>(backend, makeGrid(GridShape(2, 2, boundary)), random);
        const auto points = loaded.grid->points();
        GRIDHELM_EXPECT_ERROR(loaded.evaluator->combine({{points}, {1}, 0}));
        GRIDHELM_EXPECT_ERROR(loaded.evaluator->combine({{0, 1}, {1}, 0}));
        GRIDHELM_EXPECT_ERROR(loaded.evaluator->combine({{0}, {1}, 2}));
        GRIDHELM_EXPECT_ERROR(loaded.evaluator->combine({{1, 0}, {1, 1}, 0}));
        GRIDHELM_EXPECT_ERROR(loaded.evaluator->combine({{points, 0}, {1, 1}, 0}));
    });
}

GRIDHELM_TEST(SurrogateTest)
#include "tst_surrogate.moc"
