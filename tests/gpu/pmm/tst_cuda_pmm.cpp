// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ways through the planes give the same times to the last bit, and those of the CPU to
// round-off.
#include "core/solvers/pmm/pmm_stepper.h"
#include "core/solvers/pmm/reference_pmm.h"
#include "gpu/device_info.h"
#include "gpu/pmm/cuda_pmm_stepper.h"
#include "tests/core/on_cpu.h"
#include "tests/core/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::solvers;
using gridhelm::test::Random;

namespace {

ExecutionContext onGpu()
{
    return test::onCpu().withGpus(gpu::gpuDevices());
}

using Size = std::array<std::size_t, 3>;

/// Tiles are 32 nodes wide and 1, 2, 4 or 8 rows high, bricks 8 nodes in each direction.
const std::vector<Size> sizes{{1, 1, 1},    {2, 1, 1},    {1, 3, 1},    {1, 1, 2},
                              {3, 2, 1},    {3, 3, 3},    {17, 17, 17}, {33, 33, 33},
                              {8, 9, 7},    {32, 16, 8},  {65, 20, 31}, {20, 65, 31},
                              {31, 20, 65}, {130, 3, 70}, {1, 200, 5},  {97, 101, 2}};

PmmProblem problemOf(const Size &nodes, bool anisotropic, bool varies, int sources, Random &random)
{
    PmmProblem problem;
    problem.nodes = nodes;
    problem.spacing = 0.1;
    problem.speed = 1.25;
    if (varies) {
        std::vector<double> speed(problem.count());
        for (double &value : speed)
            value = random.real(1, 3);
        problem.speed = speed;
    }
    if (anisotropic) {
        problem.direction = {-0.3, 0.5, 0.4};
        problem.advection = 1.1;
        if (varies) {
            std::vector<double> advection(problem.count());
            for (double &value : advection)
                value = random.real(-1, 1);
            problem.advection = advection;
        }
    }
    NodeSources source;
    for (int i = 0; i < sources; ++i)
        source.nodes.push_back(
            {{random.index(nodes[0]), random.index(nodes[1]), random.index(nodes[2])},
             random.real(-0.5, 0.5)});
    problem.source = source;
    return problem;
}

template <typename T>
std::vector<T> timesOf(const Stepper &stepper)
{
    const auto values = std::get<std::span<const T>>(stepper.field().values);
    return {values.begin(), values.end()};
}

template <typename T>
std::string differenceFromCpu(const std::vector<T> &times, const std::vector<T> &expected)
{
    const double tolerance = sizeof(T) == 8 ? 2e-13 : 1e-4;
    double scale = 1;
    for (T time : expected) {
        if (std::isfinite(time))
            scale = std::max(scale, std::abs(static_cast<double>(time)));
    }
    for (std::size_t node = 0; node < times.size(); ++node) {
        const bool same = times[node] == expected[node]; // infinite
        const double difference = static_cast<double>(times[node] - expected[node]);
        if (!same && !(std::abs(difference) <= tolerance * scale))
            return "node " + std::to_string(node) + " differs by " + std::to_string(difference);
    }
    return {};
}

/// Empty if everything agrees after each sweep.
template <typename T>
std::string differenceOf(const PmmProblem &problem, int sweeps)
{
    PmmStepper<T> cpu(problem, {}, test::onCpu());
    const gpu::CudaPmmChoices fast{}, perPlane{true, true, true}, strided{false, false, true},
        everyTile{false, true, false}, slow{true, false, false};
    gpu::CudaPmmStepper<T> stepper(problem, {}, onGpu(), fast);
    std::vector<gpu::CudaPmmStepper<T>> others;
    for (const auto &choices : {perPlane, strided, everyTile, slow})
        others.emplace_back(problem, PmmSettings{}, onGpu(), choices);
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        const auto at = "sweep " + std::to_string(sweep) + ": ";
        cpu.advance(1);
        stepper.advance(1);
        const auto times = timesOf<T>(stepper);
        const auto difference = differenceFromCpu(times, timesOf<T>(cpu));
        if (!difference.empty())
            return at + difference;
        const double change = stepper.report().largestChange;
        for (std::size_t i = 0; i < others.size(); ++i) {
            others[i].advance(1);
            const auto otherTimes = timesOf<T>(others[i]);
            if (std::memcmp(otherTimes.data(), times.data(), times.size() * sizeof(T)) != 0)
                return at + "choice " + std::to_string(i) + " has other times";
            if (others[i].report().largestChange != change)
                return at + "choice " + std::to_string(i) + " has another largest change";
        }
    }
    return {};
}

} // namespace

class CudaPmmTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void everyWayGivesTheSameTimes_data();
    void everyWayGivesTheSameTimes();
    void everyWayGivesTheSameTimesInSmallBoxes();
    void planesLargerThanTheDeviceAreMarchedInTurns();
    void largeSourcesArriveWhole();
    void countsAreThoseOfTheCpu();
    void sweepsWithoutChangeKeepTheTimes();
    void oneThatFailsEndsTheOthers_data();
    void oneThatFailsEndsTheOthers();
};

void CudaPmmTest::initTestCase()
{
    const auto list = gpu::listDevices();
    if (list.devices.empty())
        QSKIP(list.reason.c_str());
}

void CudaPmmTest::everyWayGivesTheSameTimes_data()
{
    QTest::addColumn<bool>("anisotropic");
    QTest::addColumn<bool>("varies");
    QTest::newRow("isotropic, constant") << false << false;
    QTest::newRow("isotropic, varying") << false << true;
    QTest::newRow("anisotropic, constant") << true << false;
    QTest::newRow("anisotropic, varying") << true << true;
}

void CudaPmmTest::everyWayGivesTheSameTimes()
{
    QFETCH(bool, anisotropic);
    QFETCH(bool, varies);
    Random random(21);
    for (const auto &nodes : sizes) {
        for (int sources : {1, 5}) {
            const auto problem = problemOf(nodes, anisotropic, varies, sources, random);
            for (const auto &difference :
                 {differenceOf<float>(problem, 4), differenceOf<double>(problem, 4)})
                QVERIFY2(difference.empty(),
                         (std::to_string(nodes[0]) + " x " + std::to_string(nodes[1]) + " x "
                          + std::to_string(nodes[2]) + ", " + difference)
                             .c_str());
        }
    }
}

/// For tools that make a kernel a thousand times slower.
void CudaPmmTest::everyWayGivesTheSameTimesInSmallBoxes()
{
    Random random(26);
    for (const Size &nodes : {Size{3, 2, 1}, Size{8, 9, 7}, Size{34, 10, 9}}) {
        for (bool anisotropic : {false, true}) {
            const auto problem = problemOf(nodes, anisotropic, anisotropic, 2, random);
            for (const auto &difference :
                 {differenceOf<float>(problem, 2), differenceOf<double>(problem, 2)})
                QVERIFY2(difference.empty(), difference.c_str());
        }
    }
}

void CudaPmmTest::planesLargerThanTheDeviceAreMarchedInTurns()
{
    Random random(22); // in tiles of 32 x 8 nodes: some 4,000 warps
    const auto problem = problemOf({900, 1100, 4}, true, false, 3, random);
    const auto difference = differenceOf<double>(problem, 2);
    QVERIFY2(difference.empty(), difference.c_str());
}

void CudaPmmTest::largeSourcesArriveWhole()
{
    Random random(25);
    auto problem = problemOf({150, 151, 152}, false, false, 1, random);
    problem.source = BallSource{problem.position(75, 75, 75), 60 * problem.spacing};
    gpu::CudaPmmStepper<double> stepper(problem, {}, onGpu());
    QCOMPARE(timesOf<double>(stepper), initialTimes<double>(problem));
    for (double scale : {2.0, 1.0, 3.0, 1.5}) { // other times on what the last ones left in memory
        stepper.setLiveParameter("F scale", scale);
        problem.speedScale = scale;
        QVERIFY(timesOf<double>(stepper) == initialTimes<double>(problem));
    }
}

