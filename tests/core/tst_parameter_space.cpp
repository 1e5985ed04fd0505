// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parameters/parameter_space.h"

#include "core/parameters/round_values.h"
#include "core/parameters/unit_slope.h"
#include "tests/core/expect_error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>

using namespace gridhelm;
using sparse::BoundaryTreatment;

namespace {

ParameterSpace cavitySpace()
{
    Parameter reynolds{"Re", "", 100, 1000, ParameterScale::logarithmic};
    Parameter time{"t", "s", 0, 5};
    time.kind = ParameterKind::timeLike;
    Parameter lid{"lid", "m/s", -1, 1};
    lid.levelCap = 2;
    return ParameterSpace({reynolds, time, lid});
}

} // namespace

class ParameterSpaceTest : public QObject
{
    Q_OBJECT

private slots:
    void endsOfRangesAreExactlyTheEndsOfTheCube();
    void valuesGoToTheCubeAndBack();
    void logarithmicMiddleIsTheGeometricMean();
    void valuesHaveNoRoundOff_data();
    void valuesHaveNoRoundOff();
    void slopesAreThoseOfTheValues();
    void narrowRangesKeepTheirPlaces();
    void roundValuesAreFineEnough_data();
    void roundValuesAreFineEnough();
    void timeLikeDimensionsHaveTheirEndsSampled();
    void capsAndTreatmentsReachTheGrid();
    void textIsReadInAnyOrderAndBack();
    void badTextIsAnError_data();
    void badTextIsAnError();
    void impossibleParametersAreErrors();
    void outsideIsNamed();
    void runsShareAllOrdinaryParameters();
    void withoutTimeEveryPointIsARun();
};

void ParameterSpaceTest::endsOfRangesAreExactlyTheEndsOfTheCube()
{
    const auto space = cavitySpace();
    QCOMPARE(space.toUnit(std::vector{100.0, 0.0, -1.0}), (std::vector{0.0, 0.0, 0.0}));
    QCOMPARE(space.toUnit(std::vector{1000.0, 5.0, 1.0}), (std::vector{1.0, 1.0, 1.0}));
    QCOMPARE(space.fromUnit(std::vector{0.0, 0.0, 0.0}), (std::vector{100.0, 0.0, -1.0}));
    QCOMPARE(space.fromUnit(std::vector{1.0, 1.0, 1.0}), (std::vector{1000.0, 5.0, 1.0}));
}

void ParameterSpaceTest::valuesGoToTheCubeAndBack()
{
    const auto space = cavitySpace();
    for (double x = 0.0625; x < 1; x += 0.0625) {
        const auto values = space.fromUnit(std::vector{x, x, x});
        for (double back : space.toUnit(values))
            QVERIFY(std::abs(back - x) < 1e-14);
    }
}

void ParameterSpaceTest::logarithmicMiddleIsTheGeometricMean()
{
    const auto values = cavitySpace().fromUnit(std::vector{0.5, 0.5, 0.5});
    QVERIFY(std::abs(values[0] - std::sqrt(100.0 * 1000.0)) < 1e-10);
    QCOMPARE(values[1], 2.5);
    QCOMPARE(values[2], 0.0);
}

void ParameterSpaceTest::valuesHaveNoRoundOff_data()
{
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<double>("x");
    QTest::addColumn<QString>("text");
    const auto row = [](double low, double high, double x, const char *text) {
        QTest::addRow("%g to %g at %g", low, high, x) << low << high << x << QString(text);
    };
    row(0.1, 0.5, 0.5, "a=0.3"); // 0.30000000000000004
    row(0.1, 0.7, 0.5, "a=0.4");
    row(0.4, 0.8, 0.5, "a=0.6"); // 0.6000000000000001
    row(-0.1, 0.3, 0.25, "a=0"); // 1.4e-17
    row(-0.1, 0.3, 0.28125, "a=0.0125");
    row(1e-9, 3e-9, 0.5, "a=2e-09");
    row(1e-30, 3e-30, 0.5, "a=2e-30");
    row(1e200, 2e200, 0.75, "a=1.75e+200");
    row(0, 1, 1.0 / 4096, "a=0.000244140625");
    row(0, 1.0 / 3, 0.5, "a=0.166666666666667");
}

