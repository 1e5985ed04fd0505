// SPDX-License-Identifier: GPL-3.0-or-later
//
// Folds against travel times along straight rays: T is the smallest tau(r) over the horizon.
#include "core/solvers/pmm/local_update.h"
#include "core/support/error.h"
#include "tests/core/expect_error.h"
#include "tests/simulations/runs.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

using namespace gridhelm::simulations;
using namespace gridhelm::test;

namespace {

struct Case
{
    double speed = 1.5;
    double psi = 0.4;
    double azimuth = 30; ///< degrees
    double plunge = 40;
    double height = 0.4;
    double amplitude = 0.08;

    std::vector<double> values() const { return {speed, psi, azimuth, plunge, height, amplitude}; }
    std::array<double, 3> direction() const
    {
        const double a = azimuth * std::numbers::pi / 180;
        const double p = plunge * std::numbers::pi / 180;
        return {std::cos(p) * std::cos(a), std::cos(p) * std::sin(a), std::sin(p)};
    }
    double horizon(double x, double y) const
    {
        return height + amplitude * std::cos(2 * std::numbers::pi * (x - y / 4));
    }
    /// tau(r): the positive root, by hand.
    double travelTime(const std::array<double, 3> &r) const
    {
        const auto a = direction();
        const double along = psi * (a[0] * r[0] + a[1] * r[1] + a[2] * r[2]);
        const double squared = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
        const double g = speed * speed - psi * psi;
        return (std::sqrt(along * along + g * squared) - along) / g;
    }
};

Snapshot run(const Case &fold, std::size_t resolution)
{
    return snapshotsOf(findSimulation("folds"), {resolution, {}}, fold.values(), {}).at(0);
}

/// The earliest arrival over a fine sample of the horizon, which goes on outside the cube; infinite
/// if the earliest ray starts there.
double rayTime(const Case &fold, const std::array<double, 3> &x)
{
    constexpr int steps = 200;
    double best = std::numeric_limits<double>::infinity();
    bool isInside = false;
    for (int j = -steps / 2; j <= 3 * steps / 2; ++j) {
        for (int i = -steps / 2; i <= 3 * steps / 2; ++i) {
            const double u = static_cast<double>(i) / steps;
            const double v = static_cast<double>(j) / steps;
            const double time = fold.travelTime({x[0] - u, x[1] - v, x[2] - fold.horizon(u, v)});
            if (time < best) {
                best = time;
                isInside = i > 0 && i < steps && j > 0 && j < steps;
            }
        }
    }
    return isInside ? best : std::numeric_limits<double>::infinity();
}

double meanRayError(const Case &fold, std::size_t resolution)
{
    const auto times = run(fold, resolution).fields[0];
    const auto stride = (resolution - 1) / 4;
    double sum = 0;
    int count = 0;
    for (std::size_t k = 0; k <= 4; ++k) {
        for (std::size_t j = 0; j <= 4; ++j) {
            for (std::size_t i = 0; i <= 4; ++i) {
                const double truth =
                    rayTime(fold, {static_cast<double>(i) / 4, static_cast<double>(j) / 4,
                                   static_cast<double>(k) / 4});
                if (!std::isfinite(truth))
                    continue;
                const auto node = (k * stride * resolution + j * stride) * resolution + i * stride;
                sum += std::abs(static_cast<double>(times[node]) - truth);
                ++count;
            }
        }
    }
    return count > 30 ? sum / count : std::numeric_limits<double>::infinity();
}

} // namespace

class TestFolds : public QObject
{
    Q_OBJECT

private slots:
    void flatLayersAreExact();
    void approachesStraightRays();
    void layersAreSignedTimes();
    void refusesFrontsThatCannotSpread();
    void refusesHorizonsOutsideTheCube();
};

/// A plane front: T = d / (F + psi a_n) where its characteristics start inside the cube.
void TestFolds::flatLayersAreExact()
{
    Case fold;
    fold.amplitude = 0;
    fold.azimuth = 0;
    fold.plunge = 90; // straight up: characteristics are vertical
    const auto times = run(fold, 11).fields[0];
    for (std::size_t node = 0; node < times.size(); ++node) {
        const auto layer = node / 121;
        const double z = static_cast<double>(layer) / 10;
        const double d = std::abs(z - fold.height);
        const double speed = z >= fold.height ? fold.speed + fold.psi : fold.speed - fold.psi;
        QVERIFY(std::abs(static_cast<double>(times[node]) - d / speed) < 1e-6);
    }
}

void TestFolds::approachesStraightRays()
{
    const Case fold;
    const double coarse = meanRayError(fold, 13);
    const double fine = meanRayError(fold, 33);
    QVERIFY2(fine < 0.004, qPrintable(QString::number(fine)));
    QVERIFY2(coarse / fine > 1.8, qPrintable(QString::number(coarse / fine)));
}

void TestFolds::layersAreSignedTimes()
{
    const Case fold;
    const auto snapshot = run(fold, 9);
    for (std::size_t node = 0; node < snapshot.fields[0].size(); ++node) {
        const double h = 1.0 / 8;
        const double x = static_cast<double>(node % 9) * h;
        const double y = static_cast<double>(node / 9 % 9) * h;
        const auto layer = node / 81;
        const double z = static_cast<double>(layer) * h;
        const float sign = z < fold.horizon(x, y) ? -1.0F : 1.0F;
        QVERIFY(snapshot.fields[0][node] >= 0);
        QCOMPARE(snapshot.fields[1][node], sign * snapshot.fields[0][node]);
    }
}

void TestFolds::refusesFrontsThatCannotSpread()
{
    const auto &folds = findSimulation("folds");
    const auto stuck = parametersOf(folds, {{"F", 1}, {"psi", 1}});
    GRIDHELM_EXPECT_ERROR(folds.requireRunnable({}, stuck, stuck));
    // Each corner of the default ranges runs, but not all that a range of psi to -1 would contain.
    auto low = parametersOf(folds, {{"F", 1}, {"psi", -1}});
    const auto high = parametersOf(folds, {{"F", 2}, {"psi", 0.5}});
    GRIDHELM_EXPECT_ERROR(folds.requireRunnable({}, low, high));
    low = parametersOf(folds, {{"F", 1}, {"psi", -0.99}});
    folds.requireRunnable({}, low, high);
}

void TestFolds::refusesHorizonsOutsideTheCube()
{
    const auto &folds = findSimulation("folds");
    for (double height : {0.05, 0.95}) {
        const auto outside = parametersOf(folds, {{"height", height}, {"amplitude", 0.1}});
        GRIDHELM_EXPECT_ERROR(folds.requireRunnable({}, outside, outside));
    }
}

GRIDHELM_TEST(TestFolds)
#include "tst_folds.moc"