void CudaPmmTest::countsAreThoseOfTheCpu()
{
    Random random(23);
    for (bool varies : {false, true}) {
        const auto problem = problemOf({19, 23, 40}, true, varies, 2, random);
        PmmStepper<double> cpu(problem, {1e-10}, test::onCpu());
        gpu::CudaPmmStepper<double> stepper(problem, {1e-10}, onGpu());
        cpu.advance(50);
        stepper.advance(50);
        const auto expected = cpu.report(), report = stepper.report();
        QVERIFY(report.iterations < 50);
        QCOMPARE(report.iterations, expected.iterations);
        QCOMPARE(report.flops, expected.flops);
        QCOMPARE(report.bytes, expected.bytes);
        QVERIFY(report.seconds > 0);
        QCOMPARE(stepper.method(), cpu.method());
    }
}

void CudaPmmTest::sweepsWithoutChangeKeepTheTimes()
{
    Random random(24);
    const auto problem = problemOf({40, 41, 42}, true, true, 2, random);
    gpu::CudaPmmStepper<double> stepper(problem, {0.0}, onGpu());
    stepper.advance(100);
    QCOMPARE(stepper.report().largestChange, 0.0);
    const auto times = timesOf<double>(stepper);
    const auto sweeps = stepper.report().iterations;
    QVERIFY(sweeps < 100);
    stepper.advance(1);
    QCOMPARE(stepper.report().iterations, sweeps + 1);
    QCOMPARE(stepper.report().largestChange, 0.0);
    QCOMPARE(timesOf<double>(stepper), times);
}

void CudaPmmTest::oneThatFailsEndsTheOthers_data()
{
    QTest::addColumn<std::size_t>("failing");
    QTest::addColumn<int>("subSweep");
    for (std::size_t failing : {0U, 1U, 2U}) {
        for (int subSweep : {6, 8, 11, 15})
            QTest::addRow("%zu in %d", failing, subSweep) << failing << subSweep;
    }
}

/// Its neighbours wait for it, in each kind of sub-sweep, and would for ever.
void CudaPmmTest::oneThatFailsEndsTheOthers()
{
    QFETCH(const std::size_t, failing);
    QFETCH(const int, subSweep);
    Random random(25);
    const auto problem = problemOf({50, 51, 52}, false, false, 2, random);
    const auto parts = split(gpu::gpuDevices().front(), 3);
    const auto onParts = onGpu().withTeam({parts.begin(), parts.end()});
    bool fails = true;
    gpu::CudaPmmChoices choices;
    choices.beforeSubSweep = [&](std::size_t share, int number) {
        if (fails && share == failing && number == subSweep)
            throw Error("the test's GPU fails; choose another one");
    };
    gpu::CudaPmmStepper<double> stepper(problem, {}, onParts, choices);
    gpu::CudaPmmStepper<double> one(problem, {}, onGpu());
    const auto said = [&] {
        try {
            stepper.advance(3);
        } catch (const Error &error) {
            return std::string(error.what());
        }
        return std::string();
    };
    QCOMPARE(said(), std::string("the test's GPU fails; choose another one"));
    fails = false;
    QVERIFY(!said().empty()); // not from times that are of no use

    const auto parameter = stepper.liveParameters().front();
    const double value = (parameter.lowest + std::min(parameter.highest, 3.0)) / 2;
    for (Stepper *each : {static_cast<Stepper *>(&stepper), static_cast<Stepper *>(&one)}) {
        each->setLiveParameter(parameter.name, value);
        each->advance(3);
    }
    QCOMPARE(timesOf<double>(stepper), timesOf<double>(one));
}

GRIDHELM_TEST(CudaPmmTest)
#include "tst_cuda_pmm.moc"
