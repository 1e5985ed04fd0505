// SPDX-License-Identifier: GPL-3.0-or-later
//
// Generated code on a GPU, beside the literal loop.
#include "core/stencil/stencil_stepper.h"
#include "data/stencil/compile_cubin.h"
#include "data/stencil/stencil_solver.h"
#include "gpu/device_info.h"
#include "gpu/stencil/cuda_stencil.h"
#include "tests/core/expect_error.h"
#include "tests/data/stencil_cases.h"
#include "tests/data/stencil_values.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace gridhelm;
using namespace gridhelm::stencil;
using test::largestDifference;
using test::largestOf;
using test::toleranceOf;
using test::valuesIn;

class TestStencilCuda : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void codeIsTheLiteralLoop_data();
    void codeIsTheLiteralLoop();
    void allSidesAreTheLiteralLoops_data();
    void allSidesAreTheLiteralLoops();
    void formulasAreTheLiteralLoops();
    void figuresAreTheLiteralLoops();
    void codeFromTheCacheGivesTheSame();
    void severalIterationsAPassAreTheSame_data();
    void severalIterationsAPassAreTheSame();
    void sharedGridsHaveTheValuesOfOneGpu_data();
    void sharedGridsHaveTheValuesOfOneGpu();
    void gpuAndCpuShareAGrid();
    void gridsTooLongAreRefused();
    void whatIsNoCodeIsRefused();
    void memoryBudgetIsKept();

private:
    std::unique_ptr<solvers::Stepper> generated(const Stencil &stencil);
    std::unique_ptr<solvers::Stepper> generated(const Stencil &stencil,
                                                const ExecutionContext &context);
    void compare(const Stencil &stencil, std::uint64_t iterations, const std::string &what);
    std::unique_ptr<solvers::Stepper> shared(const Stencil &stencil,
                                             const std::vector<Device> &team);

    QTemporaryDir m_folder;
    ExecutionContext m_context;
};

void TestStencilCuda::initTestCase()
{
    const auto list = gpu::listDevices();
    if (list.devices.empty())
        QSKIP(list.reason.c_str());
    m_context = ExecutionContext(CpuDevice{2}).withGpus(gpu::gpuDevices());
    try {
        gpu::stencilGpu().compilerFor(m_context);
    } catch (const BackendError &error) {
        QSKIP(error.what());
    }
}

std::unique_ptr<solvers::Stepper> TestStencilCuda::generated(const Stencil &stencil)
{
    return generated(stencil, m_context);
}

std::unique_ptr<solvers::Stepper> TestStencilCuda::generated(const Stencil &stencil,
                                                             const ExecutionContext &context)
{
    const auto &gpu = gpu::stencilGpu();
    const auto code = data::compileCubin(stencil, gpu.compilerFor(context),
                                         m_folder.path().toStdString() + "/cache/gridhelm");
    return gpu.makeStepper(stencil, code.bytes, context);
}

void TestStencilCuda::compare(const Stencil &stencil, std::uint64_t iterations,
                              const std::string &what)
{
    const auto literal = makeStencilStepper(stencil, {}, CpuDevice{1});
    const auto code = generated(stencil);
    const auto start = valuesIn(*literal);
    QCOMPARE(valuesIn(*code), start);
    literal->advance(iterations);
    code->advance(iterations / 2);
    QVERIFY(std::isfinite(code->report().residual)); // asking for it changes nothing
    code->advance(iterations - iterations / 2);
    const auto expected = valuesIn(*literal);
    const double largest =
        std::max({1.0, largestOf(start), 4 * largestOf(expected), stencil.source.factor});
    const double difference = largestDifference(valuesIn(*code), expected);
    QVERIFY2(largestOf(expected) > 1e-8, what.c_str()); // there is something to compare
    QVERIFY2(difference <= toleranceOf(stencil, iterations, largest),
             (what + ": " + std::to_string(difference)).c_str());
    QVERIFY(code->computedOn() == ComputedOn::gpu(0));
}

