// SPDX-License-Identifier: GPL-3.0-or-later
//
// Front propagation on several devices, logical ones of the CPU or of a GPU, and all GPUs that
// there are, or on several ranks: bit for bit what one computes.
#include "core/solvers/pmm/pmm_partition.h"
#include "tests/core/expect_error.h"
#include "tests/core/field_values.h"
#include "tests/core/sanitized.h"
#include "tests/solvers/pmm_cases.h"
#include "tests/solvers/tested_team.h"
#include "tests/support/test_program.h"

#ifdef GRIDHELM_TEST_CUDA
#include "gpu/pmm/cuda_pmm.h"
#else
#include "core/solvers/pmm/divided_pmm_stepper.h"
#endif
#ifdef GRIDHELM_TEST_RANKS
#include "tests/solvers/ranked_stepper.h"
#endif

#include <QTest>

using namespace gridhelm;
using namespace gridhelm::solvers;
using namespace gridhelm::test;

namespace {

std::unique_ptr<Stepper> makeOn(const ExecutionContext &context, const PmmProblem &problem,
                                Precision precision, const PmmSettings &settings = {})
{
    const auto make = [&](const ExecutionContext &here) {
#ifdef GRIDHELM_TEST_CUDA
        return gpu::makeCudaPmmStepper(problem, precision, settings, here);
#else
        return makePmmStepper(problem, precision, settings, here);
#endif
    };
#ifdef GRIDHELM_TEST_RANKS
    if (!context.team().empty())
        return std::make_unique<RankedStepper>(context, make);
#endif
    return make(context);
}

std::vector<ExecutionContext> teams()
{
    std::vector<ExecutionContext> result;
    for (const auto &threads : std::vector<std::vector<int>>{{1}, {1, 1}, {1, 2, 1}, {1, 1, 2, 1}})
        result.push_back(onTeam(threads));
#ifdef GRIDHELM_TEST_CUDA
    if (const auto &gpus = onOne().gpus(); gpus.size() > 1)
        result.push_back(onOne().withTeam({gpus.begin(), gpus.end()}));
#endif
    return result;
}

#ifdef GRIDHELM_TEST_CUDA
const std::vector<PmmPartition> partitions{PmmPartition::repartition};
#else
const std::vector<PmmPartition> partitions{PmmPartition::repartition, PmmPartition::pipelined};
#endif

/// Empty if both are the same to the last bit.
std::string difference(const Stepper &divided, const Stepper &one)
{
    const auto values = valuesOf(divided);
    const auto expected = valuesOf(one);
    for (std::size_t node = 0; node < expected.size(); ++node) {
        if (values[node] != expected[node])
            return "node " + std::to_string(node) + " has " + std::to_string(values[node])
                   + " instead of " + std::to_string(expected[node]);
    }
    if (divided.roundOff() != one.roundOff())
        return "another round-off";
    const auto a = divided.report();
    const auto b = one.report();
    if (a.iterations != b.iterations)
        return "other number of sweeps";
    if (!(a.largestChange == b.largestChange || std::isnan(b.largestChange)))
        return "largest change " + std::to_string(a.largestChange) + " instead of "
               + std::to_string(b.largestChange);
    if (a.flops != b.flops || a.bytes != b.bytes)
        return "other counts";
    return {};
}

std::string differenceFromOne(const PmmProblem &problem, Precision precision, int sweeps)
{
    const auto one = makeOn(onOne(), problem, precision);
    struct Divided
    {
        std::string what;
        std::unique_ptr<Stepper> stepper;
    };
    std::vector<Divided> all;
    for (const auto &team : teams()) {
        for (auto partition : partitions) {
            PmmSettings settings;
            settings.partition = partition;
            all.push_back(
                {std::to_string(team.team().size()) + " devices, " + std::string(nameOf(partition)),
                 makeOn(team, problem, precision, settings)});
        }
    }
    for (int sweep = 0; sweep <= sweeps; ++sweep) {
        for (const auto &divided : all) {
            const auto text = difference(*divided.stepper, *one);
            if (!text.empty())
                return text + " after " + std::to_string(sweep) + " sweeps on " + divided.what
                       + ", " + std::to_string(problem.nodes[0]) + " x "
                       + std::to_string(problem.nodes[1]) + " x " + std::to_string(problem.nodes[2])
                       + " nodes";
            divided.stepper->advance(1);
        }
        one->advance(1);
    }
    return {};
}

#define VERIFY_SAME(...)                                                                           \
    do {                                                                                           \
        const auto difference_ = differenceFromOne(__VA_ARGS__);                                   \
        QVERIFY2(difference_.empty(), difference_.c_str());                                        \
    } while (false)

} // namespace

class PmmDividedTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { GRIDHELM_SKIP_WITHOUT_BACKEND(); }
    void sameInRandomProblems_data();
    void sameInRandomProblems();
    void sameInFlatAndThinGrids();
    void sameBeyondTheCache();
    void sameFromAGuess();
    void sameAfterLiveParameters();
    void endsInTheSameSweep();
    void saysThatADeviceIsIdle();
    void stops();
    void whatCannotBeDividedIsAnError();
};

void PmmDividedTest::sameInRandomProblems_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 8; ++seed)
        QTest::addRow("seed %d", seed) << seed;
}

void PmmDividedTest::sameInRandomProblems()
{
    QFETCH(int, seed);
    Random random(40 + static_cast<unsigned>(seed));
    for (int repeat = 0; repeat < (isSanitized ? 1 : 3); ++repeat) {
        auto problem = randomProblem(random);
        VERIFY_SAME(problem, repeat % 2 == 0 ? Precision::float32 : Precision::float64, 2);
    }
}

/// Fewer planes or rows than devices, and devices with a part in one direction only.
void PmmDividedTest::sameInFlatAndThinGrids()
{
    using Size = std::array<std::size_t, 3>;
    for (const auto &nodes :
         {Size{1, 1, 1}, Size{9, 1, 1}, Size{1, 9, 1}, Size{1, 1, 9}, Size{7, 3, 2}, Size{7, 2, 3},
          Size{5, 1, 20}, Size{5, 20, 1}, Size{33, 17, 16}, Size{10, 9, 30}, Size{10, 30, 9}}) {
        auto problem = ballInCube(9, nodes[1] > nodes[2]);
        problem.nodes = nodes;
        if (problem.count() > mostComparedPoints)
            continue;
        problem.source = PointSources{{{problem.position(0, nodes[1] / 2, nodes[2] - 1), 0.1}}};
        VERIFY_SAME(problem, Precision::float64, 2);
    }
}

/// Where each device has several threads.
void PmmDividedTest::sameBeyondTheCache()
{
    constexpr std::size_t side = isSanitized ? 14 : 64;
    for (bool anisotropic : {false, true}) {
        auto problem = ballInCube(side, anisotropic);
        problem.nodes = {side + 1, side, side - 3};
        VERIFY_SAME(problem, Precision::float32, 2);
    }
}

void PmmDividedTest::sameFromAGuess()
{
    auto problem = ballInCube(isSanitized ? 9 : 21, true);
    const auto one = makeOn(onOne(), problem, Precision::float64);
    one->advance(1);
    auto guess = valuesOf(*one);
    for (double stretch : {1.2, 0.9999}) {
        problem.initialGuess.emplace(guess.begin(), guess.end());
        for (double &time : *problem.initialGuess)
            time *= stretch;
        VERIFY_SAME(problem, Precision::float64, 2);
    }
}

