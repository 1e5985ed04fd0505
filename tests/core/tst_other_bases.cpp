// SPDX-License-Identifier: GPL-3.0-or-later
//
// Treatments with other points, and degrees 2 and 3: the numbers of an independent oracle
// (tests/reference/higher_order_cases.json, leja_points.json), and every back end against the
// literal reference on mixed treatments and degrees.
#include "core/sparse/basis_functions.h"
#include "core/sparse/omp/simd_targets.h"
#include "core/sparse/reference/literal.h"
#include "tests/core/backends.h"
#include "tests/core/evaluation_checks.h"
#include "tests/core/expect_error.h"
#include "tests/core/oracle_cases.h"
#include "tests/core/reference_cases.h"

#include <QTest>

#include <type_traits>

using namespace gridhelm::sparse;
using namespace gridhelm::test;
using nlohmann::json;

namespace {

using enum BoundaryTreatment;

std::shared_ptr<const SparseGrid> gridOf(const json &entry)
{
    return std::make_shared<SparseGrid>(
        GridShape(entry.at("dim"), entry.at("level"), entry.at("caps"),
                  treatmentsFromLetters(entry.at("treatment")), 0, entry.at("degree")));
}

std::string titleOf(const json &entry)
{
    return entry.at("treatment").get<std::string>() + entry.at("degree").dump()
           + " n=" + entry.at("level").dump() + " c=" + entry.at("caps").dump();
}

template <typename T>
constexpr double oracleTolerance = std::is_same_v<T, double> ? 1e-13 : 1e-5;

/// All treatments and degrees, and never hats alone.
GridPointer otherGrid(Random &random, int highestDimension, std::uint64_t highestPoints)
{
    while (true) {
        auto grid = randomGrid(random, highestDimension, highestPoints, Kinds::all);
        if (!grid->hasHatsOnly())
            return grid;
    }
}

/// Rounding errors of coefficients: those of hats (hierarchizationTolerance()), times more terms.
template <typename T>
double coefficientTolerance(const SparseGrid &grid, const std::vector<T> &coefficients)
{
    return 16 * hierarchizationTolerance<T>(grid, largestMagnitude(coefficients) + 1);
}

} // namespace

class OtherBasesTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup() { omp::useBestSimdTarget(); }
    void functionsAreTheOracles();
    void slopesAreDifferenceQuotients();
    void lejaPointsAreTheOracles();
    void countsAreTheOracles();
    void pointsAreTheOracles();
    void coefficientsAreTheOracles_data() { addBackendAndTypeRows(Backends::all); }
    void coefficientsAreTheOracles();
    void valuesAndIndicatorsAreTheOracles_data() { addBackendAndTypeRows(Backends::all); }
    void valuesAndIndicatorsAreTheOracles();

    void degreesThatATreatmentLacksAreErrors();
    void levelsGoAsFarAsTheTreatmentHasPoints();
    void indicesAndPointsAreABijectionInStorageOrder();
    void coefficientsOfHatsAreThoseOfTheDefinition();

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

private:
    json m_oracle;
};

void OtherBasesTest::initTestCase()
{
    m_oracle = readJson(GRIDHELM_HIGHER_ORDER_CASES);
    QCOMPARE(m_oracle.at("basis_1d").size(), std::size_t{123});
    QCOMPARE(m_oracle.at("counts").size(), std::size_t{15});
    QCOMPARE(m_oracle.at("cases").size(), std::size_t{17});
}

void OtherBasesTest::functionsAreTheOracles()
{
    for (const auto &table : m_oracle.at("basis_1d")) {
        const DimensionBasis basis(treatmentsFromLetters(table.at("treatment")).front(),
                                   table.at("degree"));
        const int level = table.at("level");
        const auto position = table.at("position").get<std::uint32_t>();
        const auto x = table.at("at").get<std::vector<double>>();
        const auto expected = table.at("value").get<std::vector<double>>();
        QCOMPARE(pointCoordinate(basis.treatment, static_cast<Level>(level), position),
                 table.at("node").get<double>());
        QCOMPARE(x.size(), expected.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double value = basisFunction(basis, level, position, x[i]).value;
            QVERIFY2(std::abs(value - expected[i]) <= 1e-14, table.dump().c_str());
            const auto functions = functionsAt(basis, level, x[i]);
            if (std::ranges::find(functions, position) == functions.end())
                QCOMPARE(expected[i], 0.0);
        }
    }
}

