// SPDX-License-Identifier: GPL-3.0-or-later
//
// The back end `auto`: what it takes for what, and what it remembers.
#include "core/dispatch/dispatcher.h"
#include "core/dispatch/dispatching_backend.h"
#include "core/dispatch/size_class.h"
#include "core/dispatch/team_solvers.h"
#include "core/solvers/measured_problems.h"
#include "tests/core/fake_machine.h"
#include "tests/core/off_backend.h"
#include "tests/core/on_cpu.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

using namespace gridhelm;
using namespace gridhelm::dispatch;
using namespace gridhelm::test;

namespace {

/// Classes 0 .. 3, the same for all operations.
constexpr std::size_t classes = 4;

double sizeIn(Operation operation, std::size_t sizeClass)
{
    return std::min(sizeClasses(operation)[sizeClass].upTo, 1e12);
}

} // namespace

class TestDispatch : public QObject
{
    Q_OBJECT

private slots:
    void everyClassIsMeasuredByWorkOfItsSize();
    void workIsCountedAsItIsDispatched();
    void workIsCheckedAgainstTheReference_data();
    void workIsCheckedAgainstTheReference();
    void littleWorkIsTheCpusWithoutASearch();
    void aDeviceIsNotStartedForLittle();
    void theCpuAloneIsNotMeasured();
    void theFastestIsTakenForEachOperationAndSize();
    void sleepingBackEndsAreToldApart();
    void aTeamMustBeatOneByMoreThanNoise();
    void aTeamTakesWhatItCanDivide();

    void timesAreRemembered();
    void whatIsOfNoUseIsMeasuredAgain_data();
    void whatIsOfNoUseIsMeasuredAgain();
    void anUnwritableFolderIsNoError();
    void twoProgramsRememberTogether();
    void whatCannotBeMeasuredIsNotTaken();
    void everythingIsMeasuredAnewOnRequest();
};

void TestDispatch::everyClassIsMeasuredByWorkOfItsSize()
{
    for (const auto operation : operations) {
        QCOMPARE(operationNamed(nameOf(operation)), std::optional(operation));
        const auto list = sizeClasses(operation);
        QCOMPARE(list.size(), classes);
        QVERIFY(!list.front().measured);
        QVERIFY(std::isinf(list.back().upTo));
        for (std::size_t i = 1; i < list.size(); ++i) {
            QVERIFY(list[i].measured);
            QCOMPARE(operationOf(*list[i].measured), operation);
            QVERIFY2(sizeClassOf(operation, sizeOf(*list[i].measured)) == i,
                     textOf(*list[i].measured).c_str());
            QVERIFY(list[i].upTo > list[i - 1].upTo);
        }
    }
    QVERIFY(!operationNamed("dancing"));
}

void TestDispatch::workIsCountedAsItIsDispatched()
{
    const sparse::SparseGrid grid{sparse::GridShape(4, 5)};
    QCOMPARE(sizeOf(TransformWork{4, 5}), transformSize(grid));
    QCOMPARE(sizeOf(InterpolationWork{4, 5, 17}), interpolationSize(grid, 17));
    QCOMPARE(sizeOf(CartesianWork{4, 5, 10}), cartesianSize(grid, 1000));
    QCOMPARE(sizeOf(CartesianWork{2, 5, 10}), 129 + 100.0);
    QCOMPARE(sizeOf(CombinationWork{3, 50}), 150.0);
    const sparse::SparseGrid free{sparse::GridShape(3, 5)};
    QCOMPARE(sizeOf(SharedWork{4, 5, 17}), interpolationSize(free, 17));
    QCOMPARE(SharedWork({2, 5, 17}).freeDimensions(), 1);
    for (const Workload &work : std::initializer_list<Workload>{
             TransformWork{4, 5}, InterpolationWork{4, 5, 17}, SharedWork{4, 5, 17},
             CartesianWork{4, 5, 10}, CombinationWork{3, 50},
             PoissonWork{"tuned", solvers::Precision::float32, 2, 20, 4},
             PoissonWork{"red-black", solvers::Precision::float32, 3, 10, 4},
             PmmWork{true, solvers::Precision::float64, 9}}) {
        const auto prepared = prepare(work, cpuCandidate(), onCpu(2));
        QVERIFY(prepared->run() >= 0 && prepared->run() >= 0 && prepared->deliver() >= 0);
        const auto counted = prepared->counted();
        QVERIFY2(counted.bytes > 0 || counted.flops > 0, textOf(work).c_str());
        QVERIFY(measuredSeconds(work, cpuCandidate(), onCpu()) > 0);
    }
}

