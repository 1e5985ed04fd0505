// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cubic cavity against the spectral results of [Albensoeder2005], Tables 5 and 6 (cube, Re =
// 1000), in our coordinates: u along y at x = z = 0.5, v along x at y = z = 0.5.
#include "tests/core/on_cpu.h"
#include "tests/simulations/cavity_profiles.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::simulations;
using namespace gridhelm::test;

namespace {

struct Point
{
    double position;
    double velocity;
};

constexpr std::array<Point, 15> uAlongY{{{0.9766, 0.58964},
                                         {0.9688, 0.48443},
                                         {0.9609, 0.39821},
                                         {0.9531, 0.33171},
                                         {0.8516, 0.12183},
                                         {0.7344, 0.07334},
                                         {0.6172, 0.03905},
                                         {0.5, 0.00802},
                                         {0.4531, -0.00612},
                                         {0.2813, -0.10999},
                                         {0.1719, -0.25160},
                                         {0.1016, -0.27293},
                                         {0.0703, -0.23696},
                                         {0.0625, -0.22283},
                                         {0.0547, -0.20623}}};
constexpr std::array<Point, 15> vAlongX{{{0.0625, 0.21738},
                                         {0.0703, 0.22746},
                                         {0.0781, 0.23503},
                                         {0.0938, 0.24407},
                                         {0.1563, 0.22924},
                                         {0.2266, 0.17580},
                                         {0.2344, 0.16987},
                                         {0.5, 0.03674},
                                         {0.8047, -0.15223},
                                         {0.8594, -0.31117},
                                         {0.9063, -0.43423},
                                         {0.9453, -0.33511},
                                         {0.9531, -0.29032},
                                         {0.9609, -0.24095},
                                         {0.9688, -0.18864}}};

/// Largest and root mean square distance of both profiles.
std::array<double, 2> distances(const CavityFlow &flow)
{
    const auto velocity = flow.velocityAtNodes();
    const auto n = flow.grid().cells;
    const auto nodes = n + 1;
    double largest = 0;
    double sum = 0;
    const auto compare = [&](const std::array<Point, 15> &points, bool isAlongY) {
        for (const auto &point : points) {
            const double at = point.position * static_cast<double>(n);
            const auto low = static_cast<std::size_t>(at);
            const auto value = [&](std::size_t i) {
                const auto x = isAlongY ? n / 2 : i;
                const auto y = isAlongY ? i : n / 2;
                const auto node = (n / 2 * nodes + y) * nodes + x;
                return static_cast<double>(velocity[3 * node + (isAlongY ? 0 : 1)]);
            };
            const double part = at - static_cast<double>(low);
            const double ours = (1 - part) * value(low) + part * value(low + 1);
            largest = std::max(largest, std::abs(ours - point.velocity));
            sum += (ours - point.velocity) * (ours - point.velocity);
        }
    };
    compare(uAlongY, true);
    compare(vAlongX, false);
    return {largest, std::sqrt(sum / 30)};
}

} // namespace

class TestCavityBenchmarkLong : public QObject
{
    Q_OBJECT

private slots:
    void cubeApproachesAlbensoederAndKuhlmann();
};

void TestCavityBenchmarkLong::cubeApproachesAlbensoederAndKuhlmann()
{
    std::array<double, 2> errors[2];
    for (std::size_t refinement : {1U, 2U}) {
        CavityFlowSettings settings;
        settings.dimension = 3;
        settings.cells = 24 * refinement;
        settings.reynolds = 1000;
        CavityFlow flow(settings, test::onCpu());
        advanceTo(flow, 40);
        errors[refinement - 1] = distances(flow);
        qInfo("%zu^3 cells: largest %.4f, rms %.4f of the lid speed", settings.cells,
              errors[refinement - 1][0], errors[refinement - 1][1]);
    }
    QVERIFY(errors[1][0] < 0.05);
    QVERIFY(errors[1][1] < 0.025);
    QVERIFY(errors[1][1] < errors[0][1] / 2.5);
}

GRIDHELM_TEST(TestCavityBenchmarkLong)
#include "tst_cavity_benchmark_long.moc"
