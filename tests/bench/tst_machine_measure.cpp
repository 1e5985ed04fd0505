// SPDX-License-Identifier: GPL-3.0-or-later
//
// That what is to be measured is measured, checked and kept within its time; never how fast it is.
#include "app/bench/machine/machine_cases.h"
#include "app/bench/machine/machine_score.h"
#include "app/bench/machine/measure_machine.h"
#include "core/support/error.h"
#include "tests/core/off_backend.h"
#include "tests/core/on_cpu.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>
#include <cmath>
#include <set>

using namespace gridhelm;
using namespace gridhelm::bench;
using namespace gridhelm::test;

namespace {

/// One of each operation, too small to take time.
std::vector<MachineCase> tinyCases()
{
    return {{OperationClass::hierarchization, 3, 0, dispatch::TransformWork{3, 4}},
            {OperationClass::interpolation, 3, 0, dispatch::InterpolationWork{3, 4, 100}},
            {OperationClass::shared, 4, 0, dispatch::SharedWork{4, 4, 100}},
            {OperationClass::cartesian, 4, 0, dispatch::CartesianWork{4, 4, 8}},
            {OperationClass::combination, 3, 0, dispatch::CombinationWork{20, 320}}};
}

MachineBenchOptions quickly()
{
    MachineBenchOptions options;
    options.measure = {0.001, 3, 1};
    options.limitsOf = [](MachineUnit &unit) { unit.limits.cpu = {1e10, 2e10, 3e10, 4e11, 2e11}; };
    return options;
}

std::vector<MachineUnit> theCpu(int threads = 1)
{
    return machineUnits(onCpu(threads), UnitChoice::named);
}

} // namespace

class TestMachineMeasure : public QObject
{
    Q_OBJECT

private slots:
    void casesAreTheSameEverywhere();
    void amountsAreWhatIsDelivered();
    void everyCaseIsMeasuredAndChecked();
    void severalDevicesAreMeasuredAloneAndTogether();
    void tunedCasesStandBesideTheOthers();
    void whatWasNotFoundFasterIsMeasuredOnce();
    void wrongResultsAreSeen();
    void failuresAreSentences();
    void nothingIsBegunWithoutTime();
    void stoppedItKeepsWhatItHas();
    void joulesAreOfOneRun();
};

void TestMachineMeasure::casesAreTheSameEverywhere()
{
    const auto all = machineCases(false), quick = machineCases(true);
    QCOMPARE(all.size(), std::size_t{5 * 9 * machineSizes});
    QCOMPARE(quick.size(), std::size_t{5 * 5 * 2});
    std::set<std::string> texts;
    for (const auto &each : all) {
        texts.insert(std::string(nameOf(each.operation)) + dispatch::textOf(each.work));
        QVERIFY(each.dimension >= 2 && each.dimension <= 10);
    }
    QCOMPARE(texts.size(), all.size()); // or comparisons would mix them up
    for (const auto &each : quick)
        QVERIFY(texts.contains(std::string(nameOf(each.operation)) + dispatch::textOf(each.work)));
    for (std::size_t i = 1; i < all.size(); ++i)
        QVERIFY(all[i].size >= all[i - 1].size);
    // The largest grids have at most 2^30 points, and no level more of them would do.
    for (const auto &each : all) {
        const auto *transform = std::get_if<dispatch::TransformWork>(&each.work);
        if (!transform || each.size != machineSizes - 1)
            continue;
        const auto points = [&](int level) {
            return sparse::countGrid(sparse::GridShape(transform->dimension, level)).points;
        };
        QVERIFY(points(transform->level) <= std::uint64_t{1} << 30);
        QVERIFY(points(transform->level + 1) > std::uint64_t{1} << 30);
    }
}

void TestMachineMeasure::amountsAreWhatIsDelivered()
{
    const auto cases = tinyCases();
    QCOMPARE(cases[0].amount(), 1 + 3 * 2 + 6 * 4 + 10 * 8.0); // by level sums
    QCOMPARE(cases[0].deliveredBytes(), 2 * 4 * cases[0].amount());
    QCOMPARE(cases[1].amount(), 100.0);
    QCOMPARE(cases[1].deliveredBytes(), 4 * 100 * (3 + 1.0));
    QCOMPARE(cases[2].amount(), 100.0);
    QCOMPARE(cases[3].amount(), 512.0);
    QCOMPARE(cases[3].deliveredBytes(), 4 * 512.0);
    QCOMPARE(
        MachineCase({OperationClass::cartesian, 2, 0, dispatch::CartesianWork{2, 4, 8}}).amount(),
        64.0);
    QCOMPARE(cases[4].amount(), 20 * 320.0);
    QCOMPARE(cases[4].deliveredBytes(), 4 * 320.0);
}