void TestDispatch::workIsCheckedAgainstTheReference_data()
{
    QTest::addColumn<bool>("isRight");
    QTest::newRow("a back end that computes") << true;
    QTest::newRow("one whose results are off") << false;
}

void TestDispatch::workIsCheckedAgainstTheReference()
{
    QFETCH(bool, isRight);
    auto candidate = cpuCandidate();
    if (!isRight)
        candidate.makeSparse = [](const ExecutionContext &context) {
            return std::make_shared<OffBackend>(sparse::makeOmpBackend(context));
        };
    for (const Workload &work : std::initializer_list<Workload>{
             TransformWork{4, 5}, TransformWork{2, 14}, InterpolationWork{4, 5, 1700},
             SharedWork{5, 5, 170}, SharedWork{2, 6, 17}, CartesianWork{4, 5, 10},
             CartesianWork{2, 5, 10}, CombinationWork{7, 500}}) {
        const auto prepared = prepare(work, candidate, onCpu(2));
        prepared->run();
        const double error = prepared->error();
        QVERIFY2(isRight ? error < 1e-5 : error > 1e-3,
                 qPrintable(QString::fromStdString(textOf(work)) + QString(": %1").arg(error)));
        QVERIFY(prepared->run() >= 0);
    }
    QVERIFY(std::isnan(
        prepare(PmmWork{false, solvers::Precision::float64, 9}, candidate, onCpu(2))->error()));
}

void TestDispatch::littleWorkIsTheCpusWithoutASearch()
{
    FakeMachine machine;
    const auto dispatcher = machine.dispatcher();
    for (const auto operation : operations)
        QCOMPARE(dispatcher->fastest(operation, sizeIn(operation, 0), machine.context(2)),
                 std::size_t{0});
    QCOMPARE(machine.searches, 0);
    QCOMPARE(machine.measurements, 0);
}

void TestDispatch::aDeviceIsNotStartedForLittle()
{
    FakeMachine machine;
    machine.startSeconds = 0.25;
    const auto dispatcher = machine.dispatcher();
    for (int i = 0; i < 100; ++i)
        QCOMPARE(dispatcher->fastest(Operation::combination, 1e6, machine.context(2)),
                 std::size_t{0});
    dispatcher->cpuWorked(0.2);
    QCOMPARE(dispatcher->fastest(Operation::combination, 1e6, machine.context(2)), std::size_t{0});
    QCOMPARE(machine.searches, 0);
    dispatcher->cpuWorked(0.1); // by now it would have paid
    QCOMPARE(dispatcher->fastest(Operation::combination, 1e6, machine.context(2)), std::size_t{1});

    // Much at once, and solvers, which may run for long.
    for (const auto operation : {Operation::combination, Operation::jacobi})
        QCOMPARE(machine.dispatcher()->fastest(operation, isOnGrids(operation) ? 1e9 : 1e6,
                                               machine.context(2)),
                 std::size_t{1});

    // Who works tells it.
    machine.searches = 0;
    const auto automatic = makeDispatchingBackend(machine.dispatcher(), machine.context(1));
    const auto grid = std::make_shared<sparse::SparseGrid>(sparse::GridShape(5, 8));
    std::vector<float> values(grid->points(), 1);
    for (int i = 0; i < 10000 && machine.searches == 0; ++i)
        automatic->hierarchize(*grid, std::span(values));
    QCOMPARE(machine.searches, 1);
    QVERIFY(machine.device.operations > 0);
}