void ParameterSpaceTest::valuesHaveNoRoundOff()
{
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(double, x);
    QFETCH(QString, text);
    const ParameterSpace space({Parameter{"a", "", low, high}});
    const auto values = space.fromUnit(std::vector{x});
    QCOMPARE(QString::fromStdString(space.toText(values)), text);
    QVERIFY(std::abs(space.toUnit(values)[0] - x) < 1e-14);
    const ParameterSpace logarithmic({Parameter{"a", "", 1, 1000, ParameterScale::logarithmic}});
    const auto third = logarithmic.toText(logarithmic.fromUnit(std::vector{0.5}));
    QCOMPARE(third, std::string("a=31.6227766016838"));
}

void ParameterSpaceTest::slopesAreThoseOfTheValues()
{
    const Parameter linear{"a", "", -2, 6};
    const Parameter logarithmic{"b", "", 0.5, 200, ParameterScale::logarithmic};
    const ParameterSpace space({linear, logarithmic});
    for (const double x : {0.0, 0.3, 1.0}) {
        constexpr double h = 1e-6;
        const auto values = space.fromUnit(std::vector{x, x});
        for (std::size_t t = 0; t < 2; ++t) {
            const auto &parameter = space[t];
            QVERIFY(std::abs(valueAtUnit(parameter, x) - values[t]) < 1e-12 * std::abs(values[t]));
            const double slope =
                (valueAtUnit(parameter, x + h) - valueAtUnit(parameter, x - h)) / (2 * h);
            QVERIFY(std::abs(unitSlope(parameter, values[t]) - slope) < 1e-6 * std::abs(slope));
        }
    }
}

void ParameterSpaceTest::narrowRangesKeepTheirPlaces()
{
    const ParameterSpace space({Parameter{"a", "", 1e9, 1e9 + 1e-3}});
    double before = 1e9;
    for (double x = 0.0625; x < 1; x += 0.0625) {
        const double value = space.fromUnit(std::vector{x}).front();
        QVERIFY(value > before);
        QVERIFY(std::abs(value - (1e9 + 1e-3 * x)) < 2e-7);
        before = value;
    }
}

void ParameterSpaceTest::roundValuesAreFineEnough_data()
{
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<bool>("isLogarithmic");
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("round");
    QTest::newRow("unit") << 0.0 << 1.0 << false << 0.12345 << 0.123;
    QTest::newRow("0 to 5") << 0.0 << 5.0 << false << 1.23456 << 1.235;
    QTest::newRow("0 to 2.5") << 0.0 << 2.5 << false << 1.23456 << 1.234;
    QTest::newRow("0.1 to 0.5") << 0.1 << 0.5 << false << 0.312345 << 0.3124;
    QTest::newRow("negative") << -1e7 << 1e6 << false << -123456.0 << -120000.0;
    QTest::newRow("small") << 1e-9 << 3e-9 << false << 1.23456789e-9 << 1.234e-9;
    QTest::newRow("narrow") << 1e9 << 1e9 + 1e-6 << false << 1e9 + 5e-7 << 1e9 + 5e-7;
    QTest::newRow("one decade") << 100.0 << 1000.0 << true << 316.2277 << 316.2;
    QTest::newRow("two decades") << 100.0 << 10000.0 << true << 316.2277 << 316.0;
    QTest::newRow("many decades") << 1e-150 << 1e150 << true << 316.2277 << 300.0;
    QTest::newRow("a factor of two") << 2.0 << 4.0 << true << 2.718281 << 2.718;
}

