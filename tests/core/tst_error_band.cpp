// SPDX-License-Identifier: GPL-3.0-or-later
//
// A calibrated band holds what it claims: of places drawn as the hold-outs were, the claimed share
// lies inside, whatever the errors and however wrong the indicator.
#include "core/surrogate/error_band.h"
#include "core/surrogate/value_bands.h"
#include "tests/core/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

using namespace gridhelm;
using gridhelm::test::Random;

namespace {

using Draw = std::function<HeldOutError(Random &)>;

/// Share of new places inside the band, on average over many draws of hold-outs.
double coverageOf(const Draw &draw, std::size_t holdOuts, double floor)
{
    Random random(5);
    constexpr int draws = 2000, places = 50;
    int inside = 0;
    for (int i = 0; i < draws; ++i) {
        std::vector<HeldOutError> runs;
        for (std::size_t j = 0; j < holdOuts; ++j)
            runs.push_back(draw(random));
        const auto band = calibratedBand(runs, floor);
        for (int j = 0; band && j < places; ++j) {
            const auto place = draw(random);
            inside += place.error <= band->radius(place.indicator) ? 1 : 0;
        }
    }
    return inside / double(draws * places);
}

/// The indicator is right but for a factor that varies by 2.
HeldOutError good(Random &random)
{
    const double size = std::exp(random.real(-4, 0));
    return {size * std::exp(random.real(-0.7, 0.7)), 3 * size};
}

/// It says the contrary of the truth, and often nothing.
HeldOutError misleading(Random &random)
{
    const double size = random.real(0, 1);
    return {size * size, random.real(0, 1) < 0.4 ? 0 : 1 - size};
}

} // namespace

class ErrorBandTest : public QObject
{
    Q_OBJECT

private slots:
    void claimsNoMoreThanHoldOutsAllow();
    void theFactorIsTheRankedScore();
    void newPlacesAreInsideAsOftenAsClaimed_data();
    void newPlacesAreInsideAsOftenAsClaimed();
    void anIndicatorThatKnowsWhereMakesItNarrower();
    void whereTheIndicatorSaysNothingTheBandIsConstant();
    void numbersThatAreNoneGiveNoBand();
    void valuesHaveTheirOwnBands_data();
    void valuesHaveTheirOwnBands();
    void valuesThatSomeLackAreOfTheOthers();
};

void ErrorBandTest::claimsNoMoreThanHoldOutsAllow()
{
    QCOMPARE(claimableCoverage(1), 0.5);
    QCOMPARE(claimableCoverage(8), 1 - 1 / 9.0);
    QCOMPARE(claimableCoverage(9), 0.9);
    QCOMPARE(claimableCoverage(18), 0.9);
    QCOMPARE(claimableCoverage(19), 0.95);
    QCOMPARE(claimableCoverage(1000), 0.95);
}

void ErrorBandTest::theFactorIsTheRankedScore()
{
    for (std::size_t n = 1; n <= 60; ++n) {
        std::vector<HeldOutError> runs;
        for (std::size_t i = 1; i <= n; ++i)
            runs.push_back({double(n + 1 - i) * 2, 1.5}); // scores n .. 1
        const auto band = calibratedBand(runs, 0.5);
        QVERIFY(band);
        const double coverage = claimableCoverage(n);
        // ceil, with care for what is whole but for round-off
        const double rank = std::ceil(double(n + 1) * coverage - 1e-9);
        QCOMPARE(band->factor, rank);
        QCOMPARE(band->offset, rank * 0.5);
        QCOMPARE(band->coverage, coverage);
        QCOMPARE(band->holdOuts, n);
        QCOMPARE(band->radius(2), rank * 2.5);
    }
}

void ErrorBandTest::newPlacesAreInsideAsOftenAsClaimed_data()
{
    QTest::addColumn<int>("holdOuts");
    QTest::addColumn<bool>("isGood");
    QTest::addColumn<double>("floor");
    for (int holdOuts : {5, 9, 19, 39}) {
        for (bool isGood : {true, false}) {
            for (double floor : {0.0, 0.05})
                QTest::addRow("%d hold-outs, a %s indicator, floor %g", holdOuts,
                              isGood ? "good" : "misleading", floor)
                    << holdOuts << isGood << floor;
        }
    }
}

void ErrorBandTest::newPlacesAreInsideAsOftenAsClaimed()
{
    QFETCH(int, holdOuts);
    QFETCH(bool, isGood);
    QFETCH(double, floor);
    const auto n = static_cast<std::size_t>(holdOuts);
    const double covered = coverageOf(isGood ? good : misleading, n, floor);
    const double claimed = claimableCoverage(n);
    // rank / (N + 1) exactly, on average: what ceil adds is less than one place in N + 1
    QVERIFY2(covered > claimed - 0.01 && covered < claimed + 1.0 / double(n + 1) + 0.01,
             qPrintable(QString::number(covered)));
}