void TestDispatch::theCpuAloneIsNotMeasured()
{
    FakeMachine machine;
    auto settings = machine.settings();
    settings.findFurther = [] { return std::vector<Candidate>(); };
    Dispatcher dispatcher(std::move(settings));
    for (const auto operation : operations)
        QCOMPARE(dispatcher.fastest(operation, 1e12, machine.context(2)), std::size_t{0});
    dispatcher.measureAll(machine.context(2));
    QVERIFY(dispatcher.isCpuAlone());
    QCOMPARE(machine.measurements, 0);
    QVERIFY(!std::filesystem::exists(dispatcher.file(machine.context(2))));
}

void TestDispatch::theFastestIsTakenForEachOperationAndSize()
{
    FakeMachine machine;
    machine.deviceSeconds =
        [](const Workload &work) { // fast for little, slow for much; PMM the other way round
            const bool isMuch = sizeClassOf(operationOf(work), sizeOf(work)) == classes - 1;
            return isMuch == (operationOf(work) == Operation::pmm) ? 0.5 : 2.0;
        };
    const auto dispatcher = machine.dispatcher();
    for (int round = 0; round < 2; ++round) {
        for (const auto operation : operations) {
            for (std::size_t i = 1; i < classes; ++i) {
                const bool isMuch = i == classes - 1;
                const std::size_t expected = isMuch == (operation == Operation::pmm) ? 1 : 0;
                QCOMPARE(dispatcher->fastest(operation, sizeIn(operation, i), machine.context(2)),
                         expected);
            }
        }
    }
    const int once = static_cast<int>(2 * operations.size() * (classes - 1));
    QCOMPARE(machine.measurements, once);
    QCOMPARE(machine.searches, 1);
    (void)dispatcher->fastest(Operation::sor, 1e12,
                              machine.context(1)); // another number of threads is another matter
    QCOMPARE(machine.measurements, once + 2);
    QVERIFY(machine.said("sor (red-black"));
}

void TestDispatch::sleepingBackEndsAreToldApart()
{
    // By the clock. The fake does as omp does and sleeps for much; the other one sleeps always.
    using namespace std::chrono_literals;
    FakeMachine machine;
    FakeDevice slow;
    const FakeSolvers slowSolvers{slow};
    machine.device.delay = [](std::size_t values) { return values > 2000000 ? 100ms : 0ms; };
    slow.delay = [](std::size_t) { return 25ms; };
    auto settings = machine.settings();
    settings.measure = [&](const Workload &work, const Candidate &candidate,
                           const ExecutionContext &context) {
        return measuredSeconds(
            work, candidate.name == "fake" ? candidate : fakeCandidate(slow, slowSolvers), context);
    };
    Dispatcher dispatcher(std::move(settings));
    QCOMPARE(dispatcher.fastest(Operation::combination, 1e6, machine.context(2)), std::size_t{1});
    QCOMPARE(dispatcher.fastest(Operation::combination, 1e7, machine.context(2)), std::size_t{0});
}

void TestDispatch::aTeamMustBeatOneByMoreThanNoise()
{
    const DispatchTable::Times close{{"omp", 2}, {"one", 1}, {"team", 0.98}};
    QCOMPARE(DispatchTable::fastest(close).backend, std::string("one"));
    const DispatchTable::Times far{{"omp", 2}, {"one", 1}, {"team", 0.9}};
    QCOMPARE(DispatchTable::fastest(far).backend, std::string("team"));
}

