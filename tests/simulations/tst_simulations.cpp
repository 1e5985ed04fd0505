// SPDX-License-Identifier: GPL-3.0-or-later
//
// What every built-in simulation promises.
#include "core/simulations/simulation.h"

#include "core/support/error.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/simulations/runs.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::simulations;
using namespace gridhelm::test;

namespace {

/// Small, and not a power of two.
Setup smallSetup(const Simulation &simulation)
{
    return {simulation.name() == "cavity3d" ? 11U : 21U, {}};
}

std::vector<double> smallTimes(const Simulation &simulation)
{
    return simulation.timeLike() ? std::vector<double>{0, 0.31, 1} : std::vector<double>{};
}

std::vector<Snapshot> smallRun(const Simulation &simulation)
{
    return snapshotsOf(simulation, smallSetup(simulation), simulation.defaultValues(),
                       smallTimes(simulation));
}

bool areEqual(const std::vector<Snapshot> &a, const std::vector<Snapshot> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto &s, const auto &t) { return s.fields == t.fields; });
}

void addSimulations()
{
    QTest::addColumn<QString>("name");
    for (const Simulation *simulation : builtInSimulations())
        QTest::newRow(std::string(simulation->name()).c_str())
            << QString::fromStdString(std::string(simulation->name()));
}

const Simulation &simulationOf(const QString &name)
{
    return findSimulation(name.toStdString());
}

} // namespace

class TestSimulations : public QObject
{
    Q_OBJECT

private slots:
    void areFoundByName();
    void describeThemselves_data() { addSimulations(); }
    void describeThemselves();
    void snapshotsFitTheMesh_data() { addSimulations(); }
    void snapshotsFitTheMesh();
    void everyRunGivesTheSameBits_data() { addSimulations(); }
    void everyRunGivesTheSameBits();
    void defaultRangesRun_data() { addSimulations(); }
    void defaultRangesRun();
    void refuseWhatTheyCannotRun_data() { addSimulations(); }
    void refuseWhatTheyCannotRun();
    void stop_data() { addSimulations(); }
    void stop();
    void reportProgress_data() { addSimulations(); }
    void reportProgress();
    void passOnWhatTheSinkThrows_data() { addSimulations(); }
    void passOnWhatTheSinkThrows();
    void snapshotsDoNotDependOnOtherTimes();
    void timesAreInOrder();
    void coarseGridsRefuseHighReynoldsNumbers();
    void memoryIsCheckedFirst();
    void optionsAreKnown();
};

void TestSimulations::areFoundByName()
{
    std::set<std::string_view> names;
    for (const Simulation *simulation : builtInSimulations()) {
        QCOMPARE(&findSimulation(simulation->name()), simulation);
        names.insert(simulation->name());
    }
    QVERIFY(names == (std::set<std::string_view>{"cavity", "cavity3d", "plate", "folds"}));
    GRIDHELM_EXPECT_ERROR(findSimulation("lid"));
    try {
        findSimulation("lid");
    } catch (const gridhelm::Error &error) {
        for (auto name : names)
            QVERIFY(QString(error.what()).contains(QString::fromStdString(std::string(name))));
    }
}

void TestSimulations::describeThemselves()
{
    QFETCH(QString, name);
    const auto &simulation = simulationOf(name);
    std::set<std::string> names;
    int timeLike = 0;
    int varied = 0;
    for (const auto &p : simulation.parameters()) {
        QVERIFY(names.insert(p.name).second);
        QVERIFY(!p.description.empty());
        QVERIFY(p.low <= p.defaultLow && p.defaultLow < p.defaultHigh && p.defaultHigh <= p.high);
        QVERIFY(p.low <= p.defaultValue && p.defaultValue <= p.high);
        QVERIFY(!p.logarithmic || p.defaultLow > 0);
        timeLike += p.timeLike ? 1 : 0;
        varied += p.variedByDefault ? 1 : 0;
    }
    QVERIFY(timeLike <= 1);
    QVERIFY(varied >= 2);
    QVERIFY(!simulation.description().empty());
    const auto limits = simulation.resolution();
    QVERIFY(limits.smallest < limits.standard && limits.standard < limits.largest);
    QCOMPARE(simulation.mesh(0).points, simulation.mesh(limits.standard).points);
    QVERIFY(simulation.bytesNeeded(limits.largest) > simulation.bytesNeeded(limits.smallest));
}