void PmmDividedTest::sameAfterLiveParameters()
{
    Random random(43);
    auto problem = ballInCube(isSanitized ? 7 : 19, true);
    std::vector<double> speed(problem.count());
    for (double &value : speed)
        value = random.real(1.5, 3);
    problem.speed = speed;
    for (const auto &team : teams()) {
        const auto divided = makeOn(team, problem, Precision::float64);
        const auto one = makeOn(onOne(), problem, Precision::float64);
        for (const char *name : {"F scale", "psi", "a x", "F scale", "psi"}) {
            const double value = random.real(1, 1.5) - (name[0] == 'F' ? 0 : 1);
            for (auto *stepper : {divided.get(), one.get()}) {
                stepper->setLiveParameter(name, value);
                stepper->advance(2);
            }
            const auto text = difference(*divided, *one);
            QVERIFY2(text.empty(), (text + " after " + name).c_str());
        }
    }
}

void PmmDividedTest::endsInTheSameSweep()
{
    const auto problem = ballWithKnownTimes(isSanitized ? 13 : 25, true);
    const auto one = makeOn(onOne(), problem, Precision::float64, {1e-10, {}});
    one->advance(50);
    QVERIFY(one->report().iterations < 50);
    for (const auto &team : teams()) {
        const auto divided = makeOn(team, problem, Precision::float64, {1e-10, {}});
        divided->advance(50);
        const auto text = difference(*divided, *one);
        QVERIFY2(text.empty(), text.c_str());
        QCOMPARE(divided->report().error, one->report().error);
        QCOMPARE(divided->method(), one->method());
    }
}

void PmmDividedTest::saysThatADeviceIsIdle()
{
    GRIDHELM_SKIP_ON_CUDA("its tiles have several planes");
    std::vector<std::string> sentences;
    const auto context = onTeam({1, 1, 1, 1}).withEvents([&](const ExecutionEvent &event) {
        sentences.push_back(event.sentence);
    });
    auto problem = ballInCube(9, false);
    problem.source = PointSources{{{problem.position(0, 0, 0), 0}}};
    problem.nodes = {5, 3, 4};
    makeOn(context, problem, Precision::float64, {{}, PmmPartition::pipelined});
    makeOn(context, problem, Precision::float64, {{}, PmmPartition::repartition});
    QVERIFY(sentences.empty());
    problem.nodes = {5, 3, 2};
    makeOn(context, problem, Precision::float64, {{}, PmmPartition::pipelined});
    makeOn(context, problem, Precision::float64, {{}, PmmPartition::repartition});
    const std::string who = sharers;
    QCOMPARE(sentences, (std::vector<std::string>{
                            "2 of 4 " + who + " compute: the grid has only 2 planes",
                            "3 of 4 " + who + " compute: the grid has only 3 rows and 2 planes"}));
}

void PmmDividedTest::stops()
{
    const auto stepper = makeOn(onTeam({1, 1}), ballInCube(21, false), Precision::float64);
    std::stop_source stop;
    stop.request_stop();
    stepper->advance(1000, stop.get_token());
    QCOMPARE(stepper->report().iterations, 0);
}

void PmmDividedTest::whatCannotBeDividedIsAnError()
{
    const auto problem = ballInCube(9, false);
    // Whichever back end is tested, one of these is not its own.
    const auto mixedTeam = test::onCpu().withTeam({CpuDevice{1}, GpuDevice{}});
    GRIDHELM_EXPECT_ERROR(makeOn(mixedTeam, problem, Precision::float64));
    auto huge = problem;
    huge.nodes = {100'000, 100'000, 100'000};
    GRIDHELM_EXPECT_ERROR(makeOn(onTeam({1, 1}), huge, Precision::float64));
    GRIDHELM_EXPECT_ERROR(parsePmmPartition("stripes", "--partition"));
    QVERIFY(!parsePmmPartition("auto", "--partition"));
    for (auto partition : {PmmPartition::repartition, PmmPartition::pipelined})
        QCOMPARE(parsePmmPartition(nameOf(partition), "--partition"), partition);
#ifdef GRIDHELM_TEST_CUDA
    GRIDHELM_EXPECT_ERROR(
        makeOn(onTeam({1, 1}), problem, Precision::float64, {{}, PmmPartition::pipelined}));
#endif
}

GRIDHELM_TEST(PmmDividedTest)
#include "tst_pmm_divided.moc"