void TestMachineMeasure::everyCaseIsMeasuredAndChecked()
{
    auto options = quickly();
    options.limitsOf = MachineBenchOptions().limitsOf; // really
    const auto report = measureMachine(theCpu(2), tinyCases(), options);
    QCOMPARE(report.cases.size(), std::size_t{5});
    QCOMPARE(report.leftOut, 0);
    QVERIFY(!report.isInterrupted && !report.isTuned && report.failures.empty());
    QCOMPARE(report.devices.size(), std::size_t{1});
    const auto &cpu = report.devices[0];
    QVERIFY(cpu.readBytesPerSecond > 0 && cpu.writeBytesPerSecond > 0 && cpu.copyBytesPerSecond > 0
            && cpu.flopsPerSecond > 0 && cpu.linkBytesPerSecond == 0);
    const auto cases = tinyCases();
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const auto &each = report.cases[i];
        QCOMPARE(each.operation, cases[i].operation);
        QCOMPARE(each.device, std::string("cpu"));
        QVERIFY(each.repeats >= 3);
        QVERIFY(std::abs(each.perSecond * each.seconds / cases[i].amount() - 1) < 1e-9);
        QVERIFY2(each.error < 1e-5, each.work.c_str());
        QVERIFY2(each.share > 0 && !each.limit.empty(), each.work.c_str());
        QVERIFY(each.gigabytesPerSecond > 0 || each.gigaflopsPerSecond > 0);
    }
    QCOMPARE(report.cases[1].limit, std::string("multiply-adds"));
    QVERIFY(std::abs(report.cases[1].share * cpu.flopsPerSecond
                         / (1e9 * report.cases[1].gigaflopsPerSecond)
                     - 1)
            < 1e-9);
    QCOMPARE(report.cases[4].limit, std::string("reading in a cache"));
}

void TestMachineMeasure::severalDevicesAreMeasuredAloneAndTogether()
{
    const auto parts = split(CpuDevice{2}, 2);
    const auto context = onCpu(2).withTeam({parts[0], parts[1]});
    const auto report =
        measureMachine(machineUnits(context, UnitChoice::named), tinyCases(), quickly());
    QVERIFY2(report.failures.empty(), report.failures.empty() ? "" : report.failures[0].c_str());
    std::multiset<std::string> devices;
    for (const auto &each : report.cases) {
        devices.insert(each.device);
        QVERIFY(each.error < 1e-5);
    }
    QCOMPARE(devices.count("cpu.1/2"), std::size_t{5});
    QCOMPARE(devices.count("cpu.2/2"), std::size_t{5});
    QCOMPARE(devices.count("cpu.1/2 + cpu.2/2"), std::size_t{4}); // hierarchization is not divided
    QCOMPARE(report.devices.size(), std::size_t{3});
}

void TestMachineMeasure::tunedCasesStandBesideTheOthers()
{
    auto options = quickly();
    options.tuning = std::make_shared<TuningTable>();
    std::vector<const TuningTable *> seen;
    auto units = theCpu();
    units[0].candidate.makeSparse = [&](const ExecutionContext &context) {
        seen.push_back(&context.tuning());
        return std::shared_ptr<const sparse::Backend>(sparse::makeOmpBackend(context));
    };
    const auto report = measureMachine(units, {tinyCases()[1]}, options);
    QVERIFY(report.isTuned);
    QCOMPARE(report.cases.size(), std::size_t{2});
    QVERIFY(!report.cases[0].isTuned && report.cases[1].isTuned);
    QCOMPARE(report.cases[0].work, report.cases[1].work);
    QCOMPARE(seen.size(), std::size_t{2});
    QVERIFY(seen[0] != options.tuning.get() && seen[1] == options.tuning.get());
}

/// What was tuned and not found faster has the compiled-in constants: it would be measured twice.
void TestMachineMeasure::whatWasNotFoundFasterIsMeasuredOnce()
{
    const tuning::TuningEntry same{{"interpolation, 3 dimensions", "cpu", 4, 7}, "", {{"task", 8}}};
    auto faster = same;
    faster.gain = 1.5;
    faster.key.device = "gpu";
    auto options = quickly();
    useTuning(options, {same});
    QVERIFY(!measureMachine(theCpu(), {tinyCases()[1]}, options).isTuned);
    useTuning(options, {same, faster}); // on GPUs alone
    auto report = measureMachine(theCpu(), {tinyCases()[1]}, options);
    QVERIFY(report.isTuned);
    QCOMPARE(report.cases.size(), std::size_t{1});
    auto units = theCpu();
    units[0].name = "gpu:0"; // made up
    report = measureMachine(units, {tinyCases()[1]}, options);
    QCOMPARE(report.cases.size(), std::size_t{2});
    faster.key.device = "cpu";
    useTuning(options, {same, faster});
    report = measureMachine(theCpu(), {tinyCases()[1]}, options);
    QCOMPARE(report.cases.size(), std::size_t{2});
    QVERIFY(report.cases[1].isTuned);
}