void OtherBasesTest::slopesAreDifferenceQuotients()
{
    constexpr double step = 1e-6;
    for (const auto treatment : boundaryTreatments()) {
        for (int degree = 1; degree <= highestDegreeOf(treatment); ++degree) {
            const DimensionBasis basis(treatment, degree);
            for (int level = lowestLevel(treatment); level <= 4; ++level) {
                for (int i = 0; i < 64; ++i) {
                    const double x = (i + 0.25) / 64; // on no kink
                    for (const auto position : functionsAt(basis, level, x)) {
                        const double before = basisFunction(basis, level, position, x - step).value;
                        const double after = basisFunction(basis, level, position, x + step).value;
                        const double slope = basisFunction(basis, level, position, x).slope;
                        QVERIFY(std::abs(slope - (after - before) / (2 * step)) < 1e-5);
                    }
                }
            }
        }
    }
    // At kinks to the right, and at 1 to the left.
    QCOMPARE(basisFunction({boundary, 3}, 1, 0, 0.5).slope, 0.0);
    QVERIFY(basisFunction({boundary, 3}, 1, 1, 0.5).slope > 0);
    QVERIFY(basisFunction({clenshawCurtis, 2}, 2, 1, 1).slope < 0);
    QCOMPARE(basisFunction(DimensionBasis(clenshawCurtis), 1, 1, 0.5).slope, 2.0);
}

void OtherBasesTest::lejaPointsAreTheOracles()
{
    const auto points = readJson(GRIDHELM_LEJA_POINTS).at("points").get<std::vector<double>>();
    QCOMPARE(points.size(), std::size_t{64});
    QCOMPARE(highestLevelOf(leja), 63);
    for (std::size_t level = 0; level < points.size(); ++level) {
        const auto l = static_cast<Level>(level);
        QCOMPARE(pointCoordinate(leja, l, 0), points[level]);
        QCOMPARE(pointsOfLevel(leja, l), std::uint64_t{1});
        for (int below = 0; below < l; ++below)
            QCOMPARE(
                basisFunction(DimensionBasis(leja), l, 0, points[static_cast<std::size_t>(below)])
                    .value,
                0.0);
        QCOMPARE(basisFunction(DimensionBasis(leja), l, 0, points[level]).value, 1.0);
        // The points are chosen so that no function is larger anywhere than at its own.
        for (int i = 0; i <= 200; ++i)
            QVERIFY(std::abs(basisFunction(DimensionBasis(leja), l, 0, i / 200.0).value)
                    <= 1 + 1e-9);
    }
}

