// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the scheme for the cavity promises: no divergence, symmetries, energy, orders of
// convergence.
#include "core/simulations/cavity/cavity_flow.h"

#include "tests/core/on_cpu.h"
#include "tests/core/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::simulations;
using namespace gridhelm::test;

namespace {

CavityFlowSettings settingsFor(int dimension, std::size_t cells, double reynolds)
{
    CavityFlowSettings settings;
    settings.dimension = dimension;
    settings.cells = cells;
    settings.reynolds = reynolds;
    return settings;
}

void advance(CavityFlow &flow, double end)
{
    while (flow.state().time < end)
        flow.step(std::min(flow.stableStep(), end - flow.state().time));
}

void advanceEvenly(CavityFlow &flow, double end, int steps)
{
    for (int i = 0; i < steps; ++i)
        flow.step(end / steps);
}

/// u = d(psi)/dy, v = -d(psi)/dx of a stream function at the corners of cells, 0 on the walls:
/// free of divergence.
template <typename StreamFunction>
CavityFlow::State stateOf(const StaggeredGrid &grid, StreamFunction psi)
{
    CavityFlow::State state;
    const auto n = grid.cells;
    const auto extent = grid.extent();
    for (int c = 0; c < grid.dimension; ++c)
        state.velocity[static_cast<std::size_t>(c)].resize(grid.size());
    std::vector<double> corners((n + 1) * (n + 1));
    for (std::size_t j = 1; j < n; ++j) {
        for (std::size_t i = 1; i < n; ++i)
            corners[j * (n + 1) + i] = psi(static_cast<double>(i) / static_cast<double>(n),
                                           static_cast<double>(j) / static_cast<double>(n));
    }
    const auto corner = [&](std::size_t i, std::size_t j) { return corners[j * (n + 1) + i]; };
    for (std::size_t j = 0; j <= n; ++j) {
        for (std::size_t i = 0; i <= n; ++i) {
            const auto at = j * extent + i;
            if (j > 0)
                state.velocity[0][at] = (corner(i, j) - corner(i, j - 1)) / grid.spacing();
            if (i > 0)
                state.velocity[1][at] = -(corner(i, j) - corner(i - 1, j)) / grid.spacing();
        }
    }
    return state;
}

double rootMeanSquare(const std::vector<double> &values)
{
    double sum = 0;
    for (double value : values)
        sum += value * value;
    return std::sqrt(sum / static_cast<double>(values.size()));
}

/// u and v at the nodes of a grid of 9^2 nodes, those away from the walls and their corners.
std::vector<double> coreVelocity(const CavityFlow &flow)
{
    const auto all = flow.velocityAtNodes();
    const auto n = flow.grid().cells;
    std::vector<double> values;
    for (std::size_t j = 2; j <= 6; ++j) {
        for (std::size_t i = 2; i <= 6; ++i) {
            const auto node = j * n / 8 * (n + 1) + i * n / 8;
            values.push_back(static_cast<double>(all[3 * node]));
            values.push_back(static_cast<double>(all[3 * node + 1]));
        }
    }
    return values;
}

std::vector<double> difference(std::vector<double> a, const std::vector<double> &b)
{
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] -= b[i];
    return a;
}

} // namespace

class TestCavityFlow : public QObject
{
    Q_OBJECT

private slots:
    void isFreeOfDivergence_data();
    void isFreeOfDivergence();
    void turnsWithItsWalls();
    void mirrorsInZ();
    void hasNoCheckerboard();
    void advectionKeepsEnergy();
    void decaysAtTheRateOfTheSlowestMode();
    void startsLikeAPlateInUnboundedFluid();
    void convergesWithSecondOrderInSpace();
    void convergesWithThirdOrderInTime();
    void bothPressureSolversGiveTheSameFlow();
    void nodesOnWallsMoveWithThem();
};

void TestCavityFlow::isFreeOfDivergence_data()
{
    QTest::addColumn<int>("dimension");
    QTest::newRow("2D") << 2;
    QTest::newRow("3D") << 3;
}

void TestCavityFlow::isFreeOfDivergence()
{
    QFETCH(int, dimension);
    CavityFlow flow(settingsFor(dimension, 12, 200), test::onCpu());
    for (int i = 0; i < 20; ++i) {
        flow.step(flow.stableStep());
        QVERIFY(flow.largestDivergence() < 1e-12);
    }
    QVERIFY(flow.kineticEnergy() > 1e-3);
}

/// With the bottom as fast as the lid, the other way, half a turn maps the flow onto itself.
void TestCavityFlow::turnsWithItsWalls()
{
    auto settings = settingsFor(2, 24, 400);
    settings.bottomSpeed = -1;
    CavityFlow flow(settings, test::onCpu());
    advance(flow, 3);
    const auto velocity = flow.velocityAtNodes();
    const auto pressure = flow.pressureAtNodes();
    const auto nodes = pressure.size();
    for (std::size_t node = 0; node < nodes; ++node) {
        const auto turned = nodes - 1 - node;
        QVERIFY(std::abs(velocity[3 * node] + velocity[3 * turned]) < 1e-6F);
        QVERIFY(std::abs(velocity[3 * node + 1] + velocity[3 * turned + 1]) < 1e-6F);
        QVERIFY(std::abs(pressure[node] - pressure[turned]) < 1e-5F);
    }
}

