// SPDX-License-Identifier: GPL-3.0-or-later
//
// Curves of samples against the densities that these were drawn from.
#include "core/answers/density.h"

#include "core/answers/uncertainty.h"
#include "tests/core/answers_cases.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace gridhelm::answers;

namespace {

/// Quantiles at the middles of equal shares: what a sample would be without chance.
template <typename Quantile>
std::vector<double> samplesOf(std::size_t count, Quantile quantile)
{
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = quantile((static_cast<double>(i) + 0.5) / static_cast<double>(count));
    std::ranges::sort(values);
    return values;
}

double normalQuantile(double share)
{
    return boost::math::quantile(boost::math::normal_distribution<double>(), share);
}

double normalDensity(double x)
{
    return boost::math::pdf(boost::math::normal_distribution<double>(), x);
}

double placeOf(const Density &density, std::size_t i)
{
    return density.low
           + (density.high - density.low) * static_cast<double>(i)
                 / static_cast<double>(density.values.size() - 1);
}

double integralOf(const Density &density)
{
    const double all = std::accumulate(density.values.begin(), density.values.end(), 0.0)
                       - (density.values.front() + density.values.back()) / 2;
    return all * (density.high - density.low) / static_cast<double>(density.values.size() - 1);
}

/// The largest distance to a density, beside `peak`.
template <typename Truth>
double farthest(const Density &density, double peak, Truth truth)
{
    double most = 0;
    for (std::size_t i = 0; i < density.values.size(); ++i)
        most = std::max(most, std::abs(density.values[i] - truth(placeOf(density, i))) / peak);
    return most;
}

} // namespace

class DensityTest : public QObject
{
    Q_OBJECT

private slots:
    void normalSamplesHaveTheirDensity();
    void endsLoseNothing();
    void peaksStayApart();
    void narrowPeaksAreNotHigherThanTheyHold();
    void whatHasNoDensityHasNoCurve();
    void spreadsHaveTheirCurve();
};

void DensityTest::normalSamplesHaveTheirDensity()
{
    const auto density = densityOf(samplesOf(20'000, normalQuantile), 257);
    QVERIFY(density);
    QVERIFY(farthest(*density, normalDensity(0), normalDensity) <= 0.02);
    QVERIFY(std::abs(integralOf(*density) - 1) <= 1e-3);
    QVERIFY(std::abs(density->mostLikely) <= 0.05);
    // What is best for a normal density, (4 / 3 / n)^(1/5), to a third.
    QVERIFY(std::abs(density->bandwidth / std::pow(4.0 / 3 / 20'000, 0.2) - 1) <= 0.33);
}

void DensityTest::endsLoseNothing()
{
    const auto even = densityOf(samplesOf(4096, [](double u) { return 5 + 2 * u; }));
    QVERIFY(even);
    QVERIFY(farthest(*even, 0.5, [](double) { return 0.5; }) <= 0.02);
    // Highest at its end: 2 (1 - x) / ... of a triangle.
    const auto falling =
        densityOf(samplesOf(20'000, [](double u) { return 1 - std::sqrt(1 - u); }));
    QVERIFY(falling);
    QVERIFY(farthest(*falling, 2, [](double x) { return 2 * (1 - x); }) <= 0.05);
    QVERIFY(falling->mostLikely <= 0.05);
}

void DensityTest::peaksStayApart()
{
    const auto density = densityOf(samplesOf(20'000,
                                             [](double u) {
                                                 return u < 0.5 ? -5 + 0.2 * normalQuantile(2 * u)
                                                                : 5 + normalQuantile(2 * u - 1);
                                             }),
                                   513);
    QVERIFY(density);
    const double peak = normalDensity(0) / 0.4;
    const auto truth = [](double x) {
        return 0.5 * normalDensity((x + 5) / 0.2) / 0.2 + 0.5 * normalDensity(x - 5);
    };
    QVERIFY(farthest(*density, peak, truth) <= 0.05);
    QVERIFY(std::abs(density->mostLikely + 5) <= 0.05);
}

void DensityTest::narrowPeaksAreNotHigherThanTheyHold()
{
    auto narrow = samplesOf(4000, [](double u) { // far below the curve's distances
        return u < 0.5 ? 1e-9 * normalQuantile(2 * u) : 2 * u - 1;
    });
    auto oneFarOff = samplesOf(4000, normalQuantile);
    oneFarOff.push_back(1e4);
    const auto skewed = samplesOf(4000, [](double u) { return std::exp(2 * normalQuantile(u)); });
    for (const auto &samples : {narrow, oneFarOff, skewed})
        for (const std::size_t points : {33, 129, 513}) {
            const auto density = densityOf(samples, points);
            QVERIFY(density);
            QVERIFY2(std::abs(integralOf(*density) - 1) <= 0.02,
                     qPrintable(QString::number(integralOf(*density))));
            QVERIFY(density->bandwidth * (static_cast<double>(points) - 1)
                    >= (1 - 1e-12) * (density->high - density->low));
        }
}

void DensityTest::whatHasNoDensityHasNoCurve()
{
    QVERIFY(!densityOf({}));
    QVERIFY(!densityOf(std::vector<double>(100, 3.5)));
    QVERIFY(!densityOf(std::vector{1e9, 1e9 + 1e-5}));
    auto values = samplesOf(1000, normalQuantile);
    std::fill(values.begin() + 400, values.begin() + 410, values[400]);
    QVERIFY(!densityOf(values));
    values = samplesOf(1000, normalQuantile);
    std::fill(values.begin() + 400, values.begin() + 409, values[400]);
    QVERIFY(densityOf(values));
    QVERIFY(densityOf(std::vector{1.0, 2.0}));
    // Half of the samples are 0 but for round-off, as sums of coefficients are.
    QVERIFY(!densityOf(samplesOf(
        4000, [](double u) { return u < 0.5 ? 1e-15 * normalQuantile(2 * u) : 2 * u - 1; })));
}

void DensityTest::spreadsHaveTheirCurve()
{
    const auto values = samplesOf(4096, normalQuantile);
    const auto spread = spreadOf({values.rbegin(), values.rend()}, {}, std::nullopt, 20);
    QVERIFY(spread.density);
    QCOMPARE(spread.density->values, densityOf(values)->values);
    QCOMPARE(spread.density->low, values.front());
    QVERIFY(!spreadOf({1.0, 1.0, 1.0}, {}, std::nullopt, 20).density);
}

GRIDHELM_TEST(DensityTest)
#include "tst_density.moc"
