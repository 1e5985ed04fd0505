// SPDX-License-Identifier: GPL-3.0-or-later
//
// The back end `auto`: what it takes for what, what it remembers, and that its results are those of
// omp, whatever computes and whatever fails.
#include "core/dispatch/dispatcher.h"
#include "core/dispatch/dispatching_backend.h"
#include "core/dispatch/dispatching_solvers.h"
#include "core/dispatch/size_class.h"
#include "core/solvers/measured_problems.h"
#include "core/solvers/run/solver_case.h"
#include "tests/core/expect_error.h"
#include "tests/core/fake_backend.h"
#include "tests/core/on_cpu.h"
#include "tests/core/random_grids.h"
#include "tests/core/random_points.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <cmath>

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

/// A machine with a fake device, and how often it was measured.
struct FakeMachine
{
    FakeDevice device;
    FakeSolvers solvers{device};
    QTemporaryDir folder;
    std::string hardware = "a fake device";
    int searches = 0, measurements = 0;
    double startSeconds = 0;
    std::vector<std::string> sentences;
    /// Seconds of the device, where the CPU takes 1.
    std::function<double(const Workload &)> deviceSeconds = [](const Workload &) { return 0.5; };

    DispatchSettings settings()
    {
        DispatchSettings settings;
        settings.findFurther = [this] {
            ++searches;
            auto candidate = fakeCandidate(device, solvers);
            candidate.hardware = hardware;
            return std::vector<Candidate>{std::move(candidate)};
        };
        settings.folder = folder.path().toStdString();
        settings.startSeconds = startSeconds;
        settings.measure = [this](const Workload &work, const Candidate &candidate,
                                  const ExecutionContext &) {
            ++measurements;
            return candidate.name == "fake" ? deviceSeconds(work) : 1.0;
        };
        return settings;
    }

    std::shared_ptr<Dispatcher> dispatcher() { return std::make_shared<Dispatcher>(settings()); }

    /// With this machine's events.
    ExecutionContext context(int threads)
    {
        return onCpu(threads)
            .withFallback(FallbackPolicy::allowed)
            .withEvents(
                [this](const ExecutionEvent &event) { sentences.push_back(event.sentence); });
    }

    /// Whether one of the sentences has this in it.
    bool said(const std::string &part) const
    {
        return std::ranges::any_of(
            sentences, [&](const auto &each) { return each.find(part) != std::string::npos; });
    }
};

template <typename T>
std::vector<T> valuesOf(const solvers::Stepper &stepper)
{
    const auto values = std::get<std::span<const T>>(stepper.field().values);
    return {values.begin(), values.end()};
}

} // namespace

class TestDispatch : public QObject
{
    Q_OBJECT

private slots:
    void everyClassIsMeasuredByWorkOfItsSize();
    void workIsCountedAsItIsDispatched();
    void littleWorkIsTheCpusWithoutASearch();
    void aDeviceIsNotStartedForLittle();
    void theCpuAloneIsNotMeasured();
    void theFastestIsTakenForEachOperationAndSize();
    void sleepingBackEndsAreToldApart();

    void timesAreRemembered();
    void whatIsOfNoUseIsMeasuredAgain_data();
    void whatIsOfNoUseIsMeasuredAgain();
    void anUnwritableFolderIsNoError();
    void twoProgramsRememberTogether();
    void whatCannotBeMeasuredIsNotTaken();
    void everythingIsMeasuredAnewOnRequest();

    void gridsAreTransformedAsByOmp_data();
    void gridsAreTransformedAsByOmp();
    void evaluationsAreThoseOfOmp_data();
    void evaluationsAreThoseOfOmp();
    void combinationsAreThoseOfOmp_data();
    void combinationsAreThoseOfOmp();
    void wrongArgumentsRemainErrors();

    void solversAreChosenBySize();
    void aFailingDeviceLosesNoIterations_data();
    void aFailingDeviceLosesNoIterations();
    void stoppedWhileItCatchesUp();
    void whatTheDeviceCannotSolveTheCpuDoes();

