// SPDX-License-Identifier: GPL-3.0-or-later
//
// Treatments with other points, and degrees 2 and 3: the numbers of an independent oracle
// (tests/reference/higher_order_cases.json, leja_points.json), and what grids and the literal
// reference have of them.
#include "core/sparse/basis_functions.h"
#include "core/sparse/reference/literal.h"
#include "tests/core/backends.h"
#include "tests/core/evaluation_checks.h"
#include "tests/core/expect_error.h"
#include "tests/core/oracle_cases.h"
#include "tests/core/other_grids.h"
#include "tests/core/reference_cases.h"
#include "tests/support/test_program.h"

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

} // namespace

class OtherBasesTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
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

private:
    json m_oracle;
};

void OtherBasesTest::initTestCase()
{
    m_oracle = readReference("higher_order_cases.json");
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
    const auto points = readReference("leja_points.json").at("points").get<std::vector<double>>();
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

GRIDHELM_TEST(OtherBasesTest)
#include "tst_other_bases.moc"