void ParameterSpaceTest::roundValuesAreFineEnough()
{
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(bool, isLogarithmic);
    QFETCH(double, value);
    QFETCH(double, round);
    Parameter parameter{"a", "", low, high};
    if (isLogarithmic)
        parameter.scale = ParameterScale::logarithmic;
    const RoundValues values(parameter);
    QVERIFY(values.nearest(value) == round);
    if (high - low < 1e-3 && low > 1)
        return; // a double does not have so many values there
    const ParameterSpace space({parameter});
    std::set<double> different;
    constexpr int samples = 40'000;
    for (int i = 1; i < samples; ++i)
        different.insert(
            values.nearest(space.fromUnit(std::vector{static_cast<double>(i) / samples}).front()));
    QVERIFY2(different.size() >= 999 && different.size() <= 12'000,
             qPrintable(QString::number(different.size())));
}

void ParameterSpaceTest::timeLikeDimensionsHaveTheirEndsSampled()
{
    const auto shape = cavitySpace().shape(3);
    QCOMPARE(shape.treatments(),
             (std::vector{BoundaryTreatment::modified, BoundaryTreatment::boundary,
                          BoundaryTreatment::modified}));
}

void ParameterSpaceTest::capsAndTreatmentsReachTheGrid()
{
    auto parameters = cavitySpace().parameters();
    parameters[0].treatment = BoundaryTreatment::zero;
    const ParameterSpace space(parameters);
    QCOMPARE(space.shape(4).caps(), (std::vector{4, 4, 2}));
    QVERIFY(space.shape(4).treatments()[0] == BoundaryTreatment::zero);
    QCOMPARE(space.withLevelCaps(std::vector{1, 2, 3}).shape(4).caps(), (std::vector{1, 2, 3}));
    QVERIFY(*space.timeLike() == 1);
    QVERIFY(space.spatial().empty());
}

void ParameterSpaceTest::textIsReadInAnyOrderAndBack()
{
    const auto space = cavitySpace();
    const auto values = space.parse(" lid = -0.1, Re=+4e2,t=2.5");
    QCOMPARE(values, (std::vector{400.0, 2.5, -0.1}));
    QCOMPARE(space.toText(values), std::string("Re=400,t=2.5,lid=-0.1"));
    QCOMPARE(space.parse(space.toText(std::vector{1.0 / 3, 0.1, 1e-300})),
             (std::vector{1.0 / 3, 0.1, 1e-300}));
    QCOMPARE(space.parse("t=1", values), (std::vector{400.0, 1.0, -0.1}));
    QCOMPARE(space.parse("", values), values);
}

void ParameterSpaceTest::badTextIsAnError_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text :
         {"", "Re=400", "Re=400,t=1,lid=0,Re=5", "Re=400,t=1,lid=x", "nu=1", "Re,t=1,lid=0",
          "Re=400,t=1,lid=nan", "Re=400,t=1,lid=inf", "Re=400,t=1,lid=1e999", "Re=400,t=1 s,lid=0",
          "Re=400,,t=1,lid=0", "Re==400,t=1,lid=0", "Re=,t=1,lid=0"})
        QTest::newRow(text) << QString(text);
}

void ParameterSpaceTest::badTextIsAnError()
{
    QFETCH(QString, text);
    GRIDHELM_EXPECT_ERROR(cavitySpace().parse(text.toStdString()));
}

