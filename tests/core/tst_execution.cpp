// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where something runs: devices, logical ones, memory budgets, events, tuning, and the one policy
// of what happens if a device cannot go on.
#include "core/execution/crew.h"
#include "core/execution/execution_context.h"
#include "core/execution/fallback.h"
#include "core/solvers/measured_problems.h"
#include "core/solvers/poisson/poisson_stepper.h"
#include "core/support/system_info.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <atomic>
#include <barrier>
#include <numeric>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::test;

class TestExecution : public QObject
{
    Q_OBJECT

private slots:
    void devicesHaveNames();
    void crewWorksAtTheSameTime();
    void crewHandsOnAnException();
    void logicalDevicesShareAWholeOne();
    void aBudgetIsNeverExceeded();
    void resultsSayWhereTheyWereComputed();
    void gpusAreLookedForOnce();
    void aSentenceIsReportedOnce();
    void onlyBackEndErrorsFallBackAndOnlyIfAllowed();
    void tunedConstantsAreFoundByTheirKey();
    void tuningChangesNoValue();
};

void TestExecution::crewWorksAtTheSameTime()
{
    Crew crew(3);
    for (int repeat = 0; repeat < 20; ++repeat) {
        std::barrier all(3); // which nobody leaves before all have come
        std::vector<int> runs(3, 0);
        crew.run([&](std::size_t member) {
            all.arrive_and_wait();
            ++runs[member];
        });
        QCOMPARE(runs, std::vector<int>(3, 1));
    }
}

void TestExecution::crewHandsOnAnException()
{
    Crew crew(2);
    const auto fails = [&] {
        crew.run([](std::size_t member) {
            if (member == 1)
                throw Error("the second device is gone; choose another one");
        });
    };
    GRIDHELM_EXPECT_ERROR(fails());
    std::atomic<int> runs = 0;
    crew.run([&](std::size_t) { ++runs; });
    QCOMPARE(runs.load(), 2);
}

void TestExecution::devicesHaveNames()
{
    QCOMPARE(nameOf(CpuDevice{4}), std::string("cpu"));
    GpuDevice gpu;
    gpu.index = 1;
    QCOMPARE(nameOf(gpu), std::string("gpu:1"));
    QCOMPARE(nameOf(split(gpu, 4)[1]), std::string("gpu:1.2/4"));
    QCOMPARE(wholeCpu().threads, querySystemInfo().threadCount);
    QCOMPARE(cpuWith(0).threads, wholeCpu().threads);
    QCOMPARE(cpuWith(3).threads, 3);
    GRIDHELM_EXPECT_ERROR(cpuWith(-1));
    GRIDHELM_EXPECT_ERROR(ExecutionContext(CpuDevice{0}));
    GRIDHELM_EXPECT_ERROR(onCpu().on(CpuDevice{-1}));
}

void TestExecution::logicalDevicesShareAWholeOne()
{
    for (const int threads : {1, 2, 3, 7, 16}) {
        for (const int parts : {1, 2, 3, 4}) {
            const auto devices = split(CpuDevice{threads}, parts);
            QCOMPARE(devices.size(), static_cast<std::size_t>(parts));
            int all = 0;
            for (const auto &each : devices) {
                QVERIFY(each.threads >= 1);
                all += each.threads;
            }
            QCOMPARE(all, std::max(threads, parts == 1 ? threads : all));
            QVERIFY(threads < parts || all == threads);
        }
    }
    GpuDevice gpu;
    gpu.memory = std::make_shared<MemoryBudget>(1000);
    const auto halves = split(gpu, 2);
    QCOMPARE(halves[0].memory->limit(), std::size_t{500});
    QVERIFY(halves[0].memory != halves[1].memory);
    QCOMPARE(halves[1].index, gpu.index);
    QCOMPARE(nameOf(split(halves[1], 3)[2]), std::string("gpu:0.6/6"));
    QCOMPARE(split(GpuDevice{}, 2)[0].memory->limit(), MemoryBudget::unlimited);
    GRIDHELM_EXPECT_ERROR(split(gpu, 0));
    GRIDHELM_EXPECT_ERROR(split(CpuDevice{2}, -1));
}

void TestExecution::aBudgetIsNeverExceeded()
{
    MemoryBudget budget(100);
    QVERIFY(budget.take(60));
    QVERIFY(!budget.take(41));
    QCOMPARE(budget.left(), std::size_t{40});
    QVERIFY(budget.take(40));
    QCOMPARE(budget.left(), std::size_t{0});
    budget.giveBack(100);
    QCOMPARE(budget.taken(), std::size_t{0});
    QVERIFY(!budget.take(MemoryBudget::unlimited)); // nor by wrapping around

    std::atomic<int> granted = 0;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&] {
                for (int i = 0; i < 1000; ++i)
                    granted += budget.take(1) ? 1 : 0;
            });
    }
    QCOMPARE(granted.load(), 100);
}

void TestExecution::resultsSayWhereTheyWereComputed()
{
    ComputedOn where;
    QVERIFY(where.isNowhere() && where.text().empty());
    where |= ComputedOn::cpu();
    QVERIFY(where == ComputedOn::cpu() && !where.usesGpu());
    where |= ComputedOn::gpu(2);
    where |= ComputedOn::gpu(0);
    where |= ComputedOn::cpu();
    QVERIFY(where.usesCpu() && where.usesGpu());
    QCOMPARE(where.text(), std::string("gpu:0, gpu:2 and cpu"));
    QCOMPARE(where.names(), (std::vector<std::string>{"gpu:0", "gpu:2", "cpu"}));
    const auto stepper =
        solvers::makePoissonStepper(solvers::unitLaplaceProblem(2, 5), {"tuned"}, onCpu());
    QVERIFY(stepper->computedOn() == ComputedOn::cpu());
}