void TestSimulations::snapshotsFitTheMesh()
{
    QFETCH(QString, name);
    const auto &simulation = simulationOf(name);
    const auto snapshots = smallRun(simulation);
    const auto mesh = simulation.mesh(smallSetup(simulation).resolution);
    QCOMPARE(snapshots.size(), std::max<std::size_t>(1, smallTimes(simulation).size()));
    for (const auto &snapshot : snapshots) {
        QCOMPARE(snapshot.fields.size(), simulation.fields().size());
        for (std::size_t f = 0; f < snapshot.fields.size(); ++f) {
            const auto components = static_cast<std::size_t>(simulation.fields()[f].components);
            QCOMPARE(snapshot.fields[f].size(), mesh.count() * components);
            for (float value : snapshot.fields[f])
                QVERIFY(std::isfinite(value));
        }
    }
}

/// One after the other, and several at once.
void TestSimulations::everyRunGivesTheSameBits()
{
    QFETCH(QString, name);
    const auto &simulation = simulationOf(name);
    const auto expected = smallRun(simulation);
    QVERIFY(areEqual(smallRun(simulation), expected));
    std::vector<std::vector<Snapshot>> results(4);
    {
        std::vector<std::jthread> threads;
        for (auto &result : results)
            threads.emplace_back([&] { result = smallRun(simulation); });
    }
    for (const auto &result : results)
        QVERIFY(areEqual(result, expected));
}

void TestSimulations::defaultRangesRun()
{
    QFETCH(QString, name);
    const auto &simulation = simulationOf(name);
    auto low = simulation.defaultValues();
    auto high = low;
    for (std::size_t p = 0; p < low.size(); ++p) {
        if (simulation.parameters()[p].variedByDefault) {
            low[p] = simulation.parameters()[p].defaultLow;
            high[p] = simulation.parameters()[p].defaultHigh;
        }
    }
    simulation.requireRunnable({}, low, high);
}

void TestSimulations::refuseWhatTheyCannotRun()
{
    QFETCH(QString, name);
    const auto &simulation = simulationOf(name);
    const auto values = simulation.defaultValues();
    const auto limits = simulation.resolution();
    const auto runnable = [&](const Setup &setup, const auto &low, const auto &high) {
        simulation.requireRunnable(setup, low, high);
    };
    runnable({}, values, values);
    GRIDHELM_EXPECT_ERROR(runnable({limits.smallest - 1, {}}, values, values));
    GRIDHELM_EXPECT_ERROR(runnable({limits.largest + 1, {}}, values, values));
    GRIDHELM_EXPECT_ERROR(runnable({0, {{"colour", "red"}}}, values, values));
    GRIDHELM_EXPECT_ERROR(simulation.mesh(1));
    const std::vector<double> few(values.begin(), values.end() - 1);
    GRIDHELM_EXPECT_ERROR(runnable({}, few, values));
    GRIDHELM_EXPECT_ERROR(snapshotsOf(simulation, {}, few, {}));
    for (std::size_t p = 0; p < values.size(); ++p) {
        const auto &parameter = simulation.parameters()[p];
        for (double wrong :
             {parameter.low - 1, parameter.high + 1, std::numeric_limits<double>::quiet_NaN(),
              std::numeric_limits<double>::infinity()}) {
            auto outside = values;
            outside[p] = wrong;
            GRIDHELM_EXPECT_ERROR(runnable({}, outside, outside));
            if (!parameter.timeLike)
                GRIDHELM_EXPECT_ERROR(snapshotsOf(simulation, {}, outside, {}));
        }
        auto below = values;
        below[p] = parameter.low;
        auto above = values;
        above[p] = (parameter.low + parameter.high) / 2;
        GRIDHELM_EXPECT_ERROR(runnable({}, above, below));
    }
}

/// A stop is seen before the first and after any snapshot.
void TestSimulations::stop()
{
    QFETCH(QString, name);
    const auto &simulation = simulationOf(name);
    std::stop_source source;
    std::size_t count = 0;
    RunControl control;
    control.stop = source.get_token();
    const auto run = [&] {
        return simulation.run(
            smallSetup(simulation), simulation.defaultValues(), smallTimes(simulation),
            [&](std::size_t, const Snapshot &) {
                ++count;
                source.request_stop();
            },
            test::onCpu(), control);
    };
    if (simulation.timeLike()) {
        QVERIFY(run() == RunEnd::cancelled);
        QCOMPARE(count, std::size_t{1});
    }
    source.request_stop();
    count = 0;
    QVERIFY(run() == RunEnd::cancelled);
    QCOMPARE(count, std::size_t{0});
}

void TestSimulations::reportProgress()
{
    QFETCH(QString, name);
    const auto &simulation = simulationOf(name);
    std::vector<double> parts;
    RunControl control;
    control.progress = [&](double part) { parts.push_back(part); };
    simulation.run(
        smallSetup(simulation), simulation.defaultValues(), smallTimes(simulation),
        [](std::size_t, const Snapshot &) {}, test::onCpu(), control);
    QVERIFY(parts.size() >= 2);
    QVERIFY(parts.front() >= 0);
    QVERIFY(std::is_sorted(parts.begin(), parts.end()));
    QCOMPARE(parts.back(), 1.0);
}