void TestCavityFlow::mirrorsInZ()
{
    CavityFlow flow(settingsFor(3, 12, 400), test::onCpu());
    advance(flow, 2);
    const auto velocity = flow.velocityAtNodes();
    const std::size_t n = 13;
    float largest = 0;
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t at = 0; at < n * n; ++at) {
            const auto node = 3 * (k * n * n + at);
            const auto mirrored = 3 * ((n - 1 - k) * n * n + at);
            QVERIFY(std::abs(velocity[node] - velocity[mirrored]) < 1e-6F);
            QVERIFY(std::abs(velocity[node + 1] - velocity[mirrored + 1]) < 1e-6F);
            QVERIFY(std::abs(velocity[node + 2] + velocity[mirrored + 2]) < 1e-6F);
            largest = std::max(largest, std::abs(velocity[node + 2]));
        }
    }
    QVERIFY(largest > 1e-3F); // there is a flow along z
}

/// What alternates from node to node is as little as second differences in both directions of a
/// smooth field, order h^4: a checkerboard would pass this filter undiminished.
void TestCavityFlow::hasNoCheckerboard()
{
    CavityFlow flow(settingsFor(2, 64, 1000), test::onCpu());
    advance(flow, 5);
    const auto pressure = flow.pressureAtNodes();
    const auto velocity = flow.velocityAtNodes();
    const auto alternating = [](const std::vector<float> &values, std::size_t node,
                                std::size_t components) {
        double sum = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            for (std::size_t i = 0; i < 3; ++i) {
                const double weight = (i == 1 ? -2 : 1) * (j == 1 ? -2 : 1) / 16.0;
                const auto at = node + (j * 65 + i) - 66;
                sum += weight * static_cast<double>(values[components * at]);
            }
        }
        return std::abs(sum);
    };
    // Away from the corners of the lid, where p is singular.
    double largestP = 0;
    double largestU = 0;
    for (std::size_t j = 4; j < 48; ++j) {
        for (std::size_t i = 4; i < 61; ++i) {
            largestP = std::max(largestP, alternating(pressure, j * 65 + i, 1));
            largestU = std::max(largestU, alternating(velocity, j * 65 + i, 3));
        }
    }
    QVERIFY2(largestP < 1e-4, qPrintable(QString::number(largestP)));
    QVERIFY2(largestU < 1e-3, qPrintable(QString::number(largestU)));
}

/// Without viscosity and with walls at rest only the time steps change the energy, with third
/// order.
void TestCavityFlow::advectionKeepsEnergy()
{
    auto settings = settingsFor(2, 16, 1e14);
    settings.lidSpeed = 0;
    CavityFlow flow(settings, test::onCpu());
    Random random(3);
    const auto start =
        stateOf(flow.grid(), [&](double, double) { return random.real(-0.02, 0.02); });
    double drift[2];
    for (int steps : {100, 200}) {
        flow.setState(start);
        QVERIFY(flow.largestDivergence() < 1e-12);
        const double energy = flow.kineticEnergy();
        QVERIFY(energy > 0.01);
        advanceEvenly(flow, 0.5, steps);
        drift[steps / 100 - 1] = std::abs(flow.kineticEnergy() / energy - 1);
    }
    QVERIFY2(drift[1] < 1e-3, qPrintable(QString::number(drift[1])));
    QVERIFY2(drift[0] / drift[1] > 6, qPrintable(QString::number(drift[0] / drift[1])));
}

/// The slowest Stokes mode of the unit square with walls at rest decays as exp(-52.3447 t / Re):
/// the smallest buckling eigenvalue of a clamped square plate [Bjorstad1999].
void TestCavityFlow::decaysAtTheRateOfTheSlowestMode()
{
    constexpr double eigenvalue = 52.34469;
    double errors[2];
    for (std::size_t cells : {16U, 32U}) {
        auto settings = settingsFor(2, cells, 1);
        settings.lidSpeed = 0;
        CavityFlow flow(settings, test::onCpu());
        flow.setState(stateOf(flow.grid(), [](double x, double y) {
            const double s = std::sin(std::numbers::pi * x) * std::sin(std::numbers::pi * y);
            return 1e-3 * s * s;
        }));
        advance(flow, 0.04); // faster modes die
        const double before = flow.kineticEnergy();
        advance(flow, 0.08);
        const double rate = std::log(before / flow.kineticEnergy()) / (2 * 0.04);
        errors[cells / 16 - 1] = std::abs(rate / eigenvalue - 1);
    }
    QVERIFY2(errors[1] < 0.005, qPrintable(QString::number(errors[1])));
    QVERIFY2(errors[0] / errors[1] > 3, qPrintable(QString::number(errors[0] / errors[1])));
}

