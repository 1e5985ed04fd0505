// SPDX-License-Identifier: GPL-3.0-or-later
//
// Jacobi on two kinds of devices, a GPU and the CPU; or on two CPUs that talk as if they were that,
// which gives bit for bit what one computes.
#include "core/solvers/jacobi/cpu_shares.h"
#include "core/solvers/jacobi/hybrid_split.h"
#include "core/solvers/jacobi/temporal_options.h"
#include "core/support/error.h"
#include "tests/core/expect_error.h"
#include "tests/solvers/divided_cases.h"
#include "tests/support/test_program.h"
#ifdef GRIDHELM_TEST_CUDA
#include "gpu/poisson/jacobi/hybrid_shares.h"
#endif

#include <QTest>

#include <chrono>
#include <thread>
#include <utility>

using namespace gridhelm;
using namespace gridhelm::solvers;
using namespace gridhelm::solvers::jacobi;
using namespace gridhelm::test;

namespace {

template <typename T>
HybridDevices<T> testedDevices(const PoissonProblem &problem, int depth)
{
#ifdef GRIDHELM_TEST_CUDA
    const gpu::HybridTeam team{{onOne().gpus().front()}, CpuDevice{2}};
    return gpu::hybridDevices<T>(problem, team, depth);
#else
    static_cast<void>(problem);
    HybridDevices<T> devices;
    devices.granule = static_cast<std::size_t>(depth);
    devices.depth = depth;
    devices.makeFast = [depth](const PoissonProblem &each, std::size_t layers,
                               const std::shared_ptr<Messages> &messages, int other) {
        const Slab slab{0, layers, wholeSlab(each).of};
        return makeCpuPart<T>(each, {slab, CpuDevice{1}}, depth, messages, other);
    };
    devices.makeSlow = [depth](const PoissonProblem &each, std::size_t layers,
                               const std::shared_ptr<Messages> &messages, int other) {
        const auto of = wholeSlab(each).of;
        return makeCpuPart<T>(each, {{of - layers, of, of}, CpuDevice{1}}, depth, messages, other);
    };
    return devices;
#endif
}

template <typename T>
IterationsMaker<T> divided(std::size_t layersOfSlow, int depth)
{
    return [=](const PoissonProblem &problem, const OptionValues &) {
        auto shares = makeHybrid(testedDevices<T>(problem, depth), problem, layersOfSlow);
        return std::make_unique<DividedIterations<T>>(std::move(shares));
    };
}

std::unique_ptr<Stepper> makeHybridStepper(const PoissonProblem &problem,
                                           const TestedSettings &settings, std::size_t layersOfSlow,
                                           int depth)
{
    return makePoissonStepper(problem, settings, ComputedOn::cpu(),
                              divided<float>(layersOfSlow, depth),
                              divided<double>(layersOfSlow, depth));
}

/// Of a GPU and a CPU a few units in the last place for each iteration.
std::string differenceInValues(const Stepper &hybrid, const Stepper &one, bool isFloat)
{
    const auto a = valuesOf(hybrid);
    const auto b = valuesOf(one);
    const double epsilon = isFloat ? 1.2e-7 : 2.2e-16;
    const auto iterations = static_cast<double>(one.report().iterations);
    double largest = 0;
    for (double value : b)
        largest = std::max(largest, std::abs(value));
    const double allowed = testsCuda ? 4 * epsilon * iterations * largest : 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!(std::abs(a[i] - b[i]) <= allowed))
            return "value " + std::to_string(i) + " differs by " + std::to_string(a[i] - b[i]);
    }
    const double residual = one.report().residual;
    const double allowedOfResidual = testsCuda ? (isFloat ? 1e-4 : 1e-9) : 1e-12;
    if (!(std::abs(hybrid.report().residual - residual) <= allowedOfResidual * (residual + 1)))
        return "residual " + std::to_string(hybrid.report().residual) + " instead of "
               + std::to_string(residual);
    const double change = one.report().largestChange;
    const double allowedOfChange = testsCuda ? 8 * epsilon * largest : 0;
    if (!(std::abs(hybrid.report().largestChange - change) <= allowedOfChange)
        && !(std::isnan(change) && std::isnan(hybrid.report().largestChange)))
        return "largest change " + std::to_string(hybrid.report().largestChange) + " instead of "
               + std::to_string(change);
    return {};
}