    void aPreferredBackEndHasTheCpuBehindIt();
    void whereItIsForbiddenNothingTakesOver();
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
    QCOMPARE(sizeOf(CombinationWork{3, 50}), 150.0);
    for (const Workload &work : std::initializer_list<Workload>{
             TransformWork{4, 5}, InterpolationWork{4, 5, 17}, CartesianWork{4, 5, 10},
             CombinationWork{3, 50}, PoissonWork{"tuned", solvers::Precision::float32, 2, 20, 4},
             PoissonWork{"red-black", solvers::Precision::float32, 3, 10, 4},
             PmmWork{true, solvers::Precision::float64, 9}}) {
        const auto prepared = prepare(work, cpuCandidate(), onCpu(2));
        QVERIFY(prepared->run() >= 0 && prepared->run() >= 0 && prepared->deliver() >= 0);
        const auto counted = prepared->counted();
        QVERIFY2(counted.bytes > 0 || counted.flops > 0, textOf(work).c_str());
        QVERIFY(measuredSeconds(work, cpuCandidate(), onCpu()) > 0);
    }
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

namespace {

/// The device is faster at everything, slower, or fails at what it is asked for.
void addDeviceRows()
{
    QTest::addColumn<bool>("isFaster");
    QTest::addColumn<bool>("isBroken");
    QTest::newRow("the device") << true << false;
    QTest::newRow("the CPU") << false << false;
    QTest::newRow("the device, which is broken") << true << true;
}

/// A machine as the row says.
struct RowMachine : FakeMachine
{
    bool isFaster, breaks;

    RowMachine()
    {
        const auto column = [](const char *name) {
            return *static_cast<bool *>(QTest::qData(name, qMetaTypeId<bool>()));
        };
        isFaster = column("isFaster");
        breaks = column("isBroken");
        deviceSeconds = [this](const Workload &) { return isFaster ? 0.5 : 2.0; };
    }