void OtherBasesTest::countsAreTheOracles()
{
    for (const auto &entry : m_oracle.at("counts")) {
        const GridShape shape(entry.at("dim"), entry.at("level"), entry.at("caps"),
                              {clenshawCurtis});
        const auto &expected = entry.at("clenshaw_curtis");
        const auto count = countGrid(shape);
        QCOMPARE(count.points, expected.at("points").get<std::uint64_t>());
        QCOMPARE(count.blocks, expected.at("blocks").get<std::uint64_t>());
        if (count.blocks < 30'000)
            QCOMPARE(SparseGrid(shape).points(), count.points);
    }
}

void OtherBasesTest::pointsAreTheOracles()
{
    for (const auto &entry : m_oracle.at("cases")) {
        const auto grid = gridOf(entry);
        QCOMPARE(grid->points(), entry.at("points").get<std::uint64_t>());
        QCOMPARE(std::uint64_t{grid->blocks()}, entry.at("blocks").get<std::uint64_t>());
        for (const auto &point : entry.at("some_points"))
            checkOraclePoint(*grid, point);
    }
}

void OtherBasesTest::coefficientsAreTheOracles()
{
    checkBackendAndType([&]<typename T>(const Backend &backend) {
        for (const auto &entry : m_oracle.at("cases")) {
            if (!QTest::currentTestFailed())
                checkOracleCoefficients<T>(backend, gridOf(entry), entry, oracleTolerance<T>,
                                           titleOf(entry));
        }
    });
}

void OtherBasesTest::valuesAndIndicatorsAreTheOracles()
{
    checkBackendAndType([&]<typename T>(const Backend &backend) {
        for (const auto &entry : m_oracle.at("cases")) {
            if (!QTest::currentTestFailed())
                checkOracleValues<T>(backend, gridOf(entry), entry, oracleTolerance<T>,
                                     titleOf(entry));
        }
    });
}

void OtherBasesTest::degreesThatATreatmentLacksAreErrors()
{
    for (const auto treatment : boundaryTreatments()) {
        for (const int degree : {-1, 0, 1, 2, 3, 4}) {
            const auto make = [&] { GridShape(2, 3, {}, {treatment}, 0, {1, degree}); };
            if (degree >= 1 && degree <= highestDegreeOf(treatment))
                make();
            else
                GRIDHELM_EXPECT_ERROR(make());
        }
    }
    GRIDHELM_EXPECT_ERROR(GridShape(2, 3, {}, {modified}, 0, {2}));
    GRIDHELM_EXPECT_ERROR(GridShape(2, 3, {}, {zero}, 0, {1, 1, 1}));
    GRIDHELM_EXPECT_ERROR(SparseGrid({leja}, std::vector<Level>{0}, 0, {3}));
    // One degree for all is meant for those that have it.
    QCOMPARE(GridShape(3, 3, {}, {modified, zero, clenshawCurtis}, 0, {3}).degrees(),
             (std::vector{1, 3, 3}));
    QCOMPARE(parseDegrees("3,1,2"), (std::vector{3, 1, 2}));
    for (const char *text : {"", "4", "0", "1,", ",1", "1.5", "-1", "33", "a"})
        GRIDHELM_EXPECT_ERROR(parseDegrees(text));
}

void OtherBasesTest::levelsGoAsFarAsTheTreatmentHasPoints()
{
    const auto count = countGrid(GridShape(1, 64, leja));
    QCOMPARE(count.points, std::uint64_t{64});
    QCOMPARE(SparseGrid(GridShape(1, 64, leja)).groups(), 64);
    GRIDHELM_EXPECT_ERROR(GridShape(1, 65, leja));
    GRIDHELM_EXPECT_ERROR(GridShape(1, 31, clenshawCurtis));
    // Beside leja the other dimensions go as far as they can.
    const GridShape mixed(2, 40, {64, 64}, {leja, zero});
    QCOMPARE(mixed.caps(), (std::vector{40, 30}));
    // A sum of levels beyond any of them.
    std::vector<Level> levels;
    for (Level a = 0; a <= 63; ++a) {
        for (Level b = 0; b <= 63; ++b)
            levels.insert(levels.end(), {a, b});
    }
    const SparseGrid square({leja, leja}, levels);
    QCOMPARE(square.points(), std::uint64_t{64 * 64});
    QCOMPARE(square.groups(), 127);
    levels.assign({0, 64});
    GRIDHELM_EXPECT_ERROR(SparseGrid({leja, leja}, levels));
    GRIDHELM_EXPECT_ERROR(SparseGrid({leja}, std::vector<Level>{-1, 0}));
}

void OtherBasesTest::indicesAndPointsAreABijectionInStorageOrder()
{
    Random random(1);
    for (int i = 0; i < 200; ++i) {
        const auto grid = otherGrid(random, 8, 10'000);
        const auto d = static_cast<std::size_t>(grid->dimension());
        std::vector<Level> levels(d);
        std::vector<std::uint32_t> positions(d);
        std::vector<double> x(d);
        using Order = std::tuple<int, int, int, std::uint64_t, std::vector<Level>,
                                 std::vector<std::uint32_t>>;
        std::optional<Order> previous;
        for (std::uint64_t index = 0; index < grid->points(); ++index) {
            grid->idx2gp(index, levels, positions);
            std::uint64_t size = 1;
            for (std::size_t t = 0; t < d; ++t)
                size *= pointsOfLevel(grid->treatments()[t], levels[t]);
            const auto sums = levelSums(levels, grid->dense());
            const Order order{isInLastGroup(*grid, levels) ? grid->groups() - 1 : sums.group,
                              sums.dense,
                              freeDimensions(levels),
                              size,
                              {levels.rbegin(), levels.rend()},
                              positions};
            QVERIFY2(!previous || *previous < order, describe(*grid).c_str());
            previous = order;
            QCOMPARE(grid->gp2idx(levels, positions), index);
            QCOMPARE(grid->blockSize(*grid->findBlock(levels)), size);
        }
        auto shuffled =
            std::vector<Level>(grid->levelVectors().rbegin(), grid->levelVectors().rend());
        std::ranges::reverse(shuffled);
        const SparseGrid again(grid->treatments(), shuffled, grid->dense(), grid->degrees(),
                               grid->grouping());
        QVERIFY(std::ranges::equal(again.levelVectors(), grid->levelVectors()));
    }
}

void OtherBasesTest::coefficientsOfHatsAreThoseOfTheDefinition()
{
    // What makes the definition for other bases obviously right: of hats it gives what the listing
    // of the dissertation does, since a dimension of another basis with one level changes nothing.
    Random random(2);
    for (int i = 0; i < 40; ++i) {
        const auto hats = randomGrid(random, 4, 300);
        auto treatments = hats->treatments();
        treatments.push_back(leja);
        std::vector<Level> levels;
        for (std::size_t block = 0; block < hats->blocks(); ++block) {
            const auto vector = hats->levelVector(block);
            levels.insert(levels.end(), vector.begin(), vector.end());
            levels.push_back(0);
        }
        const SparseGrid other(treatments, levels, hats->dense(), {}, hats->grouping());
        auto expected = randomValues<double>(random, hats->points());
        auto result = expected;
        reference::hierarchize<double>(*hats, expected);
        reference::hierarchize<double>(other, result);
        GRIDHELM_COMPARE_CLOSE(result, expected, coefficientTolerance(*hats, expected),
                               describe(*hats));
    }
}

namespace {

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

void OtherBasesTest::coefficientsMatchTheReference()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(3);
        for (int i = 0; i < 150 && !QTest::currentTestFailed(); ++i)
            checkCoefficients<T>(backend, *otherGrid(random, 6, 500), random);
    });
}