void TestDispatch::aTeamTakesWhatItCanDivide()
{
    std::vector<DeviceShare> shares;
    const auto context =
        onCpu(1).withShares([&](const std::vector<DeviceShare> &some) { shares = some; });
    const auto team = [](const ExecutionContext &with) -> std::vector<Device> {
        if (with.cpu().threads > 1)
            return {};
        return {CpuDevice{1, {0, 2}}, CpuDevice{1, {1, 2}}};
    };
    const auto solvers = makeTeamSolvers(solvers::ompSolvers(), "cpu/2", team);
    QCOMPARE(solvers->name(), std::string_view("cpu/2"));
    const auto problem = solvers::roughLaplaceProblem(2, 20);
    for (const auto *method : {"tuned", "naive"}) {
        shares.clear();
        const auto stepper = solvers->makePoisson(problem, {method, {}}, context);
        stepper->advance(2);
        QCOMPARE(stepper->report().iterations, 2);
        QCOMPARE(shares.size(), std::size_t{std::string_view(method) == "tuned" ? 2U : 0U});
    }
    shares.clear();
    solvers->makePmm(solvers::ballInCube(9, false), {}, {}, context)->advance(1);
    QCOMPARE(shares.size(), std::size_t{2});
    shares.clear();
    solvers->makePoisson(problem, {"tuned", {}}, context.on(CpuDevice{2}))->advance(1);
    QVERIFY(shares.empty()); // other devices than the team is made of
}

void TestDispatch::timesAreRemembered()
{
    FakeMachine machine;
    machine.deviceSeconds = [](const Workload &work) {
        return operationOf(work) == Operation::sor ? 0.25 : 4;
    };
    std::filesystem::path file;
    {
        const auto dispatcher = machine.dispatcher();
        QCOMPARE(dispatcher->fastest(Operation::sor, 1e12, machine.context(2)), std::size_t{1});
        QCOMPARE(dispatcher->fastest(Operation::jacobi, 1e12, machine.context(2)), std::size_t{0});
        file = dispatcher->file(machine.context(2));
        QVERIFY(file != dispatcher->file(machine.context(3)));
    }
    QVERIFY(std::filesystem::exists(file));
    QCOMPARE(machine.measurements, 4);
    const auto again = machine.dispatcher();
    QCOMPARE(again->fastest(Operation::sor, 1e12, machine.context(2)), std::size_t{1});
    QCOMPARE(again->fastest(Operation::jacobi, 1e12, machine.context(2)), std::size_t{0});
    QCOMPARE(machine.measurements, 4);
    const auto known = again->known(machine.context(2));
    const auto *times = known.find(Operation::sor, classes - 1);
    QVERIFY(times);
    QCOMPARE(DispatchTable::fastest(*times).seconds, 0.25);
    QVERIFY(!known.find(Operation::sor, 1));
}

void TestDispatch::whatIsOfNoUseIsMeasuredAgain_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::newRow("cut off") << QByteArray("entries") << QByteArray();
    QTest::newRow("no numbers") << QByteArray("0.5") << QByteArray("\"fast\"");
    QTest::newRow("negative") << QByteArray("0.5") << QByteArray("-0.5");
    QTest::newRow("a back end is missing") << QByteArray("\"fake\": 0.5") << QByteArray("\"x\": 1");
    QTest::newRow("another device") << QByteArray("a fake device") << QByteArray("another device");
    QTest::newRow("another version")
        << QByteArray("\"program\": \"") << QByteArray("\"program\": \"x");
    QTest::newRow("another program's") << QByteArray("gridhelm: ") << QByteArray("gridlock: ");
    QTest::newRow("no text") << QByteArray("{") << QByteArray("\x80\x81");
}