    /// Whether who should have worked has, and the rest was said.
    bool workedAsItShould()
    {
        if (!isFaster)
            return device.operations == 0 && device.loads == 0;
        return device.operations + device.loads > 0 && said("omp takes over from fake") == breaks;
    }
};

/// Large enough for the first class that is measured.
std::shared_ptr<const sparse::SparseGrid> someGrid()
{
    return std::make_shared<sparse::SparseGrid>(sparse::GridShape(5, 8));
}

} // namespace

void TestDispatch::gridsAreTransformedAsByOmp_data()
{
    addDeviceRows();
}

void TestDispatch::gridsAreTransformedAsByOmp()
{
    RowMachine machine;
    const auto automatic = makeDispatchingBackend(machine.dispatcher(), machine.context(2));
    const auto omp = sparse::makeOmpBackend(test::onCpu(2));
    const auto grid = someGrid();
    Random random(1);
    const auto check = [&]<typename T>(T) {
        std::vector<T> values(grid->points());
        for (T &value : values)
            value = static_cast<T>(random.real(-1, 1));
        auto expected = values;
        const auto where = automatic->hierarchize(*grid, std::span(values));
        QCOMPARE(where.usesGpu(), machine.isFaster && !machine.device.isBroken);
        QCOMPARE(where.usesCpu(), !where.usesGpu());
        omp->hierarchize(*grid, std::span(expected));
        QVERIFY(values == expected);
        automatic->dehierarchize(*grid, std::span(values));
        omp->dehierarchize(*grid, std::span(expected));
        QVERIFY(values == expected);
    };
    check(float());
    machine.device.isBroken = machine.breaks; // with values in the middle of their way
    check(float());
    check(double());
    QVERIFY(machine.workedAsItShould());
}

void TestDispatch::evaluationsAreThoseOfOmp_data()
{
    addDeviceRows();
}

void TestDispatch::evaluationsAreThoseOfOmp()
{
    RowMachine machine;
    const auto automatic = makeDispatchingBackend(machine.dispatcher(), machine.context(2));
    const auto grid = someGrid();
    Random random(2);
    const auto check = [&]<typename T>(T) {
        std::vector<T> coefficients(grid->points());
        for (T &value : coefficients)
            value = static_cast<T>(random.real(-1, 1));
        const auto mine = automatic->load(grid, coefficients);
        const auto expected = sparse::makeOmpBackend(test::onCpu(2))->load(grid, coefficients);
        QVERIFY(mine->bytes() >= coefficients.size() * sizeof(T));

        // In the middle of the life of the evaluator, after it has worked.
        const auto agree = [&](auto evaluate, std::size_t values) {
            machine.device.isBroken = false;
            for (const bool isBroken : {false, machine.breaks}) {
                machine.device.isBroken = isBroken;
                std::vector<T> a(values), b(values), c(values), d(values);
                evaluate(*mine, a, b);
                evaluate(*expected, c, d);
                QVERIFY(a == c && b == d);
            }
        };
        using Evaluator = sparse::Evaluator<T>;
        auto points = randomPoints<T>(random, *grid, 2000);
        agree(
            [&](const Evaluator &each, auto &a, auto &b) {
                each.interpolate(viewOf(points, *grid), {a, b});
            },
            2000);
        agree(
            [&](const Evaluator &each, auto &a, auto &b) {
                b.resize(points.size());
                each.gradient(viewOf(points, *grid), a, b);
            },
            2000);
        for (std::size_t i = 0; i < points.size(); i += 5)
            points[i] = T(0.3);
        agree(
            [&](const Evaluator &each, auto &a, auto &b) {
                each.interpolateShared(viewOf(points, *grid), {a, b});
            },
            2000);
        sparse::CartesianPoints<T> cube{{{T(0.3)}, {T(0.7)}, {}, {}, {}}};
        for (std::size_t t = 2; t < 5; ++t)
            for (int i = 0; i < 50; ++i)
                cube.axes[t].push_back(static_cast<T>(random.real()));
        agree(
            [&](const Evaluator &each, auto &a, auto &b) {
                each.interpolateCartesian(cube, {a, b});
            },
            cube.count());
    };
    check(float());
    check(double());
    QVERIFY(machine.workedAsItShould());
}

void TestDispatch::combinationsAreThoseOfOmp_data()
{
    addDeviceRows();
}

void TestDispatch::combinationsAreThoseOfOmp()
{
    RowMachine machine;
    const std::shared_ptr<const sparse::Backend> automatic =
        makeDispatchingBackend(machine.dispatcher(), machine.context(2));
    constexpr std::size_t rows = 40, columns = 10000;
    Random random(3);
    std::vector<float> values(rows * columns);
    for (float &value : values)
        value = static_cast<float>(random.real(-1, 1));
    const sparse::MatrixView<const float> matrix{values.data(), rows, columns, columns};
    sparse::SparseWeights weights;
    for (std::size_t r = 0; r < rows; ++r) {
        weights.rows.push_back(r);
        weights.weights.push_back(random.real(-1, 1));
    }
    weights.lastGroupBegin = rows / 2;
    std::vector<std::uint32_t> list;
    for (std::uint32_t c = 0; c < columns; c += 2)
        list.push_back(c);

    const auto loaded = automatic->loadVectors(matrix);
    const auto omp = sparse::makeOmpBackend(test::onCpu(2))->loadVectors(matrix);
    for (int i = 0; i < 6; ++i) {
        machine.device.isBroken = machine.breaks && i > 3;
        std::vector<float> a(columns - 3), b(columns - 3), c(a), d(a);
        loaded->combine(weights, 3, a, b);
        omp->combine(weights, 3, c, d);
        QVERIFY(a == c && b == d);
        for (auto *each : {&a, &b, &c, &d})
            each->resize(list.size());
        loaded->combineColumns(weights, list, a, b);
        omp->combineColumns(weights, list, c, d);
        QVERIFY(a == c && b == d);
        if (i == 0) // a device is not worth it for so few
            QCOMPARE(machine.device.loads, 0);
    }
    QVERIFY(machine.workedAsItShould());
}

void TestDispatch::wrongArgumentsRemainErrors()
{
    FakeMachine machine;
    const auto automatic = makeDispatchingBackend(machine.dispatcher(), machine.context(1));
    const auto grid = someGrid();
    std::vector<float> few(3);
    GRIDHELM_EXPECT_ERROR(automatic->hierarchize(*grid, std::span(few)));
    GRIDHELM_EXPECT_ERROR(automatic->load(grid, few));
    const auto evaluator = automatic->load(grid, std::vector<float>(grid->points()));
    GRIDHELM_EXPECT_ERROR(evaluator->interpolate({few, 3}, {few}));
    QCOMPARE(automatic->name(), std::string_view("auto"));
    QVERIFY(automatic->description().find("fake") != std::string::npos);
}

void TestDispatch::solversAreChosenBySize()
{
    using namespace solvers;
    FakeMachine machine;
    const auto automatic = makeDispatchingSolvers(machine.dispatcher());
    const auto context = machine.context(1);
    const auto little = unitLaplaceProblem(2, 50), much = unitLaplaceProblem(2, 500);
    PoissonSettings jacobi{"tuned", Precision::float32};
    QCOMPARE(automatic->forPoisson(little, jacobi, context).name(), std::string_view("omp"));
    QCOMPARE(automatic->forPoisson(much, jacobi, context).name(), std::string_view("fake"));
    jacobi.method = "naive"; // serial
    QCOMPARE(automatic->forPoisson(much, jacobi, context).name(), std::string_view("omp"));
    PoissonSettings sor{"red-black"};
    QCOMPARE(automatic->forPoisson(much, sor, context).name(), std::string_view("fake"));
    sor.method = "sequential";
    QCOMPARE(automatic->forPoisson(much, sor, context).name(), std::string_view("omp"));
    QCOMPARE(automatic->forPmm(ballInCube(30, false), {}, context).name(),
             std::string_view("fake"));

    // A case says who works on it, and how many threads it takes.
    RunSetup run;
    run.iterations = "5";
    const auto byDevice =
        poissonCase(much, {"tuned", Precision::float32}, run, false, context, *automatic);
    QCOMPARE(byDevice.backend, std::string("fake"));
    QCOMPARE(byDevice.threads, 0);
    const auto byCpu =
        poissonCase(little, {"tuned", Precision::float32}, run, false, context, *automatic);
    QCOMPARE(byCpu.backend, std::string("omp"));
    QCOMPARE(byCpu.threads, 1);
    QCOMPARE(byDevice.makeStepper()->method(), byCpu.makeStepper()->method());
}

void TestDispatch::aFailingDeviceLosesNoIterations_data()
{
    QTest::addColumn<int>("failsAfter");
    for (const int iterations : {0, 1, 7, 10, 13, 24, 1000})
        QTest::addRow("after %d", iterations) << iterations;
}

void TestDispatch::aFailingDeviceLosesNoIterations()
{
    using namespace solvers;
    QFETCH(int, failsAfter);
    FakeMachine machine;
    machine.device.iterationsUntilBroken = static_cast<std::uint64_t>(failsAfter);
    const auto automatic = makeDispatchingSolvers(machine.dispatcher());
    const auto follow = [](Stepper &stepper) {
        stepper.advance(4);
        stepper.advance(3);
        stepper.setLiveParameter("relaxation", 1.7);
        stepper.advance(6);
        (void)stepper.report();
        stepper.setLiveParameter("relaxation", 1.2);
        stepper.setLiveParameter("boundary x low", 2);
        stepper.advance(11);
    };
    auto problem = roughLaplaceProblem(2, 150);
    const PoissonSettings settings{"red-black"};
    const auto mine = automatic->makePoisson(problem, settings, machine.context(1));
    const auto expected = ompSolvers().makePoisson(problem, settings, onCpu());
    follow(*mine);
    follow(*expected);
    QCOMPARE(mine->report().iterations, std::uint64_t{24});
    QCOMPARE(mine->report().residual, expected->report().residual);
    QVERIFY(valuesOf<double>(*mine) == valuesOf<double>(*expected));
    QCOMPARE(mine->computedOn().usesGpu(), true);
    QCOMPARE(mine->computedOn().usesCpu(), failsAfter < 24);
    QCOMPARE(mine->liveParameters().front().value, 1.2);
    QCOMPARE(machine.said("omp takes over from fake"), failsAfter < 24);
    GRIDHELM_EXPECT_ERROR(mine->setLiveParameter("relaxation", 3));
    GRIDHELM_EXPECT_ERROR(mine->setLiveParameter("colour", 1));

    // It fails while nobody computes, too.
    machine.device.iterationsUntilBroken = UINT64_MAX;
    machine.device.isBroken = false;
    const auto later = automatic->makePoisson(problem, settings, machine.context(1));
    follow(*later);
    machine.device.isBroken = true;
    QVERIFY(valuesOf<double>(*later) == valuesOf<double>(*expected));
}

void TestDispatch::stoppedWhileItCatchesUp()
{
    using namespace solvers;
    FakeMachine machine;
    const auto automatic = makeDispatchingSolvers(machine.dispatcher());
    const auto problem = roughLaplaceProblem(2, 150);
    const auto mine = automatic->makePoisson(problem, {"red-black"}, machine.context(1));
    mine->advance(10);
    machine.device.isBroken = true;
    std::stop_source stop;
    stop.request_stop();
    mine->advance(5, stop.get_token());
    QCOMPARE(mine->report().iterations, std::uint64_t{10}); // a figure needs those that were there
    mine->advance(5);
    const auto expected = ompSolvers().makePoisson(problem, {"red-black"}, onCpu());
    expected->advance(15);
    QVERIFY(valuesOf<double>(*mine) == valuesOf<double>(*expected));
}

void TestDispatch::whatTheDeviceCannotSolveTheCpuDoes()
{
    using namespace solvers;
    FakeMachine machine;
    const auto automatic = makeDispatchingSolvers(machine.dispatcher());
    machine.device.isBroken = true;
    const auto stepper =
        automatic->makePmm(ballInCube(33, true), Precision::float64, {}, machine.context(1));
    stepper->advance(2);
    const auto expected =
        ompSolvers().makePmm(ballInCube(33, true), Precision::float64, {}, onCpu());
    expected->advance(2);
    QVERIFY(valuesOf<double>(*stepper) == valuesOf<double>(*expected));
    QVERIFY(machine.said("omp takes over from fake"));
    auto impossible = unitLaplaceProblem(2, 150);
    impossible.spacing = -1;
    GRIDHELM_EXPECT_ERROR(automatic->makePoisson(impossible, {"tuned"}, machine.context(1)));
}

void TestDispatch::aPreferredBackEndHasTheCpuBehindIt()
{
    FakeMachine machine;
    const auto context = machine.context(2);
    const auto backend =
        makeFailoverBackend(std::make_shared<FakeBackend>(machine.device, context), context);
    QCOMPARE(backend->name(), std::string_view("fake"));
    const auto grid = someGrid();
    std::vector<float> values(grid->points(), 1), expected = values;
    sparse::makeOmpBackend(context)->hierarchize(*grid, std::span(expected));
    QCOMPARE(backend->hierarchize(*grid, std::span(values)), fakeGpu); // however little it is
    QVERIFY(values == expected);
    machine.device.isBroken = true;
    std::ranges::fill(values, 1.0F);
    QCOMPARE(backend->hierarchize(*grid, std::span(values)), ComputedOn::cpu());
    QVERIFY(values == expected);
    QVERIFY(machine.said("omp takes over from fake"));
    QCOMPARE(machine.measurements, 0);

    machine.device.isBroken = false;
    machine.device.iterationsUntilBroken = 3;
    const auto solvers = makeFailoverSolvers(machine.solvers);
    const auto stepper = solvers->makePoisson(solvers::roughLaplaceProblem(2, 20), {"red-black"},
                                              machine.context(1));
    stepper->advance(8);
    QCOMPARE(stepper->report().iterations, std::uint64_t{8});
    QCOMPARE(stepper->computedOn().text(), std::string("gpu:7 and cpu"));
}

void TestDispatch::whereItIsForbiddenNothingTakesOver()
{
    FakeMachine machine;
    const auto strict = machine.context(2).withFallback(FallbackPolicy::forbidden);
    const auto grid = someGrid();
    std::vector<float> values(grid->points(), 1);
    for (const auto &backend :
         {makeFailoverBackend(std::make_shared<FakeBackend>(machine.device, strict), strict),
          std::shared_ptr<const sparse::Backend>(
              makeDispatchingBackend(machine.dispatcher(), strict))}) {
        machine.device.isBroken = false;
        const auto evaluator = backend->load(grid, values);
        machine.device.isBroken = true;
        GRIDHELM_EXPECT_ERROR(backend->hierarchize(*grid, std::span(values)));
        if (backend->name() == "fake") {
            const std::vector<float> points(5 * 10, 0.3F);
            std::vector<float> out(10);
            GRIDHELM_EXPECT_ERROR(evaluator->interpolate({points, 5}, {out}));
        }
    }
    machine.device.isBroken = false;
    machine.device.iterationsUntilBroken = 3;
    for (const auto &solvers :
         {makeFailoverSolvers(machine.solvers), makeDispatchingSolvers(machine.dispatcher())}) {
        machine.device.isBroken = false;
        machine.device.iterationsUntilBroken = 3;
        const auto stepper =
            solvers->makePoisson(solvers::roughLaplaceProblem(2, 150), {"red-black"}, strict);
        GRIDHELM_EXPECT_ERROR(stepper->advance(8));
    }
    QVERIFY(!machine.said("takes over"));
}

QTEST_GUILESS_MAIN(TestDispatch)
#include "tst_dispatch.moc"