void TestMachineMeasure::wrongResultsAreSeen()
{
    auto units = theCpu();
    units[0].candidate.makeSparse = [](const ExecutionContext &context) {
        return std::make_shared<OffBackend>(sparse::makeOmpBackend(context));
    };
    const auto report = measureMachine(units, tinyCases(), quickly());
    QCOMPARE(report.cases.size(), std::size_t{5});
    for (const auto &each : report.cases)
        QVERIFY2(each.error > errorOfWrongResults, each.work.c_str());
    QVERIFY(!scoreOf(classRatios(report, report)));
}

void TestMachineMeasure::failuresAreSentences()
{
    auto units = theCpu();
    units[0].candidate.makeSparse =
        [](const ExecutionContext &) -> std::shared_ptr<const sparse::Backend> {
        throw Error("the device is on fire: take another one");
    };
    const auto report = measureMachine(units, tinyCases(), quickly());
    QVERIFY(report.cases.empty());
    QCOMPARE(report.leftOut, 5);
    QCOMPARE(report.failures.size(), std::size_t{5});
    QVERIFY(report.failures[0].find("hierarchization on cpu") != std::string::npos
            && report.failures[0].find("on fire") != std::string::npos);
    // More than any machine has.
    const auto vast = measureMachine(
        theCpu(),
        {{OperationClass::combination, 3, 0, dispatch::CombinationWork{1U << 20, 1U << 30}}},
        quickly());
    QCOMPARE(vast.leftOut, 1);
    QVERIFY(vast.failures[0].find("memory") != std::string::npos);
}

void TestMachineMeasure::nothingIsBegunWithoutTime()
{
    auto options = quickly();
    options.budget = 0.001; // gone when limits are known
    const auto limitsOf = options.limitsOf;
    options.limitsOf = [&](MachineUnit &unit) {
        QTest::qSleep(10);
        limitsOf(unit);
    };
    const auto begin = std::chrono::steady_clock::now();
    const auto report = measureMachine(theCpu(), machineCases(false), options);
    QVERIFY(report.cases.empty());
    QCOMPARE(report.leftOut, int(machineCases(false).size()));
    QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::minutes(1));
    QCOMPARE(report.devices.size(), std::size_t{1});

    options.limitsOf = limitsOf;
    // A case that would take too long, by the one before it, is not begun; others are.
    options.budget = 60;
    const std::vector<MachineCase> growing{
        {OperationClass::interpolation, 4, 0, dispatch::InterpolationWork{4, 8, 20000}},
        {OperationClass::interpolation, 4, 1, dispatch::InterpolationWork{4, 8, 20000000000}},
        {OperationClass::interpolation, 3, 1, dispatch::InterpolationWork{3, 4, 200}}};
    const auto some = measureMachine(theCpu(), growing, options);
    QCOMPARE(some.leftOut, 1);
    QCOMPARE(some.cases.size(), std::size_t{2});
    QVERIFY(some.failures.empty());
    QCOMPARE(some.cases[1].dimension, 3);
}

void TestMachineMeasure::stoppedItKeepsWhatItHas()
{
    auto options = quickly();
    int asked = 0;
    options.isStopped = [&] { return ++asked > 3; }; // the unit's limits, and two cases
    const auto report = measureMachine(theCpu(), tinyCases(), options);
    QVERIFY(report.isInterrupted);
    QCOMPARE(report.cases.size(), std::size_t{2});
    QCOMPARE(report.leftOut, 3);
    QVERIFY(report.cases[0].share > 0 && report.devices.size() == 1);
}

void TestMachineMeasure::joulesAreOfOneRun()
{
    auto units = theCpu();
    int questions = 0;
    units[0].joules = [&] { return std::optional(1000.0 * questions++); };
    auto options = quickly();
    options.measure = {0.1, 3, 10};
    const auto report = measureMachine(units, {tinyCases()[1]}, options);
    QCOMPARE(questions, 2);
    const auto calls = report.cases[0].repeats + 1; // and a warm-up
    QVERIFY(std::abs(report.cases[0].joules.value() - 1000.0 / calls) < 1e-9);
    units[0].joules = [] { return std::optional<double>(); };
    QVERIFY(!measureMachine(units, {tinyCases()[1]}, options).cases[0].joules);
}

GRIDHELM_TEST(TestMachineMeasure)
#include "tst_machine_measure.moc"
