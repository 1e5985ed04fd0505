// SPDX-License-Identifier: GPL-3.0-or-later
//
// The plate against the solution as a double sine series.
#include "core/support/error.h"
#include "tests/core/expect_error.h"
#include "tests/simulations/runs.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace gridhelm::simulations;
using namespace gridhelm::test;

namespace {

constexpr double pi = std::numbers::pi;

struct Plate
{
    double x, y, strength, width, left, right, bottom, top;

    std::vector<double> values() const { return {x, y, strength, width, left, right, bottom, top}; }
};

/// A side at temperature 1, the others at 0, at distance d from that side and s along it.
double fromSide(double d, double s)
{
    double sum = 0;
    for (int k = 1; k < 400; k += 2) {
        // sinh(k pi (1 - d)) / sinh(k pi), without overflow
        const double decay = std::exp(-k * pi * d) * (1 - std::exp(-2 * k * pi * (1 - d)))
                             / (1 - std::exp(-2 * k * pi));
        sum += 4 / (k * pi) * std::sin(k * pi * s) * decay;
    }
    return sum;
}

/// The sine coefficients of a Gaussian far inside are those of a point times exp(-(pi k w)^2 / 2).
double fromSource(const Plate &plate, double x, double y)
{
    double sum = 0;
    for (int k = 1; k < 40; ++k) {
        for (int l = 1; l < 40; ++l) {
            const double squared = pi * pi * (k * k + l * l);
            sum += 4 / squared * std::exp(-squared * plate.width * plate.width / 2)
                   * std::sin(k * pi * plate.x) * std::sin(l * pi * plate.y) * std::sin(k * pi * x)
                   * std::sin(l * pi * y);
        }
    }
    return plate.strength * sum;
}

double exact(const Plate &plate, double x, double y)
{
    return fromSource(plate, x, y) + plate.left * fromSide(x, y) + plate.right * fromSide(1 - x, y)
           + plate.bottom * fromSide(y, x) + plate.top * fromSide(1 - y, x);
}

/// Largest error at inner nodes of a 17^2 grid, those next to the sides left out: corners between
/// sides of different temperatures are singular.
double largestError(const Plate &plate, std::size_t resolution)
{
    const auto snapshots =
        snapshotsOf(findSimulation("plate"), {resolution, {}}, plate.values(), {});
    const auto &values = snapshots.at(0).fields.at(0);
    const auto step = (resolution - 1) / 16;
    double largest = 0;
    for (std::size_t j = 2; j <= 14; ++j) {
        for (std::size_t i = 2; i <= 14; ++i) {
            const double truth =
                exact(plate, static_cast<double>(i) / 16, static_cast<double>(j) / 16);
            const auto value = static_cast<double>(values[j * step * resolution + i * step]);
            largest = std::max(largest, std::abs(value - truth));
        }
    }
    return largest;
}

} // namespace

class TestPlate : public QObject
{
    Q_OBJECT

private slots:
    void convergesToTheSeries_data();
    void convergesToTheSeries();
    void sidesHaveTheirTemperatures();
    void isLinearInTheSource();
    void dependsSmoothlyOnThePosition();
    void refusesSourcesNarrowerThanTheGrid();
};

void TestPlate::convergesToTheSeries_data()
{
    QTest::addColumn<std::vector<double>>("values");
    QTest::newRow("source") << std::vector<double>{0.4, 0.6, 100, 0.06, 0, 0, 0, 0};
    QTest::newRow("left") << std::vector<double>{0.5, 0.5, 0, 0.1, 10, 0, 0, 0};
    QTest::newRow("right") << std::vector<double>{0.5, 0.5, 0, 0.1, 0, 10, 0, 0};
    QTest::newRow("bottom") << std::vector<double>{0.5, 0.5, 0, 0.1, 0, 0, 10, 0};
    QTest::newRow("top") << std::vector<double>{0.5, 0.5, 0, 0.1, 0, 0, 0, 10};
    QTest::newRow("all") << std::vector<double>{0.45, 0.55, -50, 0.07, -3, 4, 5, 16};
}

void TestPlate::convergesToTheSeries()
{
    QFETCH(std::vector<double>, values);
    const Plate plate{values[0], values[1], values[2], values[3],
                      values[4], values[5], values[6], values[7]};
    const double coarse = largestError(plate, 33);
    const double fine = largestError(plate, 65);
    QVERIFY2(fine < 0.1, qPrintable(QString::number(fine)));
    QVERIFY2(coarse / fine > 3.2, qPrintable(QString::number(coarse / fine)));
}

void TestPlate::sidesHaveTheirTemperatures()
{
    const Plate plate{0.5, 0.5, 10, 0.2, 1, 2, 3, 4};
    const auto values =
        snapshotsOf(findSimulation("plate"), {17, {}}, plate.values(), {})[0].fields[0];
    QCOMPARE(values[8 * 17], 1.0F);
    QCOMPARE(values[8 * 17 + 16], 2.0F);
    QCOMPARE(values[8], 3.0F);
    QCOMPARE(values[16 * 17 + 8], 4.0F);
    QCOMPARE(values[0], 2.0F);
    QCOMPARE(values[17 * 17 - 1], 3.0F);
}

void TestPlate::isLinearInTheSource()
{
    const auto field = [](double strength) {
        const Plate plate{0.3, 0.6, strength, 0.1, 0, 0, 0, 0};
        return snapshotsOf(findSimulation("plate"), {33, {}}, plate.values(), {})[0].fields[0];
    };
    const auto once = field(10);
    const auto fivefold = field(50);
    for (std::size_t i = 0; i < once.size(); ++i)
        QVERIFY(std::abs(5 * once[i] - fivefold[i]) < 1e-5F);
    QVERIFY(*std::max_element(once.begin(), once.end()) > 1);
}

/// Half a spacing moves the field by the mean of none and a whole one, up to the second difference.
void TestPlate::dependsSmoothlyOnThePosition()
{
    const auto field = [](double x) {
        const Plate plate{x, 0.5, 100, 0.1, 0, 0, 0, 0};
        return snapshotsOf(findSimulation("plate"), {65, {}}, plate.values(), {})[0].fields[0];
    };
    const double h = 1.0 / 64;
    const auto a = field(0.4);
    const auto b = field(0.4 + h / 2);
    const auto c = field(0.4 + h);
    float largestStep = 0;
    float largestBend = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largestStep = std::max(largestStep, std::abs(c[i] - a[i]));
        largestBend = std::max(largestBend, std::abs(a[i] - 2 * b[i] + c[i]));
    }
    QVERIFY(largestStep > 0.5F);
    QVERIFY2(largestBend < 0.1F * largestStep, qPrintable(QString::number(largestBend)));
}

void TestPlate::refusesSourcesNarrowerThanTheGrid()
{
    const auto &plate = findSimulation("plate");
    const auto narrow = parametersOf(plate, {{"width", 0.02}});
    GRIDHELM_EXPECT_ERROR(plate.requireRunnable({33, {}}, narrow, narrow));
    plate.requireRunnable({129, {}}, narrow, narrow);
}

GRIDHELM_TEST(TestPlate)
#include "tst_plate.moc"
