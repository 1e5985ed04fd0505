// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the device's Jacobi and SOR have of their own, against the CPU's: tiles, strips and
// patches of all sizes, iterations made ahead, recorded ones, limits of the device.
#include "core/solvers/jacobi/async_options.h"
#include "core/solvers/jacobi/temporal_options.h"
#include "core/solvers/poisson/poisson_stepper.h"
#include "gpu/device_info.h"
#include "gpu/poisson/cuda_poisson.h"
#include "gpu/support/buffer.h"
#include "tests/core/closeness.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/solvers/poisson_cases.h"
#include "tests/solvers/sor_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::solvers;
using namespace gridhelm::test;

namespace {

constexpr auto neumann = SideKind::neumann;
constexpr std::array<SideKind, 6> mixed{neumann, SideKind::dirichlet, SideKind::dirichlet,
                                        neumann, SideKind::dirichlet, neumann};

ExecutionContext onGpu()
{
    return test::onCpu().withGpus(gpu::gpuDevices());
}

PoissonSettings with(const char *method, Precision precision)
{
    return {method, precision};
}

PoissonProblem problemOf(Random &random, int dimension, std::array<std::size_t, 3> unknowns,
                         int kindOfSource)
{
    return iterationProblem(random, dimension, unknowns, mixed, kindOfSource);
}

/// Rounding of so many iterations, each of which averages most of the errors before it.
double toleranceOf(Precision precision, const std::vector<double> &values)
{
    const double eps = precision == Precision::float32 ? epsilon<float> : epsilon<double>;
    return 8 * eps * std::max(1.0, largestOf(values));
}

/// Empty if the device's values and residual are the CPU's.
std::string difference(const Stepper &device, const Stepper &cpu, Precision precision)
{
    const auto expected = valuesOf(cpu);
    const double distance = largestDistance(valuesOf(device), expected);
    if (!(distance <= toleranceOf(precision, expected)))
        return "values differ by " + std::to_string(distance);
    const double residual = cpu.report().residual;
    // What the values' own rounding makes of it; that of the residual itself is far smaller.
    const bool isFloat = precision == Precision::float32;
    const double tolerance = isFloat ? 3e-6 + 1e-4 * residual : 1e-12 + 1e-10 * residual;
    if (!(std::abs(device.report().residual - residual) <= tolerance))
        return "residual " + std::to_string(device.report().residual) + " instead of "
               + std::to_string(residual);
    return {};
}

} // namespace

#define VERIFY_SAME(device, cpu, precision, what)                                                  \
    do {                                                                                           \
        const auto text_ = difference(device, cpu, precision);                                     \
        QVERIFY2(text_.empty(), (text_ + "; " + (what)).c_str());                                  \
    } while (false)

class CudaPoissonTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { GRIDHELM_SKIP_WITHOUT_BACKEND(); }

    void jacobiMatchesTheCpu_data()
    {
        QTest::addColumn<int>("width");
        for (int width : {1, 2, 3, 4, 31, 33, 127, 128, 129, 257, 1025})
            QTest::addRow("%d", width) << width;
    }
    void jacobiMatchesTheCpu()
    {
        QFETCH(const int, width);
        Random random(21);
        int kindOfSource = 0;
        for (std::size_t height : {1, 2, 3, 31, 33, 257}) {
            for (auto precision : {Precision::float32, Precision::float64}) {
                const auto problem =
                    problemOf(random, 2, {std::size_t(width), height, 1}, kindOfSource++ % 3);
                for (auto method : {"tuned", "temporal"}) {
                    auto options = with(method, precision);
                    const std::int64_t depth = random.chance(0.5) ? 0 : random.integer(1, 20);
                    if (options.method == "temporal")
                        options.options.set(jacobi::depthOption, depth);
                    const auto device = gpu::makeCudaPoissonStepper(problem, options, onGpu());
                    const auto cpu =
                        makePoissonStepper(problem, with("tuned", precision), test::onCpu());
                    for (int iterations : {1, 30, 333}) { // the last ones are recorded
                        device->advance(iterations);
                        cpu->advance(iterations);
                        VERIFY_SAME(*device, *cpu, precision,
                                    describe(problem) + ", " + method + ", depth "
                                        + std::to_string(depth));
                    }
                }
            }
        }
    }

    void largeGridsMatchTheCpu()
    {
        Random random(22);
        for (int kindOfSource : {1, 2}) {
            const auto problem = problemOf(random, 2, {3001, 1733, 1}, kindOfSource);
            for (auto method : {"tuned", "temporal"}) {
                const auto device =
                    gpu::makeCudaPoissonStepper(problem, with(method, Precision::float32), onGpu());
                const auto cpu =
                    makePoissonStepper(problem, with("tuned", Precision::float32), test::onCpu());
                device->advance(29);
                cpu->advance(29);
                VERIFY_SAME(*device, *cpu, Precision::float32, method);
            }
        }
    }

    void boxesMatchTheCpu()
    {
        using Size = std::array<std::size_t, 3>;
        Random random(23);
        int kindOfSource = 0;
        for (const auto &size : {Size{1, 1, 1}, {3, 31, 2}, {129, 5, 33}, {257, 17, 3}}) {
            for (auto precision : {Precision::float32, Precision::float64}) {
                const auto problem = problemOf(random, 3, size, kindOfSource++ % 3);
                const auto options = with("tuned", precision);
                const auto device = gpu::makeCudaPoissonStepper(problem, options, onGpu());
                const auto cpu = makePoissonStepper(problem, options, test::onCpu());
                device->advance(40);
                cpu->advance(40);
                VERIFY_SAME(*device, *cpu, precision, describe(problem));
            }
        }
    }

    /// The iteration that a report has made counts later, or not at all.
    void reportsDoNotDisturb()
    {
        Random random(24);
        const auto problem = problemOf(random, 2, {150, 90, 1}, 1);
        for (auto method : {"tuned", "temporal"}) {
            const auto options = with(method, Precision::float64);
            const auto quiet = gpu::makeCudaPoissonStepper(problem, options, onGpu());
            const auto asked = gpu::makeCudaPoissonStepper(problem, options, onGpu());
            const auto cpu =
                makePoissonStepper(problem, with("tuned", Precision::float64), test::onCpu());
            for (int i = 0; i < 20; ++i) {
                const std::uint64_t iterations = i % 3 == 0 ? 1 : i;
                quiet->advance(iterations);
                asked->advance(iterations);
                cpu->advance(iterations);
                VERIFY_SAME(*asked, *cpu, Precision::float64, method);
                QVERIFY(std::abs(asked->report().largestChange - cpu->report().largestChange)
                        < 1e-12);
            }
            QVERIFY(valuesOf(*quiet) == valuesOf(*asked));
        }
    }

    void parametersChangeBetweenReports()
    {
        PoissonProblem problem;
        problem.unknowns = {61, 47, 1};
        problem.spacing = 0.02;
        problem.sides[3].kind = neumann;
        problem.source = SpikeSource{};
        for (auto method : {"tuned", "temporal"}) {
            const auto device =
                gpu::makeCudaPoissonStepper(problem, with(method, Precision::float64), onGpu());
            const auto cpu =
                makePoissonStepper(problem, with("tuned", Precision::float64), test::onCpu());
            int step = 0;
            for (const auto &[name, value] : {std::pair{"source x", 0.13},
                                              {"boundary x low", -2.0},
                                              {"source strength", 5.0},
                                              {"boundary y high", 0.7}}) {
                for (auto *stepper : {device.get(), cpu.get()}) {
                    stepper->advance(300);   // recorded
                    (void)stepper->report(); // made ahead
                    stepper->setLiveParameter(name, value);
                    stepper->advance(1 + 150 * (step % 2));
                }
                ++step;
                VERIFY_SAME(*device, *cpu, Precision::float64, std::string(name));
            }
        }
    }

    void stopsWhileItRuns()
    {
        PoissonProblem problem;
        problem.unknowns = {2000, 1500, 1};
        problem.sides[0].value = 1;
        const PoissonSettings settings{"red-black"};
        for (const auto &stepper :
             {gpu::makeCudaPoissonStepper(problem, with("tuned", Precision::float32), onGpu()),
              gpu::makeCudaPoissonStepper(problem, with("async3", Precision::float32), onGpu()),
              gpu::makeCudaPoissonStepper(problem, settings, onGpu())}) {
            std::stop_source stop;
            const std::jthread stopper([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
                stop.request_stop();
            });
            constexpr std::uint64_t endless = 1'000'000'000'000;
            stepper->advance(endless, stop.get_token());
            const auto iterations = stepper->report().iterations;
            QVERIFY2(iterations > 0 && iterations < endless, stepper->method().data());
            stepper->advance(3);
            QCOMPARE(stepper->report().iterations, iterations + 3);
        }
    }

    void asynchronousTilesOfAllSizes()
    {
        Random random(25);
        for (const auto &[width, height] :
             {std::array<std::size_t, 2>{1, 1}, {2, 33}, {129, 3}, {300, 150}}) {
            auto problem = problemOf(random, 2, {width, height, 1}, 0);
            problem.sides[0].kind = problem.sides[3].kind = SideKind::dirichlet;
            const auto expected = directSolution(problem);
            for (auto method : {"async0", "async1", "async2", "async3"}) {
                for (std::size_t rows : {0, 8, 128}) {
                    auto options = with(method, Precision::float64);
                    options.options.set(jacobi::tileOption, std::vector<std::size_t>{rows, rows});
                    const auto stepper = gpu::makeCudaPoissonStepper(problem, options, onGpu());
                    for (int i = 0; i < 60 && stepper->report().residual > 1e-13; ++i)
                        stepper->advance(7007);
                    QVERIFY2(largestDistance(valuesOf(*stepper), expected)
                                 < 1e-9 * std::max(1.0, largestOf(expected)),
                             (describe(problem) + ", " + method).c_str());
                }
            }
        }
    }

    void sorMatchesTheCpu()
    {
        using Size = std::array<std::size_t, 3>;
        for (const auto &[dimension, size] : {std::pair{2, Size{257, 33, 1}},
                                              {2, Size{1025, 31, 1}},
                                              {2, Size{2, 300, 1}},
                                              {3, Size{259, 7, 9}}}) {
            for (int variant = 0; variant < 4; ++variant) {
                const auto problem =
                    roughProblem(dimension, size, variant % 2 == 1, variant / 2 == 1);
                for (auto &[name, settings] : allMethods(dimension)) {
                    for (auto precision : {Precision::float32, Precision::float64}) {
                        settings.precision = precision;
                        settings.set(relaxationOption, 1.3);
                        const auto device = gpu::makeCudaPoissonStepper(problem, settings, onGpu());
                        const auto cpu = makePoissonStepper(problem, settings, test::onCpu());
                        device->advance(12);
                        cpu->advance(12);
                        VERIFY_SAME(*device, *cpu, precision, describe(problem) + name);
                    }
                }
            }
        }
    }

    /// Of the widest no more fits into shared memory.
    void wideTilesMatchTheCpu()
    {
        const auto problem = roughProblem(2, {700, 650, 1}, true, true);
        for (std::size_t width : {64, 150, 300, 1000}) {
            const PoissonSettings settings{"mlssor",
                                           Precision::float64,
                                           {{"shape", valueOf({5, width})}, {"relaxation", 1.5}}};
            const auto device = gpu::makeCudaPoissonStepper(problem, settings, onGpu());
            const auto cpu = makePoissonStepper(problem, settings, test::onCpu());
            device->advance(10);
            cpu->advance(10);
            VERIFY_SAME(*device, *cpu, Precision::float64, std::to_string(width));
        }
    }

    /// Of all iterations the residual is asked for, as of hundreds one after the other; then
    /// something comes between them. The same bits as where nobody asks.
    void residualsOfEachIteration()
    {
        Random random(77);
        for (int dimension : {2, 3}) {
            for (auto precision : {Precision::float32, Precision::float64}) {
                const auto problem =
                    problemOf(random, dimension,
                              {130, 61, dimension == 3 ? std::size_t(17) : std::size_t(1)}, 1);
                const auto asked =
                    gpu::makeCudaPoissonStepper(problem, with("tuned", precision), onGpu());
                const auto alone =
                    gpu::makeCudaPoissonStepper(problem, with("tuned", precision), onGpu());
                for (int round = 0; round < 12; ++round) {
                    const auto single = round == 0 ? 600 : random.integer(1, 200);
                    for (std::int64_t i = 0; i < single; ++i) {
                        asked->advance(1);
                        (void)asked->report();
                    }
                    alone->advance(static_cast<std::uint64_t>(single));
                    if (round % 3 == 0)
                        QCOMPARE(valuesOf(*asked), valuesOf(*alone));
                    const auto together = static_cast<std::uint64_t>(random.integer(1, 70));
                    if (round % 3 == 1) {
                        asked->advance(together);
                        alone->advance(together);
                    }
                    if (round % 3 == 2) {
                        const auto name = asked->liveParameters().back().name;
                        asked->setLiveParameter(name, 0.1 * round);
                        alone->setLiveParameter(name, 0.1 * round);
                    }
                    const auto a = asked->report();
                    const auto b = alone->report();
                    QCOMPARE(a.iterations, b.iterations);
                    QCOMPARE(a.residual, b.residual);
                    QCOMPARE(a.bytes, b.bytes);
                    if (round % 3 != 2) // of the last iteration, however many were made at once
                        QCOMPARE(a.largestChange, b.largestChange);
                    QVERIFY(a.seconds > 0);
                }
                QCOMPARE(valuesOf(*asked), valuesOf(*alone));
            }
        }
    }

    void fullMemoryIsAnError()
    {
        PoissonProblem problem;
        problem.unknowns = {1000, 1000, 1};
        GpuDevice small;
        small.memory = std::make_shared<MemoryBudget>(1'000'000);
        bool isFull = false;
        try {
            (void)gpu::makeCudaPoissonStepper(problem, with("tuned", Precision::float32),
                                              test::onCpu().withGpus({small}));
        } catch (const gpu::DeviceError &error) {
            isFull = error.isOutOfMemory();
        }
        QVERIFY(isFull);
        QCOMPARE(small.memory->taken(),
                 std::size_t{0}); // what was there before has been given back
    }

    void whatIsTheCpusAloneIsRefused()
    {
        const PoissonProblem problem;
        GRIDHELM_EXPECT_ERROR(
            gpu::makeCudaPoissonStepper(problem, with("naive", Precision::float32), onGpu()));
        GRIDHELM_EXPECT_ERROR(gpu::makeCudaPoissonStepper(problem, {"sequential"}, onGpu()));
    }
};

GRIDHELM_TEST(CudaPoissonTest)
#include "tst_cuda_poisson.moc"