void TestSimulations::passOnWhatTheSinkThrows()
{
    QFETCH(QString, name);
    const auto &simulation = simulationOf(name);
    const auto full = [](std::size_t, const Snapshot &) {
        throw gridhelm::Error("the disk is full");
    };
    GRIDHELM_EXPECT_ERROR(simulation.run(smallSetup(simulation), simulation.defaultValues(),
                                         smallTimes(simulation), full, test::onCpu()));
}

void TestSimulations::snapshotsDoNotDependOnOtherTimes()
{
    const auto &cavity = findSimulation("cavity");
    const auto values = cavity.defaultValues();
    const auto all = snapshotsOf(cavity, {17, {}}, values, {0, 0.1, 0.25, 0.2501, 1, 1});
    const std::vector<double> some{0.1, 0.2501, 1};
    const auto few = snapshotsOf(cavity, {17, {}}, values, some);
    QVERIFY(few[0].fields == all[1].fields);
    QVERIFY(few[1].fields == all[3].fields);
    QVERIFY(few[2].fields == all[4].fields);
    QVERIFY(all[4].fields == all[5].fields);
    QVERIFY(all[2].fields != all[3].fields);
    // At time 0 only the lid moves.
    float largest = 0;
    for (std::size_t i = 0; i < 3 * 17 * 16; ++i)
        largest = std::max(largest, std::abs(all[0].fields[0][i]));
    QCOMPARE(largest, 0.0F);
    QCOMPARE(all[0].fields[0][3 * (16 * 17 + 8)], 1.0F);
}

void TestSimulations::timesAreInOrder()
{
    const auto &cavity = findSimulation("cavity");
    GRIDHELM_EXPECT_ERROR(snapshotsOf(cavity, {17, {}}, cavity.defaultValues(), {1, 0.5}));
    GRIDHELM_EXPECT_ERROR(snapshotsOf(cavity, {17, {}}, cavity.defaultValues(), {-1, 0.5}));
    QVERIFY(snapshotsOf(cavity, {17, {}}, cavity.defaultValues(), {}).empty());
    const auto &plate = findSimulation("plate");
    GRIDHELM_EXPECT_ERROR(snapshotsOf(plate, {17, {}}, plate.defaultValues(), {1}));
}

void TestSimulations::coarseGridsRefuseHighReynoldsNumbers()
{
    const auto &cavity = findSimulation("cavity");
    const auto low = parametersOf(cavity, {{"Re", 100}});
    const auto high = parametersOf(cavity, {{"Re", 5000}});
    cavity.requireRunnable({17, {}}, low, low);
    GRIDHELM_EXPECT_ERROR(cavity.requireRunnable({17, {}}, low, high));
    cavity.requireRunnable({65, {}}, low, high);
}

void TestSimulations::memoryIsCheckedFirst()
{
    for (const Simulation *simulation : builtInSimulations()) {
        // The count itself, with all that the snapshot and the solver hold.
        const auto resolution = simulation->resolution().standard;
        const auto bytes = simulation->bytesNeeded(resolution);
        std::uint64_t snapshot = 0;
        for (const auto &field : simulation->fields())
            snapshot += simulation->mesh(resolution).count() * sizeof(float)
                        * static_cast<std::uint64_t>(field.components);
        QVERIFY(bytes > 2 * snapshot);
        QVERIFY(bytes < 100 * snapshot);
    }
}

void TestSimulations::optionsAreKnown()
{
    const auto &cavity = findSimulation("cavity");
    const auto values = cavity.defaultValues();
    const auto direct = snapshotsOf(cavity, {17, {{"pressure", "cosine"}}}, values, {0.5});
    const auto iterated = snapshotsOf(cavity, {17, {{"pressure", "sor"}}}, values, {0.5});
    QVERIFY(areEqual(direct, snapshotsOf(cavity, {17, {}}, values, {0.5})));
    float largest = 0;
    for (std::size_t i = 0; i < direct[0].fields[0].size(); ++i)
        largest = std::max(largest, std::abs(direct[0].fields[0][i] - iterated[0].fields[0][i]));
    QVERIFY(largest < 1e-6F);
    GRIDHELM_EXPECT_ERROR(snapshotsOf(cavity, {17, {{"pressure", "magic"}}}, values, {0.5}));
    const auto &cube = findSimulation("cavity3d");
    GRIDHELM_EXPECT_ERROR(
        snapshotsOf(cube, {9, {{"pressure", "sor"}}}, cube.defaultValues(), {0.5}));
}

GRIDHELM_TEST(TestSimulations)
#include "tst_simulations.moc"
