// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cavity on 129^2 nodes, run until it is steady, against the tables of [Ghia1982]: all
// points within 1 % of the lid speed, except for those that are known to be wrong in the tables.
#include "tests/core/on_cpu.h"
#include "tests/simulations/cavity_profiles.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace gridhelm;
using namespace gridhelm::simulations;
using namespace gridhelm::test;

namespace {

constexpr double tolerance = 0.01;

/// Indices of v in the table that are not compared.
///
/// Re = 400, x = 0.9063: -0.23827 is a misprint. Between its neighbours -0.22847 (x = 0.9453) and
/// -0.44993 (x = 0.8594) the profile would have a step that those of Re = 100 and 1000 do not have;
/// we find -0.388, as others do.
///
/// Re = 1000, x = 0.9453 to 0.9688, in the jet along the right wall: the table is too slow by 1.4
/// to 1.9 % of the lid speed beside the spectral results of [Botella1998], so that no accurate
/// solution can be within 1 % of it. Ours is 1.0 to 1.3 % off the table, and closer to theirs.
std::set<std::size_t> knownWrongV(int reynolds)
{
    if (reynolds == 400)
        return {4};
    if (reynolds == 1000)
        return {0, 1, 2, 3};
    return {};
}

CavityFlow steadyFlow(int reynolds, double end)
{
    CavityFlowSettings settings;
    settings.cells = 128;
    settings.reynolds = reynolds;
    CavityFlow flow(settings, test::onCpu());
    advanceTo(flow, end);
    return flow;
}

QString comparison(const char *component, std::size_t node, double ours, double theirs)
{
    return QString("%1 at %2/128: %3, in the table %4")
        .arg(component)
        .arg(node)
        .arg(ours, 0, 'f', 5)
        .arg(theirs, 0, 'f', 5);
}

} // namespace

class TestCavityBenchmark : public QObject
{
    Q_OBJECT

private slots:
    void meetsGhiaGhiaAndShin_data();
    void meetsGhiaGhiaAndShin();
    void excludedPointsAreWrongBesideBotellaAndPeyret();

private:
    void compareWithBotellaAndPeyret(CavityFlow &flow, const Profiles &ours);
};

void TestCavityBenchmark::meetsGhiaGhiaAndShin_data()
{
    QTest::addColumn<int>("reynolds");
    QTest::addColumn<double>("end");
    // What still changes then is below 0.1 % of the lid speed.
    QTest::newRow("Re = 100") << 100 << 12.0;
    QTest::newRow("Re = 400") << 400 << 25.0;
    QTest::newRow("Re = 1000") << 1000 << 50.0;
}

void TestCavityBenchmark::meetsGhiaGhiaAndShin()
{
    QFETCH(int, reynolds);
    QFETCH(double, end);
    auto flow = steadyFlow(reynolds, end);
    QVERIFY(flow.largestDivergence() < 1e-11);
    const auto ours = profilesOf(flow);
    const auto &theirs = ghia(reynolds);
    const auto excluded = knownWrongV(reynolds);
    for (std::size_t i = 0; i < 15; ++i) {
        QVERIFY2(std::abs(ours.u[i] - theirs.u[i]) < tolerance,
                 qPrintable(comparison("u", uNodes[i], ours.u[i], theirs.u[i])));
        QVERIFY2(excluded.count(i) > 0 || std::abs(ours.v[i] - theirs.v[i]) < tolerance,
                 qPrintable(comparison("v", vNodes[i], ours.v[i], theirs.v[i])));
    }
    if (reynolds == 1000)
        compareWithBotellaAndPeyret(flow, ours);
}

/// All points, none left out.
void TestCavityBenchmark::compareWithBotellaAndPeyret(CavityFlow &flow, const Profiles &ours)
{
    const auto &exact = botellaPeyret1000();
    for (std::size_t i = 0; i < 15; ++i) {
        QVERIFY2(std::abs(ours.u[i] - exact.u[i]) < tolerance,
                 qPrintable(comparison("u", uNodes[i], ours.u[i], exact.u[i])));
        QVERIFY2(std::abs(ours.v[i] - exact.v[i]) < tolerance,
                 qPrintable(comparison("v", vNodes[i], ours.v[i], exact.v[i])));
    }
    const auto pressure = flow.pressureAtNodes();
    const auto p = [&](std::size_t i, std::size_t j) {
        return static_cast<double>(pressure[j * 129 + i])
               - static_cast<double>(pressure[64 * 129 + 64]);
    };
    const WallPressures wall;
    QVERIFY(std::abs(p(64, 128) - wall.lid) < 0.004);
    QVERIFY(std::abs(p(64, 0) - wall.bottom) < 0.004);
    QVERIFY(std::abs(p(0, 64) - wall.left) < 0.004);
    QVERIFY(std::abs(p(128, 64) - wall.right) < 0.004);
}

void TestCavityBenchmark::excludedPointsAreWrongBesideBotellaAndPeyret()
{
    for (std::size_t i : knownWrongV(1000))
        QVERIFY(std::abs(ghia(1000).v[i] - botellaPeyret1000().v[i]) > 1.3 * tolerance);
}

GRIDHELM_TEST(TestCavityBenchmark)
#include "tst_cavity_benchmark.moc"
