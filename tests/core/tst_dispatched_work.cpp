// SPDX-License-Identifier: GPL-3.0-or-later
//
// The results of the back end `auto`, and of one that the user prefers, are those of omp, whatever
// computes and whatever fails.
#include "core/dispatch/dispatching_backend.h"
#include "core/dispatch/dispatching_solvers.h"
#include "core/solvers/measured_problems.h"
#include "core/solvers/run/solver_case.h"
#include "tests/core/expect_error.h"
#include "tests/core/fake_machine.h"
#include "tests/core/field_values.h"
#include "tests/core/on_cpu.h"
#include "tests/core/random_grids.h"
#include "tests/core/random_points.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace gridhelm;
using namespace gridhelm::dispatch;
using namespace gridhelm::test;

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
        return device.operations + device.loads > 0
               && said("the CPU (omp) takes over from fake") == breaks;
    }
};

/// Large enough for the first class that is measured.
std::shared_ptr<const sparse::SparseGrid> someGrid()
{
    return std::make_shared<sparse::SparseGrid>(sparse::GridShape(5, 8));
}

} // namespace

class TestDispatchedWork : public QObject
{
    Q_OBJECT

private slots:
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

void TestDispatchedWork::gridsAreTransformedAsByOmp_data()
{
    addDeviceRows();
}

void TestDispatchedWork::gridsAreTransformedAsByOmp()
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

void TestDispatchedWork::evaluationsAreThoseOfOmp_data()
{
    addDeviceRows();
}

void TestDispatchedWork::evaluationsAreThoseOfOmp()
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

void TestDispatchedWork::combinationsAreThoseOfOmp_data()
{
    addDeviceRows();
}

void TestDispatchedWork::combinationsAreThoseOfOmp()
{
    RowMachine machine;
    const std::shared_ptr<const sparse::Backend> automatic =
        makeDispatchingBackend(machine.dispatcher(), machine.context(2));
    constexpr std::size_t rows = 40, columns = 10000;
    Random random(3);
    std::vector<float> values(rows * columns);
    for (float &value : values)
        value = static_cast<float>(random.real(-1, 1));
    const linalg::MatrixView<const float> matrix{values.data(), rows, columns, columns};
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

void TestDispatchedWork::wrongArgumentsRemainErrors()
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

void TestDispatchedWork::solversAreChosenBySize()
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

void TestDispatchedWork::aFailingDeviceLosesNoIterations_data()
{
    QTest::addColumn<int>("failsAfter");
    for (const int iterations : {0, 1, 7, 10, 13, 24, 1000})
        QTest::addRow("after %d", iterations) << iterations;
}

void TestDispatchedWork::aFailingDeviceLosesNoIterations()
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
    QVERIFY(valuesOf(*mine) == valuesOf(*expected));
    QCOMPARE(mine->computedOn().usesGpu(), true);
    QCOMPARE(mine->computedOn().usesCpu(), failsAfter < 24);
    QCOMPARE(mine->liveParameters().front().value, 1.2);
    QCOMPARE(machine.said("the CPU (omp) takes over from fake"), failsAfter < 24);
    GRIDHELM_EXPECT_ERROR(mine->setLiveParameter("relaxation", 3));
    GRIDHELM_EXPECT_ERROR(mine->setLiveParameter("colour", 1));

    // It fails while nobody computes, too.
    machine.device.iterationsUntilBroken = UINT64_MAX;
    machine.device.isBroken = false;
    const auto later = automatic->makePoisson(problem, settings, machine.context(1));
    follow(*later);
    machine.device.isBroken = true;
    QVERIFY(valuesOf(*later) == valuesOf(*expected));
}

void TestDispatchedWork::stoppedWhileItCatchesUp()
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
    QVERIFY(valuesOf(*mine) == valuesOf(*expected));
}

void TestDispatchedWork::whatTheDeviceCannotSolveTheCpuDoes()
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
    QVERIFY(valuesOf(*stepper) == valuesOf(*expected));
    QVERIFY(machine.said("the CPU (omp) takes over from fake"));
    auto impossible = unitLaplaceProblem(2, 150);
    impossible.spacing = -1;
    GRIDHELM_EXPECT_ERROR(automatic->makePoisson(impossible, {"tuned"}, machine.context(1)));
}

void TestDispatchedWork::aPreferredBackEndHasTheCpuBehindIt()
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
    QVERIFY(machine.said("the CPU (omp) takes over from fake"));
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

void TestDispatchedWork::whereItIsForbiddenNothingTakesOver()
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

GRIDHELM_TEST(TestDispatchedWork)
#include "tst_dispatched_work.moc"