void TestStencilCuda::codeIsTheLiteralLoop_data()
{
    test::addExampleRows();
}

void TestStencilCuda::codeIsTheLiteralLoop()
{
    QFETCH(const QString, file);
    QFETCH(const bool, isFloat);
    auto stencil = test::smallExample(file.toStdString());
    stencil.precision = isFloat ? solvers::Precision::float32 : solvers::Precision::float64;
    compare(stencil, 11, file.toStdString());
    stencil.points[0] = 128; // lanes, and images that are lanes
    if (stencil.source.spike)
        (*stencil.source.spike)[0] = 127;
    compare(stencil, 6, file.toStdString() + ", whole lanes");
}

void TestStencilCuda::allSidesAreTheLiteralLoops_data()
{
    QTest::addColumn<int>("dimension");
    QTest::addColumn<int>("radius");
    QTest::addColumn<bool>("isFloat");
    QTest::addColumn<int>("first"); // of three combinations of sides: all nine for each dimension
    for (const int dimension : {2, 3}) {
        int first = 0;
        for (const int radius : {1, 2, 4}) {
            for (const bool isFloat : {true, false})
                QTest::addRow("%dD, radius %d, %s", dimension, radius, isFloat ? "float" : "double")
                    << dimension << radius << isFloat << first++ % 3;
        }
    }
}

/// Grids barely larger than the stencil, and such of many blocks.
void TestStencilCuda::allSidesAreTheLiteralLoops()
{
    QFETCH(const int, dimension);
    QFETCH(const int, radius);
    QFETCH(const bool, isFloat);
    QFETCH(const int, first);
    for (int combination = first; combination < 9; combination += 3) {
        auto stencil = test::lopsidedStencil(dimension, radius);
        stencil.precision = isFloat ? solvers::Precision::float32 : solvers::Precision::float64;
        test::setSides(stencil, combination);
        compare(stencil, 7, "combination " + std::to_string(combination));
        stencil.points = {260, 37, dimension == 3 ? std::size_t{35} : std::size_t{1}};
        compare(stencil, 4, "larger, combination " + std::to_string(combination));
    }
}

void TestStencilCuda::formulasAreTheLiteralLoops()
{
    for (const char *precision : {"float", "double"}) {
        const auto stencil =
            data::parseStencil(
                std::string("points = [45, 31]\nstart = \"sin(7*x)*y + 1\"\nprecision = \"")
                    + precision
                    + "\"\nneighbours = [[0, 0, \"0.2*k/(1 + m) + 0.1*m\"], "
                      "[1, 0, \"0.1*k - -0.05\"], [-1, 1, \"0.1*(k - m)*m\"], "
                      "[0, -2, \"0.1 - 0.02/(2 + m)\"]]\n"
                      "[coefficients]\nk = \"sin(4*x) - 0.5\"\nm = \"x*y\"\n"
                      "[source]\nfactor = 0.5\nf = \"x*(1-y)\"\n",
                "s.toml", ".")
                .stencil;
        const auto literal = makeStencilStepper(stencil, {}, CpuDevice{1});
        const auto code = generated(stencil);
        literal->advance(9);
        code->advance(9);
        const double tolerance = stencil.precision == solvers::Precision::float32 ? 2e-6 : 4e-15;
        const double difference = largestDifference(valuesIn(*code), valuesIn(*literal));
        QVERIFY2(difference <= tolerance * largestOf(valuesIn(*literal)),
                 std::to_string(difference).c_str());
    }
}