void OtherBasesTest::longPolesMatchTheReference()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(4);
        checkLongPoles<T>(backend, random);
    });
}

void OtherBasesTest::polesTooLongForScratchArraysMatchTheReference()
{
    const auto backend = makeOmpBackend(onCpu(1));
    Random random(5);
    const auto gridOf = [](BoundaryTreatment treatment) {
        return SparseGrid(GridShape(1, 18, {}, {treatment}, 0, {3}));
    };
    checkCoefficients<double>(*backend, gridOf(zero), random);
    checkCoefficients<float>(*backend, gridOf(boundary), random);
}

void OtherBasesTest::everySimdTargetMatchesTheReference()
{
    for (const auto &target : omp::availableSimdTargets()) {
        omp::forceSimdTarget(target);
        const auto backend = makeOmpBackend(onCpu(1));
        Random random(6);
        checkLongPoles<double>(*backend, random);
        checkLongPoles<float>(*backend, random);
        for (int i = 0; i < 60 && !QTest::currentTestFailed(); ++i) {
            const auto grid = otherGrid(random, 6, 500);
            checkCoefficients<double>(*backend, *grid, random);
            checkCoefficients<float>(*backend, *grid, random);
        }
        if (QTest::currentTestFailed())
            qWarning("of %s", target.c_str());
    }
}

void OtherBasesTest::scatteredPointsMatchTheReference()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(5);
        for (int i = 0; i < 100 && !QTest::currentTestFailed(); ++i) {
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

void OtherBasesTest::productsOfAxesMatchTheReference()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(6);
        for (int i = 0; i < 100 && !QTest::currentTestFailed(); ++i) {
            const auto loaded = loadRandom<T>(backend, otherGrid(random, 5, 1'000), random);
            const int free = random.integer(0, std::min(loaded.grid->dimension(), 4));
            checkCartesianPoints(loaded,
                                 randomAxes<T>(random, *loaded.grid, free, free > 2 ? 7 : 20));
        }
    });
}

void OtherBasesTest::gradientsMatchTheReference()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(7);
        for (int i = 0; i < 100 && !QTest::currentTestFailed(); ++i) {
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

void OtherBasesTest::numberOfThreadsDoesNotChangeABit()
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

QTEST_GUILESS_MAIN(OtherBasesTest)
#include "tst_other_bases.moc"