void ErrorBandTest::anIndicatorThatKnowsWhereMakesItNarrower()
{
    Random random(7);
    std::vector<HeldOutError> runs;
    for (int i = 0; i < 19; ++i)
        runs.push_back(good(random));
    const auto band = calibratedBand(runs, 0.01), constant = calibratedBand(runs, 0);
    QVERIFY(band && constant);
    std::vector<double> widths;
    for (int i = 0; i < 1001; ++i)
        widths.push_back(band->radius(good(random).indicator));
    std::ranges::nth_element(widths, widths.begin() + 500);
    QVERIFY2(2 * widths[500] < constant->radius(0), qPrintable(QString::number(widths[500])));
}

void ErrorBandTest::whereTheIndicatorSaysNothingTheBandIsConstant()
{
    const std::vector<HeldOutError> runs{{3, 0}, {1, 0}, {2, 7}};
    const auto band = calibratedBand(runs, 0);
    QVERIFY(band);
    QCOMPARE(band->radius(0), 3.0);
    QCOMPARE(band->radius(100), 3.0);
    const std::vector<HeldOutError> exact{{0, 0}, {0, 0}};
    QCOMPARE(calibratedBand(exact, 0)->radius(0), 0.0);
}

void ErrorBandTest::numbersThatAreNoneGiveNoBand()
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinite = std::numeric_limits<double>::infinity();
    QVERIFY(!calibratedBand({}, 1));
    for (double wrong : {nan, infinite, -1.0}) {
        QVERIFY(!calibratedBand(std::vector<HeldOutError>{{1, 1}, {wrong, 1}}, 1));
        QVERIFY(!calibratedBand(std::vector<HeldOutError>{{1, wrong}}, 1));
        QVERIFY(!calibratedBand(std::vector<HeldOutError>{{1, 1}}, wrong));
    }
    QVERIFY(!calibratedBand(std::vector<HeldOutError>{{1e300, 0}}, 1e-300)); // too large a factor
}

void ErrorBandTest::valuesHaveTheirOwnBands_data()
{
    QTest::addColumn<int>("holdOuts");
    for (const int count : {1, 2, 8, 9, 19, 20, 39, 100})
        QTest::addRow("%d", count) << count;
}

/// Against calibratedBand() of each value alone.
void ErrorBandTest::valuesHaveTheirOwnBands()
{
    QFETCH(int, holdOuts);
    Random random(11);
    constexpr std::size_t values = 7;
    ValueBands bands(values, static_cast<std::size_t>(holdOuts));
    std::vector<std::vector<HeldOutError>> runs(values);
    for (int i = 0; i < holdOuts; ++i) {
        std::vector<float> evaluated, truth;
        for (std::size_t k = 0; k < values; ++k) {
            evaluated.push_back(static_cast<float>(random.real(-1, 1)));
            truth.push_back(static_cast<float>(random.real(-1, 1)));
            runs[k].push_back({static_cast<double>(std::abs(evaluated[k] - truth[k])), 0});
        }
        bands.add(errorsOf(evaluated, truth));
    }
    const auto offsets = bands.offsets();
    QCOMPARE(offsets.size(), values);
    for (std::size_t k = 0; k < values; ++k) {
        const auto alone = calibratedBand(runs[k], 0);
        QCOMPARE(static_cast<double>(offsets[k]), alone->offset);
        QCOMPARE(bands.coverage(), alone->coverage);
        QCOMPARE(bands.holdOuts(), alone->holdOuts);
    }
    ValueBands broken(1, 1);
    broken.add(errorsOf(std::vector{std::nanf("")}, std::vector{1.0F}));
    QVERIFY(std::isinf(broken.offsets()[0]));
}

void ErrorBandTest::valuesThatSomeLackAreOfTheOthers()
{
    constexpr int holdOuts = 39; // the second largest of a value that all have
    const float none = std::nanf("");
    ValueBands bands(4, holdOuts);
    for (int i = 1; i <= holdOuts; ++i) {
        const auto error = static_cast<float>(i);
        bands.add(std::vector{error, i <= 20 ? error : none, i <= 5 ? error : none, none});
    }
    const auto offsets = bands.offsets();
    QCOMPARE(offsets[0], 38.0F);
    QCOMPARE(offsets[1], 20.0F);
    QCOMPARE(offsets[2], 5.0F);
    QVERIFY(std::isnan(offsets[3]));
    QCOMPARE(bands.valuesOfFewer(), std::size_t{1});
}

GRIDHELM_TEST(ErrorBandTest)
#include "tst_error_band.moc"