/// With the first layers on the one device in all numbers of `granule`, or some of them.
std::vector<std::size_t> layersOfSlow(std::size_t layers, std::size_t granule)
{
    std::vector<std::size_t> result;
    for (std::size_t granules : {std::size_t{1}, layers / granule / 2, (layers - 1) / granule}) {
        const auto fast = granules * granule;
        if (fast > 0 && fast < layers)
            result.push_back(layers - fast);
    }
    return result;
}

/// Empty if it is nowhere else than on one device.
std::string differenceFromOneDevice(const PoissonProblem &problem, TestedSettings settings,
                                    int wantedDepth, Random &random)
{
    const bool isFloat = settings.precision == Precision::float32;
    const auto [granule, depth] = isFloat ? [&] {
        const auto devices = testedDevices<float>(problem, wantedDepth);
        return std::pair(devices.granule, devices.depth);
    }() : [&] {
        const auto devices = testedDevices<double>(problem, wantedDepth);
        return std::pair(devices.granule, devices.depth);
    }();
    if (settings.method == "temporal")
        settings.set(depthOption, OptionValue(std::int64_t{depth}));
    for (auto slow : layersOfSlow(wholeSlab(problem).of, granule)) {
        const auto hybrid = makeHybridStepper(problem, settings, slow, wantedDepth);
        const auto one = makeOn(onOne(), problem, settings);
        const auto what =
            std::to_string(slow) + " layers on the second, " + describe(problem, settings);
        for (std::uint64_t iterations : {0, 1, 2, 17}) {
            hybrid->advance(iterations);
            one->advance(iterations);
            const auto text = differenceInValues(*hybrid, *one, isFloat);
            if (!text.empty())
                return text + " after " + std::to_string(iterations) + " more; " + what;
        }
        for (const auto &parameter : one->liveParameters()) {
            const double value =
                std::clamp(random.real(-2, 2), parameter.lowest, parameter.highest);
            for (auto *stepper : {hybrid.get(), one.get()}) {
                stepper->setLiveParameter(parameter.name, value);
                stepper->advance(5);
            }
        }
        const auto text = differenceInValues(*hybrid, *one, isFloat);
        if (!text.empty())
            return text + " after other parameters; " + what;
    }
    return {};
}

/// Others' shares, with something before so many iterations.
template <typename T>
class Disturbed final : public Shares<T>
{
public:
    Disturbed(std::unique_ptr<Shares<T>> shares, std::function<void(std::uint64_t)> disturb)
        : m_shares(std::move(shares))
        , m_disturb(std::move(disturb))
    {
    }
    std::uint64_t portion() const override { return m_shares->portion(); }
    double iterate(std::uint64_t iterations, bool compares) override
    {
        m_disturb(iterations);
        return m_shares->iterate(iterations, compares);
    }
    double scaledResidual() override { return m_shares->scaledResidual(); }
    void copyValues(std::span<T> values) override { m_shares->copyValues(values); }
    void setParameters(const PoissonProblem &problem) override { m_shares->setParameters(problem); }

private:
    std::unique_ptr<Shares<T>> m_shares;
    std::function<void(std::uint64_t)> m_disturb;
};

template <typename T>
void disturb(LayersMaker<T> &make, const std::function<void(std::uint64_t)> &what)
{
    make = [make, what](const PoissonProblem &problem, std::size_t layers,
                        const std::shared_ptr<Messages> &messages, int other) {
        return std::make_unique<Disturbed<T>>(make(problem, layers, messages, other), what);
    };
}

} // namespace

class JacobiHybridTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { GRIDHELM_SKIP_WITHOUT_BACKEND(); }
    void sameIn2D();
    void sameIn3D();
    void sameWithSeveralIterationsInAPass();
    void tellsHowTimeIsSpent();
    void failureOfOneIsThatOfBoth();
    void splitIsMeasured();
    void slowDeviceHasNoPart();
    void fastDeviceThatIsSlowToBeginKeepsAPart();
    void teamOfGpuAndCpu();
};

void JacobiHybridTest::sameIn2D()
{
    Random random(1);
    int kindOfSource = 0;
    for (std::size_t width : {1, 33, 130}) {
        for (std::size_t height : {2, 3, 40, 75, 150}) {
            for (const auto &kinds : {allDirichlet, mixed}) {
                const auto precision =
                    kindOfSource % 2 == 0 ? Precision::float32 : Precision::float64;
                const auto problem =
                    iterationProblem(random, 2, {width, height, 1}, kinds, kindOfSource++ % 3);
                VERIFY_NO_DIFFERENCE(
                    differenceFromOneDevice(problem, with("tuned", precision), 1, random));
            }
        }
    }
}

void JacobiHybridTest::sameIn3D()
{
    Random random(2);
    int kindOfSource = 0;
    for (std::size_t width : {1, 7, 34}) {
        for (std::size_t depth : {2, 9, 21}) {
            for (const auto &kinds : {allDirichlet, mixed}) {
                const auto precision =
                    kindOfSource % 2 == 0 ? Precision::float32 : Precision::float64;
                const auto problem =
                    iterationProblem(random, 3, {width, 5, depth}, kinds, kindOfSource++ % 3);
                VERIFY_NO_DIFFERENCE(
                    differenceFromOneDevice(problem, with("tuned", precision), 1, random));
            }
        }
    }
}

void JacobiHybridTest::sameWithSeveralIterationsInAPass()
{
    Random random(3);
    int kindOfSource = 0;
    for (std::size_t width : {1, 17, 130}) {
        for (std::size_t height : {7, 13, 75, 150}) {
            for (int depth : {2, 4, 7}) {
                for (const auto &kinds : {allDirichlet, mixed}) {
                    const auto precision =
                        kindOfSource % 2 == 0 ? Precision::float32 : Precision::float64;
                    const auto problem =
                        iterationProblem(random, 2, {width, height, 1}, kinds, kindOfSource++ % 3);
                    VERIFY_NO_DIFFERENCE(differenceFromOneDevice(
                        problem, with("temporal", precision), depth, random));
                }
            }
        }
    }
}

void JacobiHybridTest::tellsHowTimeIsSpent()
{
    Random random(4);
    const auto problem = iterationProblem(random, 2, {300, 400, 1}, allDirichlet, 0);
    const auto stepper = makeHybridStepper(problem, with("tuned"), 16, 1);
    QCOMPARE(mistakeInTimes(*stepper, 2), std::string());
}

/// The other one, which waits for its edges, ends, too; what is told is what happened.
void JacobiHybridTest::failureOfOneIsThatOfBoth()
{
    Random random(5);
    const auto problem = iterationProblem(random, 2, {30, 40, 1}, allDirichlet, 0);
    for (const bool isFastOne : {false, true}) {
        auto devices = testedDevices<double>(problem, 1);
        const auto fail = [](std::uint64_t) { throw Error("broken"); };
        disturb(isFastOne ? devices.makeFast : devices.makeSlow,
                std::function<void(std::uint64_t)>(fail));
        const auto shares = makeHybrid(devices, problem, 8);
        try {
            shares->iterate(10, true);
            QFAIL("it has not failed");
        } catch (const Error &error) {
            QCOMPARE(std::string(error.what()), std::string("broken"));
        }
    }
    auto devices = testedDevices<double>(problem, 1);
    devices.makeSlow = [](const PoissonProblem &, std::size_t, const std::shared_ptr<Messages> &,
                          int) -> std::unique_ptr<Shares<double>> { throw Error("cannot begin"); };
    GRIDHELM_EXPECT_ERROR(makeHybrid(devices, problem, 8));
}

