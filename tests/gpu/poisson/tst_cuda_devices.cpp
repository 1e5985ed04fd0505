// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several GPUs: all that there are, and halos that travel through the host's memory.
#include "core/solvers/jacobi/async_options.h"
#include "core/solvers/jacobi/divided_iterations.h"
#include "core/solvers/poisson/poisson_stepper.h"
#include "core/solvers/sor/sor_iterations.h"
#include "core/solvers/sor/sor_options.h"
#include "gpu/device_info.h"
#include "gpu/poisson/cuda_poisson.h"
#include "gpu/poisson/jacobi/cuda_shares.h"
#include "gpu/poisson/sor/mlssor_team.h"
#include "gpu/poisson/sor/red_black_team.h"
#include "tests/core/expect_error.h"
#include "tests/solvers/divided_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cuda_runtime.h>

#include <chrono>

using namespace gridhelm;
using namespace gridhelm::solvers;
using namespace gridhelm::test;

namespace {

ExecutionContext onAllGpus()
{
    std::vector<Device> team;
    for (const auto &gpu : gpu::gpuDevices())
        team.emplace_back(gpu);
    return onOne().withTeam(team);
}

/// With halos that travel by this route.
std::unique_ptr<Stepper> makeOn(const ExecutionContext &context, const PoissonProblem &problem,
                                const PoissonSettings &settings, gpu::PeerRoute route)
{
    const auto on = [&]<typename T>(T) {
        return [&](const PoissonProblem &each,
                   const OptionValues &options) -> std::unique_ptr<PoissonIterations<T>> {
            if (settings.method == "mlssor")
                return std::make_unique<SorIterations<T>>(
                    each, options,
                    gpu::makeMlssorTeam<T>(each, shapeOf(options), directionOf(options), context,
                                           route));
            if (settings.method == "red-black")
                return std::make_unique<SorIterations<T>>(
                    each, options, gpu::makeRedBlackTeam<T>(each, context, route));
            if (settings.method == "async2")
                return std::make_unique<jacobi::DividedIterations<T>>(gpu::makeAsyncCudaShares<T>(
                    each, context,
                    {jacobi::AsyncVariant::async2, jacobi::asyncOptions(options).alpha,
                     gpu::jacobi::asyncTileRows(0)},
                    route));
            return std::make_unique<jacobi::DividedIterations<T>>(gpu::makeCudaShares<T>(
                each, context, settings.method == "temporal" ? 0 : 1, route));
        };
    };
    return makePoissonStepper(problem, settings, ComputedOn::gpu(0), on(float()), on(double()));
}

const std::vector<std::string> in2D{"tuned", "temporal", "async2", "red-black", "mlssor"};
const std::vector<std::string> in3D{"tuned", "red-black"};
const std::vector<std::uint64_t> advances{0, 1, 2, 50, 501};

} // namespace

class CudaDevicesTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { GRIDHELM_SKIP_WITHOUT_BACKEND(); }
    void sameOnAllGpus();
    void sameThroughTheHost();
    void returnsWhenAllIsDone();
    void saysWhereItComputed();
    void saysThatAGpuIsIdle();
};

void CudaDevicesTest::sameOnAllGpus()
{
    if (gpu::gpuDevices().size() < 2)
        QSKIP("there is one GPU only; its parts are tested by tst_jacobi_divided_cuda");
    Random random(1);
    int kindOfSource = 0;
    for (const auto &n : std::vector<std::array<std::size_t, 3>>{
             {40, 33, 1}, {1000, 1003, 1}, {3001, 2500, 1}, {30, 20, 19}, {150, 130, 100}}) {
        for (auto precision : {Precision::float32, Precision::float64}) {
            const auto problem =
                iterationProblem(random, n[2] > 1 ? 3 : 2, n, mixed, kindOfSource++ % 3);
            for (const auto &method : problem.dimension == 3 ? in3D : in2D) {
                const auto settings = with(method, precision);
                const auto one = test::makeOn(onOne(), problem, settings);
                const auto divided = test::makeOn(onAllGpus(), problem, settings);
                VERIFY_NO_DIFFERENCE(
                    difference(*divided, *one, test::describe(problem, settings), advances));
            }
        }
    }
}

void CudaDevicesTest::sameThroughTheHost()
{
    Random random(2);
    for (int dimension : {2, 3}) {
        const auto problem = iterationProblem(
            random, dimension, {200, dimension == 3 ? 90U : 290U, dimension == 3 ? 50U : 1U}, mixed,
            0);
        for (auto precision : {Precision::float32, Precision::float64}) {
            for (const auto &context : {onTeam({1, 1, 1}), onAllGpus()}) {
                for (const auto &method : dimension == 3 ? in3D : in2D) {
                    const auto settings = with(method, precision);
                    const auto one = test::makeOn(onOne(), problem, settings);
                    const auto divided =
                        makeOn(context, problem, settings, gpu::PeerRoute::throughHost);
                    VERIFY_NO_DIFFERENCE(
                        difference(*divided, *one, test::describe(problem, settings), advances));
                }
            }
        }
    }
}

/// Otherwise its time would be that of enqueuing.
void CudaDevicesTest::returnsWhenAllIsDone()
{
    Random random(5);
    const auto problem = iterationProblem(random, 2, {4096, 4096, 1}, allDirichlet, 1);
    for (const auto &method : in2D) {
        const auto stepper =
            test::makeOn(onTeam({1, 1}), problem, with(method, Precision::float32));
        stepper->advance(100);
        const auto begin = std::chrono::steady_clock::now();
        stepper->advance(400); // some milliseconds
        const auto end = std::chrono::steady_clock::now();
        QCOMPARE(cudaDeviceSynchronize(), cudaSuccess);
        const auto later = std::chrono::steady_clock::now();
        QVERIFY2(later - end < (end - begin) / 10, method.c_str());
    }
}

void CudaDevicesTest::saysWhereItComputed()
{
    Random random(3);
    const auto problem = iterationProblem(random, 2, {200, 900, 1}, mixed, 0);
    const auto stepper = gpu::makeCudaPoissonStepper(problem, with("tuned"), onAllGpus());
    std::vector<std::string> names;
    for (const auto &gpu : gpu::gpuDevices())
        names.push_back(nameOf(gpu));
    QCOMPARE(stepper->computedOn().names(), names);
}

void CudaDevicesTest::saysThatAGpuIsIdle()
{
    Random random(4);
    std::vector<std::string> sentences;
    const auto context = onTeam({1, 1, 1, 1}).withEvents([&](const ExecutionEvent &event) {
        sentences.push_back(event.sentence);
    });
    const auto problem = iterationProblem(random, 3, {20, 20, 20}, mixed, 0);
    gpu::makeCudaPoissonStepper(problem, with("tuned"), context);
    QCOMPARE(sentences, std::vector<std::string>{
                            "3 of 4 devices compute: the grid has only 20 planes, in tiles of 8"});
}

GRIDHELM_TEST(CudaDevicesTest)
#include "tst_cuda_devices.moc"