void TestStencilCuda::figuresAreTheLiteralLoops()
{
    const auto stencil =
        test::smallExample(test::stencilExamples().front().parent_path() / "5-point.toml");
    const auto literal = makeStencilStepper(stencil, {}, CpuDevice{1});
    const auto code = generated(stencil);
    const auto isNear = [](double a, double b) { return std::abs(a - b) < 1e-12; };
    for (const std::uint64_t iterations : {1, 2, 5, 6}) {
        literal->advance(iterations);
        code->advance(iterations);
        const auto expected = literal->report(), report = code->report();
        QVERIFY(expected.largestChange > 1e-6);
        QVERIFY(isNear(report.largestChange, expected.largestChange));
        QVERIFY(isNear(report.residual, expected.residual));
        QCOMPARE(report.iterations, expected.iterations);
    }
    const auto before = valuesIn(*literal);
    for (auto *stepper : {code.get(), literal.get()}) {
        stepper->setLiveParameter("source factor", -0.5);
        stepper->advance(5);
    }
    QVERIFY(largestDifference(valuesIn(*literal), before) > 1e-3);
    QVERIFY(largestDifference(valuesIn(*code), valuesIn(*literal)) < 1e-13);
    std::stop_source stop;
    stop.request_stop();
    const auto values = valuesIn(*code);
    code->advance(5, stop.get_token());
    QCOMPARE(valuesIn(*code), values);
}

void TestStencilCuda::codeFromTheCacheGivesTheSame()
{
    const auto stencil = test::lopsidedStencil(3, 2);
    const auto first = generated(stencil), second = generated(stencil);
    first->advance(6);
    second->advance(6);
    QCOMPARE(valuesIn(*second), valuesIn(*first));
}

void TestStencilCuda::severalIterationsAPassAreTheSame_data()
{
    QTest::addColumn<int>("levels");
    QTest::addColumn<bool>("isFloat");
    for (const int levels : {2, 3, 4, 8}) {
        for (const bool isFloat : {true, false})
            QTest::addRow("%d, %s", levels, isFloat ? "float" : "double") << levels << isFloat;
    }
}

/// As the literal loop, and bit for bit as one iteration a pass.
void TestStencilCuda::severalIterationsAPassAreTheSame()
{
    QFETCH(const int, levels);
    QFETCH(const bool, isFloat);
    for (int combination = 0; combination < 9; ++combination) {
        auto stencil = test::lopsidedBox();
        stencil.precision = isFloat ? solvers::Precision::float32 : solvers::Precision::float64;
        test::setSides(stencil, combination);
        if (combination % 2 == 0)
            stencil.source = {0.25, parseExpression("cos(7*x) - y", {{"x", "y"}, true}), {}};
        const auto iterations = static_cast<std::uint64_t>(3 * levels + 2);
        for (const auto &points : {std::array<std::size_t, 3>{9, 5, 1}, {261, 153, 1}}) {
            stencil.points = points;
            if (stencil.source.spike)
                stencil.source.spike = std::array<std::size_t, 3>{points[0] - 1, points[1] / 2, 0};
            stencil.target.iterationsPerPass = levels;
            const auto what = "combination " + std::to_string(combination);
            compare(stencil, iterations, what);
            const auto passes = generated(stencil);
            stencil.target.iterationsPerPass = 1;
            const auto one = generated(stencil);
            passes->advance(iterations);
            one->advance(iterations);
            QVERIFY2(valuesIn(*passes) == valuesIn(*one), what.c_str());
        }
    }
}

std::unique_ptr<solvers::Stepper> TestStencilCuda::shared(const Stencil &stencil,
                                                          const std::vector<Device> &team)
{
    data::StencilMeans means;
    means.gpu = &gpu::stencilGpu();
    means.cache = m_folder.path().toStdString() + "/cache/gridhelm";
    const auto prepared = prepareStencil(stencil, means, m_context.withTeam(team));
    auto stepper = prepared.makeStepper();
    if (!prepared.shares || prepared.shares->size() != team.size())
        throw Error("not all devices have a share");
    return stepper;
}

void TestStencilCuda::sharedGridsHaveTheValuesOfOneGpu_data()
{
    QTest::addColumn<int>("dimension");
    QTest::addColumn<int>("radius");
    QTest::addColumn<int>("levels");
    QTest::newRow("2D") << 2 << 1 << 1;
    QTest::newRow("2D, four a pass") << 2 << 1 << 4;
    QTest::newRow("2D, radius 2") << 2 << 2 << 1;
    QTest::newRow("3D") << 3 << 1 << 1;
}