void TestExecution::gpusAreLookedForOnce()
{
    QVERIFY(onCpu().gpus().empty());
    int searches = 0;
    const auto context = onCpu().withGpus([&] {
        ++searches;
        return std::vector<GpuDevice>(2);
    });
    const auto copy = context.withFallback(FallbackPolicy::allowed).on(CpuDevice{2});
    QCOMPARE(searches, 0);
    QCOMPARE(copy.gpus().size(), std::size_t{2});
    QCOMPARE(&copy.gpus(), &context.gpus()); // budgets are shared
    QCOMPARE(searches, 1);
}

void TestExecution::aSentenceIsReportedOnce()
{
    std::vector<std::string> said;
    const auto context =
        onCpu().withEvents([&](const ExecutionEvent &event) { said.push_back(event.sentence); });
    for (const char *sentence : {"a", "b", "a"})
        context.on(CpuDevice{2}).report({ExecutionEvent::Kind::notice, sentence});
    QCOMPARE(said, (std::vector<std::string>{"a", "b"}));
    onCpu().report({ExecutionEvent::Kind::notice, "nobody listens"});
}

void TestExecution::onlyBackEndErrorsFallBackAndOnlyIfAllowed()
{
    std::vector<std::string> said;
    const auto strict = onCpu().withEvents([&](const ExecutionEvent &event) {
        QCOMPARE(event.kind, ExecutionEvent::Kind::fallback);
        said.push_back(event.sentence);
    });
    const auto allowing = strict.withFallback(FallbackPolicy::allowed);
    int done = 0;
    const auto full = [] { throw BackendError("its memory is full"); };
    const auto wrong = [] { throw Error("there is no dimension 0"); };
    const auto second = [&] { ++done; };
    QVERIFY_EXCEPTION_THROWN(withFallback(strict, "cuda", "omp", full, second), BackendError);
    QVERIFY_EXCEPTION_THROWN(withFallback(allowing, "cuda", "omp", wrong, second), Error);
    QCOMPARE(done, 0);
    QVERIFY(said.empty());
    QVERIFY(!withFallback(allowing, "cuda", "omp", full, second));
    QVERIFY(withFallback(allowing, "cuda", "omp", second, full));
    QCOMPARE(done, 2);
    QCOMPARE(said,
             (std::vector<std::string>{"the CPU (omp) takes over from cuda: its memory is full"}));
}

void TestExecution::tunedConstantsAreFoundByTheirKey()
{
    QCOMPARE(TuningTable::sizeClassOf(0), 0);
    QCOMPARE(TuningTable::sizeClassOf(724), 9);
    QCOMPARE(TuningTable::sizeClassOf(725), 10);
    QCOMPARE(TuningTable::sizeClassOf(1024), 10);
    QCOMPARE(TuningTable::sizeClassOf(1448), 10);
    QCOMPARE(TuningTable::sizeClassOf(1449), 11);
    TuningTable table;
    const TuningKey key{"jacobi temporal", "cpu", 4, 10};
    QCOMPARE(table.find(key, "depth", 32), 32);
    table.set(key, "depth", 8);
    QCOMPARE(table.find(key, "depth", 32), 8);
    QCOMPARE(table.find(key, "rows", 5), 5);
    for (const auto &other :
         {TuningKey{"jacobi tuned", "cpu", 4, 10}, TuningKey{"jacobi temporal", "gpu", 4, 10},
          TuningKey{"jacobi temporal", "cpu", 8, 10}, TuningKey{"jacobi temporal", "cpu", 4, 11}})
        QCOMPARE(table.find(other, "depth", 32), 32);
}

void TestExecution::tuningChangesNoValue()
{
    const auto problem = solvers::roughLaplaceProblem(2, 60);
    const auto size = TuningTable::sizeClassOf(static_cast<double>(problem.count()));
    const auto valuesOf = [](solvers::Stepper &stepper) {
        stepper.advance(37);
        const auto values = std::get<std::span<const double>>(stepper.field().values);
        return std::vector<double>(values.begin(), values.end());
    };
    const auto temporal = [&](const ExecutionContext &context) {
        return valuesOf(*solvers::makePoissonStepper(problem, {"temporal"}, context));
    };
    const auto redBlack = [&](const ExecutionContext &context) {
        return valuesOf(*solvers::makePoissonStepper(problem, {"red-black"}, context));
    };
    const auto jacobiValues = temporal(onCpu(2)), sorValues = redBlack(onCpu(2));
    for (const int constant : {1, 3, 64, 100000, -5}) {
        const auto table = std::make_shared<TuningTable>();
        table->set({"jacobi temporal", "cpu", 8, size}, "depth", constant);
        table->set({"red-black, 2 dimensions", "cpu", 8, size}, "pass", constant);
        const auto tuned = onCpu(2).withTuning(table);
        QVERIFY(temporal(tuned) == jacobiValues);
        QVERIFY(redBlack(tuned) == sorValues);
    }
}

GRIDHELM_TEST(TestExecution)
#include "tst_execution.moc"