void ParameterSpaceTest::impossibleParametersAreErrors()
{
    const auto infinity = std::numeric_limits<double>::infinity();
    const Parameter good{"a", "", 0, 1};
    const auto with = [&](auto change) {
        auto parameter = good;
        change(parameter);
        return ParameterSpace({parameter});
    };
    GRIDHELM_EXPECT_ERROR(ParameterSpace({}));
    GRIDHELM_EXPECT_ERROR(ParameterSpace({good, good}));
    GRIDHELM_EXPECT_ERROR(ParameterSpace(std::vector<Parameter>(33, good)));
    for (const char *name :
         {"", "1a", " a", "a ", "a=", "a,b", "{a}", "a:b", "a\nb", "\xc3", "a\xe2\x80\xae"})
        GRIDHELM_EXPECT_ERROR(with([&](Parameter &p) { p.name = name; }));
    for (const char *name : {"inlet velocity", "\xc3\xa4", "\xcf\x81_0", "a.b (%)"})
        QCOMPARE(with([&](Parameter &p) { p.name = name; })[0].name, std::string(name));
    GRIDHELM_EXPECT_ERROR(with([](Parameter &p) { p.high = 0; }));
    GRIDHELM_EXPECT_ERROR(with([](Parameter &p) { p.high = -1; }));
    GRIDHELM_EXPECT_ERROR(with([&](Parameter &p) { p.high = infinity; }));
    GRIDHELM_EXPECT_ERROR(with([](Parameter &p) { p.low = std::nan(""); }));
    GRIDHELM_EXPECT_ERROR(with([](Parameter &p) {
        p.low = -1.5e308;
        p.high = 1.5e308;
    }));
    GRIDHELM_EXPECT_ERROR(with([](Parameter &p) { p.scale = ParameterScale::logarithmic; }));
    GRIDHELM_EXPECT_ERROR(with([](Parameter &p) { p.levelCap = 0; }));
    Parameter first = good, second = good;
    second.name = "b";
    first.kind = second.kind = ParameterKind::timeLike;
    GRIDHELM_EXPECT_ERROR(ParameterSpace({first, second}));
    GRIDHELM_EXPECT_ERROR(cavitySpace().toUnit(std::vector{1.0}));
    GRIDHELM_EXPECT_ERROR(cavitySpace().toUnit(std::vector{0.0, 1.0, 0.0}));
    GRIDHELM_EXPECT_ERROR(cavitySpace().toUnit(std::vector{100.0, std::nan(""), 0.0}));
}

void ParameterSpaceTest::outsideIsNamed()
{
    const auto space = cavitySpace();
    QVERIFY(!space.firstOutside(std::vector{100.0, 5.0, 1.0}));
    QVERIFY(*space.firstOutside(std::vector{100.0, 5.1, 2.0}) == 1);
    space.requireInside(std::vector{1000.0, 0.0, 0.0});
    GRIDHELM_EXPECT_ERROR(space.requireInside(std::vector{99.9, 0.0, 0.0}));
    GRIDHELM_EXPECT_ERROR(space.requireInside(std::vector{100.0, std::nan(""), 0.0}));
}

void ParameterSpaceTest::runsShareAllOrdinaryParameters()
{
    const auto space = cavitySpace();
    const sparse::SparseGrid grid(space.shape(4));
    std::vector<std::uint64_t> all(grid.points());
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    const auto runs = groupIntoRuns(space, grid, all);
    std::set<std::uint64_t> seen;
    std::set<std::vector<double>> keys;
    std::uint64_t before = 0;
    for (const auto &run : runs) {
        const auto first = space.valuesAt(grid, run.points.front());
        QVERIFY(keys.insert({first[0], first[2]}).second);
        QVERIFY(run.points.front() >= before);
        before = run.points.front();
        for (auto point : run.points) {
            const auto values = space.valuesAt(grid, point);
            QVERIFY(values[0] == first[0] && values[2] == first[2]);
            QVERIFY(seen.insert(point).second);
        }
        QVERIFY(std::ranges::is_sorted(run.points));
    }
    QCOMPARE(seen.size(), static_cast<std::size_t>(grid.points()));
    QVERIFY(runs.size() < grid.points() / 2);
}

void ParameterSpaceTest::withoutTimeEveryPointIsARun()
{
    const ParameterSpace space({Parameter{"a", "", 0, 1}, Parameter{"b", "", 0, 1}});
    const sparse::SparseGrid grid(space.shape(3));
    std::vector<std::uint64_t> all(grid.points());
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    QCOMPARE(groupIntoRuns(space, grid, all).size(), all.size());
}

GRIDHELM_TEST(ParameterSpaceTest)
#include "tst_parameter_space.moc"