void JacobiHybridTest::splitIsMeasured()
{
    Random random(6);
    const auto problem = iterationProblem(random, 2, {200, 300, 1}, mixed, 1);
    auto devices = testedDevices<float>(problem, 1);
    // As slow as this, both take as long for a row.
    const auto wait = [](std::size_t layers) {
        return [layers](std::uint64_t iterations) {
            std::this_thread::sleep_for(std::chrono::microseconds(20 * layers * iterations));
        };
    };
    for (auto *make : {&devices.makeFast, &devices.makeSlow}) {
        *make = [make = *make, wait](const PoissonProblem &each, std::size_t layers,
                                     const std::shared_ptr<Messages> &messages, int other) {
            return std::make_unique<Disturbed<float>>(make(each, layers, messages, other),
                                                      wait(layers));
        };
    }
    const auto split = measuredSplit(devices, problem);
    QVERIFY(split.secondsAlone > 0);
    QVERIFY2(split.layersOfSlow > 50 && split.layersOfSlow < 250,
             qPrintable(QString::number(split.layersOfSlow)));
    QVERIFY(split.secondsTogether < split.secondsAlone);
    QCOMPARE((300 - split.layersOfSlow) % devices.granule, 0);
}

void JacobiHybridTest::slowDeviceHasNoPart()
{
    Random random(7);
    const auto problem = iterationProblem(random, 2, {200, 300, 1}, mixed, 2);
    auto devices = testedDevices<double>(problem, 1);
    disturb(devices.makeSlow, std::function<void(std::uint64_t)>([](std::uint64_t iterations) {
                std::this_thread::sleep_for(std::chrono::milliseconds(5 * iterations));
            }));
    const auto split = measuredSplit(devices, problem);
    QCOMPARE(split.layersOfSlow, 0);
    QVERIFY(split.secondsAlone > 0);
}

/// The other one would make all of the grid before it has begun.
void JacobiHybridTest::fastDeviceThatIsSlowToBeginKeepsAPart()
{
    Random random(9);
    const auto problem = iterationProblem(random, 2, {64, 64, 1}, mixed, 1);
    auto devices = testedDevices<float>(problem, 1);
    disturb(devices.makeFast, std::function<void(std::uint64_t)>([](std::uint64_t iterations) {
                std::this_thread::sleep_for(std::chrono::milliseconds(iterations));
            }));
    const auto split = measuredSplit(devices, problem);
    QVERIFY(split.layersOfSlow + devices.granule <= 64);
}

void JacobiHybridTest::teamOfGpuAndCpu()
{
#ifndef GRIDHELM_TEST_CUDA
    QSKIP("there is no GPU in this test");
#else
    Random random(8);
    const auto problem = iterationProblem(random, 2, {700, 900, 1}, mixed, 1);
    const GpuDevice gpu = onOne().gpus().front();
    for (const auto *method : {"tuned", "temporal"}) {
        std::vector<DeviceShare> shares;
        const auto context =
            onOne().withTeam({CpuDevice{2}, gpu}).withShares([&](const auto &some) {
                shares = some;
            });
        const auto hybrid = makeOn(context, problem, with(method, Precision::float32));
        const auto one = makeOn(onOne(), problem, with(method, Precision::float32));
        hybrid->advance(40);
        one->advance(40);
        QCOMPARE(differenceInValues(*hybrid, *one, true), std::string());
        QCOMPARE(hybrid->computedOn().usesCpu(), shares.size() == 2);
        QCOMPARE(shares.back().end, std::size_t{900});
    }
    GRIDHELM_EXPECT_ERROR(
        makeOn(onOne().withTeam({CpuDevice{1}, gpu}), problem, with("red-black")));
    GRIDHELM_EXPECT_ERROR(
        makeOn(onOne().withTeam({CpuDevice{1}, CpuDevice{1}, gpu}), problem, with("tuned")));
#endif
}

GRIDHELM_TEST(JacobiHybridTest)
#include "tst_jacobi_hybrid.moc"