void TestDispatch::whatIsOfNoUseIsMeasuredAgain()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    FakeMachine machine;
    QCOMPARE(machine.dispatcher()->fastest(Operation::sor, 1e12, machine.context(2)),
             std::size_t{1});
    const auto path = machine.dispatcher()->file(machine.context(2));
    QFile file(QString::fromStdString(path.string()));
    QVERIFY(file.open(QIODevice::ReadWrite));
    auto text = file.readAll();
    const auto sound = text;
    const auto place = text.indexOf(from);
    QVERIFY(place >= 0);
    text = to.isEmpty() ? text.left(place) : text.replace(place, from.size(), to);
    QVERIFY(file.resize(0) && file.seek(0) && file.write(text) == text.size());
    file.close();
    machine.measurements = 0;
    machine.sentences.clear();
    QCOMPARE(machine.dispatcher()->fastest(Operation::sor, 1e12, machine.context(2)),
             std::size_t{1});
    QCOMPARE(machine.measurements, 2);
    QVERIFY(machine.said(path.string()) && machine.said("measured again"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), sound); // mended
}

void TestDispatch::anUnwritableFolderIsNoError()
{
    FakeMachine machine;
    const auto file = machine.folder.filePath("file");
    QVERIFY(QFile(file).open(QIODevice::WriteOnly));
    auto settings = machine.settings();
    settings.folder = file.toStdString() + "/folder";
    Dispatcher dispatcher(std::move(settings));
    QCOMPARE(dispatcher.fastest(Operation::sor, 1e12, machine.context(2)), std::size_t{1});
    QVERIFY(machine.said("not remembered"));
    auto nowhere = machine.settings();
    nowhere.folder.clear();
    Dispatcher forgetful(std::move(nowhere));
    QCOMPARE(forgetful.fastest(Operation::sor, 1e12, machine.context(2)), std::size_t{1});
    QVERIFY(forgetful.file(machine.context(2)).empty());
}

void TestDispatch::twoProgramsRememberTogether()
{
    FakeMachine machine;
    const auto one = machine.dispatcher(), other = machine.dispatcher();
    (void)one->known(machine.context(2)); // both have looked: there is nothing
    (void)other->known(machine.context(2));
    (void)one->fastest(Operation::sor, 1e12, machine.context(2));
    (void)other->fastest(Operation::pmm, 1e12, machine.context(2));
    const auto known = machine.dispatcher()->known(machine.context(2));
    QVERIFY(known.find(Operation::sor, classes - 1) && known.find(Operation::pmm, classes - 1));
}

void TestDispatch::whatCannotBeMeasuredIsNotTaken()
{
    FakeMachine machine;
    machine.deviceSeconds = [](const Workload &) -> double {
        throw BackendError("the fake device has no memory left; choose omp");
    };
    const auto dispatcher = machine.dispatcher();
    QCOMPARE(dispatcher->fastest(Operation::sor, 1e12, machine.context(2)), std::size_t{0});
    QCOMPARE(dispatcher->fastest(Operation::sor, 1e12, machine.context(2)), std::size_t{0});
    QCOMPARE(machine.measurements, 2); // not at every question
    QVERIFY(machine.said("no memory left"));
    machine.deviceSeconds = [](const Workload &) { return 0.5; };
    QCOMPARE(machine.dispatcher()->fastest(Operation::sor, 1e12, machine.context(2)),
             std::size_t{1}); // nor for ever
}

void TestDispatch::everythingIsMeasuredAnewOnRequest()
{
    FakeMachine machine;
    const auto dispatcher = machine.dispatcher();
    QCOMPARE(dispatcher->fastest(Operation::sor, 1e12, machine.context(2)), std::size_t{1});
    machine.deviceSeconds = [](const Workload &) { return 2.0; };
    machine.measurements = 0;
    dispatcher->measureAll(machine.context(2));
    QCOMPARE(machine.measurements, static_cast<int>(2 * operations.size() * (classes - 1)));
    QCOMPARE(dispatcher->fastest(Operation::sor, 1e12, machine.context(2)), std::size_t{0});
    QCOMPARE(machine.dispatcher()->fastest(Operation::sor, 1e12, machine.context(2)),
             std::size_t{0});
}

GRIDHELM_TEST(TestDispatch)
#include "tst_dispatch.moc"