/// Early on, and far from the side walls, u = erfc((1 - y) / (2 sqrt(t / Re))) (Stokes' first
/// problem) on top of a weak return flow: what the layer carries to the right flows back below it.
void TestCavityFlow::startsLikeAPlateInUnboundedFluid()
{
    CavityFlow flow(settingsFor(2, 128, 100), test::onCpu());
    const double time = 0.05;
    advance(flow, time);
    const auto velocity = flow.velocityAtNodes();
    const auto u = [&](std::size_t j) { return static_cast<double>(velocity[3 * (j * 129 + 64)]); };
    const double layer = std::sqrt(time / 100);
    const double back = u(112); // more than five layers below the lid
    QVERIFY(back < 0 && back > -3 * layer);
    for (std::size_t j = 112; j <= 128; ++j) {
        const double form = std::erfc((1 - static_cast<double>(j) / 128) / (2 * layer));
        const double difference = (u(j) - back) / (1 - back) - form;
        QVERIFY2(std::abs(difference) < 0.015, qPrintable(QString::number(difference)));
    }
    double flux = 0;
    for (std::size_t j = 0; j <= 128; ++j)
        flux += u(j) / 128;
    QVERIFY2(std::abs(flux - 0.5 / 128) < 1e-3, qPrintable(QString::number(flux)));
}

void TestCavityFlow::convergesWithSecondOrderInSpace()
{
    std::vector<std::vector<double>> solutions;
    for (std::size_t cells : {16U, 32U, 64U}) {
        CavityFlow flow(settingsFor(2, cells, 50), test::onCpu());
        advance(flow, 1);
        solutions.push_back(coreVelocity(flow));
    }
    const double coarse = rootMeanSquare(difference(solutions[0], solutions[1]));
    const double fine = rootMeanSquare(difference(solutions[1], solutions[2]));
    QVERIFY2(coarse / fine > 3.5, qPrintable(QString::number(coarse / fine)));
}

void TestCavityFlow::convergesWithThirdOrderInTime()
{
    auto settings = settingsFor(2, 16, 100);
    settings.lidSpeed = 0;
    std::vector<std::vector<double>> solutions;
    for (int steps : {8, 16, 32}) {
        CavityFlow flow(settings, test::onCpu());
        flow.setState(stateOf(flow.grid(), [](double x, double y) {
            const double s = std::sin(std::numbers::pi * x) * std::sin(std::numbers::pi * y);
            return 0.3 * s * s * (1 + x - 2 * y * x);
        }));
        advanceEvenly(flow, 0.4, steps);
        std::vector<double> values = flow.state().velocity[0];
        values.insert(values.end(), flow.state().velocity[1].begin(),
                      flow.state().velocity[1].end());
        solutions.push_back(values);
    }
    const double coarse = rootMeanSquare(difference(solutions[0], solutions[1]));
    const double fine = rootMeanSquare(difference(solutions[1], solutions[2]));
    QVERIFY2(coarse / fine > 6.5, qPrintable(QString::number(coarse / fine)));
}

void TestCavityFlow::bothPressureSolversGiveTheSameFlow()
{
    auto settings = settingsFor(2, 24, 200);
    CavityFlow direct(settings, test::onCpu());
    settings.pressure = PressureMethod::sor;
    CavityFlow iterated(settings, test::onCpu());
    advance(direct, 1);
    advance(iterated, 1);
    QVERIFY(iterated.largestDivergence() < 1e-8);
    const auto a = direct.velocityAtNodes();
    const auto b = iterated.velocityAtNodes();
    const auto p = direct.pressureAtNodes();
    const auto q = iterated.pressureAtNodes();
    for (std::size_t i = 0; i < a.size(); ++i)
        QVERIFY(std::abs(a[i] - b[i]) < 1e-6F);
    for (std::size_t i = 0; i < p.size(); ++i)
        QVERIFY(std::abs(p[i] - q[i]) < 1e-5F);
}

void TestCavityFlow::nodesOnWallsMoveWithThem()
{
    for (int dimension : {2, 3}) {
        auto settings = settingsFor(dimension, 8, 100);
        settings.bottomSpeed = 0.25;
        CavityFlow flow(settings, test::onCpu());
        flow.step(flow.stableStep());
        const auto velocity = flow.velocityAtNodes();
        const std::size_t layer = dimension == 3 ? 4 * 81 : 0;
        const auto at = [&](std::size_t i, std::size_t j, std::size_t c) {
            return velocity[3 * (layer + j * 9 + i) + c];
        };
        QCOMPARE(at(4, 8, 0), 1.0F);
        QCOMPARE(at(4, 0, 0), 0.25F);
        QCOMPARE(at(0, 8, 0), 0.0F);
        QCOMPARE(at(0, 4, 0), 0.0F);
        QCOMPARE(at(8, 4, 1), 0.0F);
        QCOMPARE(at(4, 8, 1), 0.0F);
        QVERIFY(at(4, 4, 0) < 0);
    }
}

GRIDHELM_TEST(TestCavityFlow)
#include "tst_cavity_flow.moc"
