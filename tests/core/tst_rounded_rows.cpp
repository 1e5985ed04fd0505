// SPDX-License-Identifier: GPL-3.0-or-later
//
// Modal coefficients with fewer digits: multiples of a step, off by as much as was asked for.
#include "core/modes/rounded_rows.h"
#include "tests/core/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::modes;
using namespace gridhelm::test;

namespace {

ModalRows someRows(std::size_t rows, std::size_t modes)
{
    ModalRows all;
    all.modes = modes;
    all.residuals.assign(rows, 1e-3F);
    Random random(7);
    for (std::size_t i = 0; i < rows * modes; ++i) {
        const double size = std::exp2(-static_cast<double>(i % modes) / 4);
        all.coefficients.push_back(static_cast<float>(size * (2 * random.real() - 1)));
    }
    return all;
}

} // namespace

class RoundedRowsTest : public QObject
{
    Q_OBJECT

private slots:
    void combinationsAreOffByWhatWasAskedFor();
    void everyCoefficientIsTheNearestMultiple();
    void withoutAStepAllIsAsItWas();
    void residualsAreRoundedUp();
};

void RoundedRowsTest::combinationsAreOffByWhatWasAskedFor()
{
    constexpr std::size_t rows = 400, modes = 60;
    const auto exact = someRows(rows, modes);
    Random random(3);
    std::vector<double> weights(rows);
    double squares = 0;
    for (double &weight : weights) {
        weight = 2 * random.real() - 1;
        squares += weight * weight;
    }
    constexpr double error = 1e-3;
    const auto rounded = roundedRows(exact, coefficientStep(error, modes, std::sqrt(squares)));
    double square = 0;
    for (std::size_t m = 0; m < modes; ++m) {
        double off = 0;
        for (std::size_t i = 0; i < rows; ++i)
            off += weights[i]
                   * (double{rounded.coefficients[i * modes + m]}
                      - double{exact.coefficients[i * modes + m]});
        square += off * off;
    }
    // The step is a power of 2: up to two times smaller than it might be.
    QVERIFY(std::sqrt(square) < 1.3 * error);
    QVERIFY(std::sqrt(square) > 0.35 * error);
}

void RoundedRowsTest::everyCoefficientIsTheNearestMultiple()
{
    auto exact = someRows(50, 20);
    exact.coefficients[0] = 3e7F; // of which its last digit is more than a step
    exact.coefficients[1] = -1e-9F;
    constexpr double step = 1.0 / 1024;
    const auto rounded = roundedRows(exact, step);
    QCOMPARE(rounded.modes, exact.modes);
    QCOMPARE(rounded.rows(), exact.rows());
    for (std::size_t i = 0; i < exact.coefficients.size(); ++i) {
        const double value = rounded.coefficients[i];
        QVERIFY(std::abs(value - double{exact.coefficients[i]}) <= step / 2);
        QCOMPARE(std::remainder(value, step), 0.0);
    }
    QVERIFY(!std::signbit(rounded.coefficients[1]));
}

void RoundedRowsTest::withoutAStepAllIsAsItWas()
{
    const auto exact = someRows(5, 3);
    for (const double step :
         {coefficientStep(0, 3, 1), coefficientStep(1e-60, 3, 1), coefficientStep(1, 3, 0)}) {
        QCOMPARE(step, 0.0);
        QVERIFY(roundedRows(exact, step).coefficients == exact.coefficients);
    }
}

void RoundedRowsTest::residualsAreRoundedUp()
{
    Random random(1);
    std::vector<float> exact(1000);
    for (float &value : exact)
        value = static_cast<float>(0.037 * random.real() * random.real());
    exact[5] = 0;
    auto rounded = exact;
    roundUp(rounded);
    const double largest = std::ranges::max(exact);
    for (std::size_t i = 0; i < exact.size(); ++i) {
        QVERIFY(rounded[i] >= exact[i]);
        QVERIFY(double{rounded[i]} - double{exact[i]} <= largest / 32768);
    }
    QCOMPARE(rounded[5], 0.0F);
    for (const float value : {0.0F, std::numeric_limits<float>::denorm_min()}) {
        std::vector<float> tiny(3, value), none;
        roundUp(tiny);
        QCOMPARE(tiny[2], value);
        roundUp(none);
        QVERIFY(none.empty());
    }
}

GRIDHELM_TEST(RoundedRowsTest)
#include "tst_rounded_rows.moc"