/// Parts of one GPU, and all GPUs if there are several.
void TestStencilCuda::sharedGridsHaveTheValuesOfOneGpu()
{
    QFETCH(const int, dimension);
    QFETCH(const int, radius);
    QFETCH(const int, levels);
    const auto gpus = m_context.gpus();
    for (const int combination : {0, 4, 8, 2}) {
        auto stencil = levels > 1 ? test::lopsidedBox() : test::lopsidedStencil(dimension, radius);
        stencil.target.iterationsPerPass = levels;
        test::setSides(stencil, combination);
        stencil.points = {70, dimension == 3 ? std::size_t{13} : std::size_t{320},
                          dimension == 3 ? std::size_t{120} : std::size_t{1}};
        const auto one = generated(stencil);
        one->advance(29);
        for (const int parts : {2, 3}) {
            const auto logical = split(gpus.front(), parts);
            const auto several = shared(stencil, {logical.begin(), logical.end()});
            several->advance(13);
            QVERIFY(std::isfinite(several->report().residual));
            several->advance(16);
            QVERIFY2(valuesIn(*several) == valuesIn(*one), std::to_string(combination).c_str());
        }
        if (gpus.size() > 1) {
            const auto several = shared(stencil, {gpus.begin(), gpus.end()});
            several->advance(29);
            QVERIFY2(valuesIn(*several) == valuesIn(*one), std::to_string(combination).c_str());
        }
    }
}

/// Within rounding: a CPU does not multiply and add at once.
void TestStencilCuda::gpuAndCpuShareAGrid()
{
    for (const int dimension : {2, 3}) {
        for (const int combination : {0, 4, 8}) {
            auto stencil = test::lopsidedStencil(dimension, 1);
            test::setSides(stencil, combination);
            stencil.target.partition = 0.6;
            stencil.points = {70, dimension == 3 ? std::size_t{13} : std::size_t{160},
                              dimension == 3 ? std::size_t{40} : std::size_t{1}};
            const auto literal = makeStencilStepper(stencil, {}, CpuDevice{1});
            const double before = largestOf(valuesIn(*literal));
            const auto both = shared(stencil, {m_context.gpus().front(), CpuDevice{2}});
            literal->advance(21);
            both->advance(21);
            const double largest = std::max({1.0, before, 4 * largestOf(valuesIn(*literal))});
            QVERIFY(largestDifference(valuesIn(*both), valuesIn(*literal))
                    <= toleranceOf(stencil, 21, largest));
            QCOMPARE(both->computedOn().names().size(), std::size_t{2});
        }
    }
}

void TestStencilCuda::gridsTooLongAreRefused()
{
    auto stencil = test::lopsidedStencil(3, 1);
    stencil.points = {8, 8, 600000};
    GRIDHELM_EXPECT_ERROR(generated(stencil));
}

void TestStencilCuda::whatIsNoCodeIsRefused()
{
    const auto stencil = test::lopsidedStencil(2, 1);
    const auto &gpu = gpu::stencilGpu();
    GRIDHELM_EXPECT_ERROR(gpu.makeStepper(stencil, "no code at all", m_context));
    compare(stencil, 5, "afterwards"); // the device is as it was
}

void TestStencilCuda::memoryBudgetIsKept()
{
    auto stencil = test::lopsidedStencil(2, 1);
    stencil.points = {2000, 2000, 1};
    auto gpu = m_context.gpus().front();
    gpu.memory = std::make_shared<MemoryBudget>(std::size_t{16} << 20);
    GRIDHELM_EXPECT_ERROR(generated(stencil, m_context.withGpus({gpu})));
}

GRIDHELM_TEST(TestStencilCuda)
#include "tst_stencil_cuda.moc"
