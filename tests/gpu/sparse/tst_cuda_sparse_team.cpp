// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several GPUs, or parts of one, evaluate as one does, bit for bit; GPU and CPU to round-off.
#include "core/sparse/team/divided_transform.h"
#include "core/sparse/team/team_backend.h"
#include "gpu/device_info.h"
#include "gpu/sparse/cuda_backend.h"

#include "tests/core/backends.h"
#include "tests/core/evaluation_checks.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

std::vector<TeamMember> membersOn(const std::vector<GpuDevice> &gpus)
{
    std::vector<TeamMember> members;
    for (const auto &gpu : gpus)
        members.push_back({gpu::makeCudaBackend(onCpu(2).withGpus({gpu})), 1});
    return members;
}

/// What is written at the points, with the indicator and without; values and gradients.
std::vector<std::vector<float>> everythingAt(const Backend &backend, const GridPointer &grid,
                                             const std::vector<float> &coefficients,
                                             const std::vector<float> &points)
{
    const auto evaluator = backend.load(grid, coefficients);
    const auto view = viewOf(points, *grid);
    std::vector<std::vector<float>> all(5, std::vector<float>(view.count()));
    all.emplace_back(points.size());
    evaluator->interpolate(view, {all[0], all[1]});
    evaluator->interpolateShared(view, {all[2], all[3]});
    evaluator->gradient(view, all[4], all[5]);
    return all;
}

/// Parts of the first GPU; or the first two, if there are two.
std::vector<GpuDevice> gpusNamed(const QString &name)
{
    const auto gpus = gpu::gpuDevices();
    if (name == "gpu:0/2")
        return split(gpus.front(), 2);
    if (name == "gpu:0/3")
        return split(gpus.front(), 3);
    return {gpus.begin(), gpus.begin() + std::min<std::ptrdiff_t>(2, std::ssize(gpus))};
}

} // namespace

class CudaSparseTeamTest : public QObject
{
    Q_OBJECT

private slots:
    void pointsAsOneGpu_data() { addTeamRows(); }
    void pointsAsOneGpu();
    void picturesAsOneGpu_data() { addTeamRows(); }
    void picturesAsOneGpu();
    void columnsAsOneGpu_data() { addTeamRows(); }
    void columnsAsOneGpu();
    void hierarchizationAsOneGpu_data() { addTeamRows(); }
    void hierarchizationAsOneGpu();
    void whatGpusHaveNoRoomForIsTheCpus();
    void gpuAndCpuAgreeToRoundOff();

private:
    static void addTeamRows()
    {
        QTest::addColumn<QString>("team");
        for (const char *team : {"gpu:0/2", "gpu:0/3", "gpu:0,1"})
            QTest::newRow(team) << team;
    }
    /// Empty where the test is to be skipped.
    static QString reasonToSkipTeam(const QString &team)
    {
        if (const auto reason = reasonToSkip("cuda"); !reason.isEmpty())
            return reason;
        return team == "gpu:0,1" && gpu::gpuDevices().size() < 2 ? "there is one GPU" : "";
    }
};

void CudaSparseTeamTest::pointsAsOneGpu()
{
    QFETCH(QString, team);
    if (const auto reason = reasonToSkipTeam(team); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    const auto one = gpu::makeCudaBackend(onCpu(2).withGpus(gpu::gpuDevices()));
    const auto all = makeTeamBackend(membersOn(gpusNamed(team)), onCpu(2));
    Random random(1);
    for (const auto &shape : {GridShape(6, 7, BoundaryTreatment::zero), // by the fast path
                              GridShape(3, 6, BoundaryTreatment::boundary)}) {
        const auto grid = makeGrid(shape);
        const auto coefficients = randomValues<float>(random, grid->points());
        // For one of them; for two; for all, in portions of uneven size.
        for (std::size_t count : {1000U, 70'001U, 131'073U, 300'007U, 2'500'001U}) {
            auto points = randomPoints<float>(random, *grid, count);
            const auto d = static_cast<std::size_t>(grid->dimension());
            for (std::size_t j = 1; j < count; ++j)
                points[j * d] = points[0];
            QVERIFY2(everythingAt(*all, grid, coefficients, points)
                         == everythingAt(*one, grid, coefficients, points),
                     (describe(*grid) + ", " + std::to_string(count) + " points").c_str());
        }
    }
}

void CudaSparseTeamTest::picturesAsOneGpu()
{
    QFETCH(QString, team);
    if (const auto reason = reasonToSkipTeam(team); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    const auto one = gpu::makeCudaBackend(onCpu(2).withGpus(gpu::gpuDevices()));
    const auto all = makeTeamBackend(membersOn(gpusNamed(team)), onCpu(2));
    Random random(2);
    const auto grid = makeGrid(GridShape(5, 7, BoundaryTreatment::zero));
    const auto coefficients = randomValues<float>(random, grid->points());
    const auto byOne = one->load(grid, coefficients), byAll = all->load(grid, coefficients);
    for (const auto &lengths : std::vector<std::vector<std::size_t>>{{1, 1, 70, 80, 90},
                                                                     {1, 1, 1, 700, 500},
                                                                     {1, 200'000, 1, 1, 1},
                                                                     {3, 40, 40, 40, 1},
                                                                     {1, 1, 3, 3, 3}}) {
        CartesianPoints<float> picture;
        picture.axes.resize(5);
        for (std::size_t t = 0; t < 5; ++t) {
            for (std::size_t i = 0; i < lengths[t]; ++i)
                picture.axes[t].push_back(
                    randomCoordinate<float>(random, *grid, static_cast<int>(t)));
        }
        std::vector<std::vector<float>> results(4, std::vector<float>(picture.count()));
        byOne->interpolateCartesian(picture, {results[0], results[1]});
        byAll->interpolateCartesian(picture, {results[2], results[3]});
        QVERIFY(results[0] == results[2]);
        QVERIFY(results[1] == results[3]);
    }
}

void CudaSparseTeamTest::columnsAsOneGpu()
{
    QFETCH(QString, team);
    if (const auto reason = reasonToSkipTeam(team); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    const auto one = gpu::makeCudaBackend(onCpu(2).withGpus(gpu::gpuDevices()));
    const auto all = makeTeamBackend(membersOn(gpusNamed(team)), onCpu(2));
    Random random(3);
    for (std::size_t columns : {1U, 17U, 1000U, 30'001U}) {
        constexpr std::size_t rows = 40;
        const auto values = randomValues<float>(random, rows * columns);
        const MatrixView<const float> matrix{values.data(), rows, columns, columns};
        const auto byOne = one->loadVectors(matrix), byAll = all->loadVectors(matrix);
        SparseWeights weights;
        for (std::size_t r = 0; r < rows; r += 3) {
            weights.rows.push_back(r);
            weights.weights.push_back(random.real(-1, 1));
        }
        weights.lastGroupBegin = 7;
        for (int i = 0; i < 5; ++i) {
            const auto first = random.index(columns);
            std::vector<std::uint32_t> list;
            for (auto c = first; c < columns; ++c)
                list.push_back(static_cast<std::uint32_t>(random.index(columns)));
            std::vector<std::vector<float>> results(8, std::vector<float>(columns - first));
            byOne->combine(weights, first, results[0], results[1]);
            byAll->combine(weights, first, results[2], results[3]);
            byOne->combineColumns(weights, list, results[4], results[5]);
            byAll->combineColumns(weights, list, results[6], results[7]);
            QVERIFY(results[0] == results[2] && results[1] == results[3]);
            QVERIFY(results[4] == results[6] && results[5] == results[7]);
        }
    }
}

void CudaSparseTeamTest::hierarchizationAsOneGpu()
{
    QFETCH(QString, team);
    if (const auto reason = reasonToSkipTeam(team); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    const auto one = gpu::makeCudaBackend(onCpu(2).withGpus(gpu::gpuDevices()));
    const auto members = membersOn(gpusNamed(team));
    JointWork work(members.size());
    Random random(4);
    std::vector<GridPointer> grids{makeGrid(GridShape(6, 7, BoundaryTreatment::zero)),
                                   makeGrid(GridShape(2, 12, BoundaryTreatment::boundary)),
                                   makeGrid(GridShape(1, 12, BoundaryTreatment::modified))};
    for (int i = 0; i < 40; ++i)
        grids.push_back(randomGrid(random, 6, 2'000, Kinds::all));
    for (const auto &grid : grids) {
        auto byOne = randomValues<double>(random, grid->points());
        auto byAll = byOne;
        one->hierarchize(*grid, std::span(byOne));
        transformDivided(Transform::hierarchize, *grid, std::span(byAll), members, work);
        QVERIFY2(byAll == byOne, describe(*grid).c_str());
        one->dehierarchize(*grid, std::span(byOne));
        transformDivided(Transform::dehierarchize, *grid, std::span(byAll), members, work);
        QVERIFY2(byAll == byOne, describe(*grid).c_str());
    }
}

/// Two parts of a GPU that have room for some of the columns each.
void CudaSparseTeamTest::whatGpusHaveNoRoomForIsTheCpus()
{
    if (const auto reason = reasonToSkip("cuda"); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    Random random(4);
    constexpr std::size_t rows = 50, columns = 6001;
    const auto values = randomValues<float>(random, rows * columns);
    const MatrixView<const float> matrix{values.data(), rows, columns, columns};
    GpuDevice gpu;
    gpu.memory = std::make_shared<MemoryBudget>(std::size_t{800'000});
    std::vector<std::string> told;
    const auto context =
        onCpu(2).withEvents([&](const ExecutionEvent &event) { told.push_back(event.sentence); });
    const auto members = membersOn(split(gpu, 2));
    GRIDHELM_EXPECT_ERROR(makeTeamBackend(members, context)->loadVectors(matrix));
    const auto loaded = makeTeamBackend(members, context.withFallback(FallbackPolicy::allowed))
                            ->loadVectors(matrix);
    QCOMPARE(told.size(), std::size_t{1});
    SparseWeights weights;
    for (std::size_t r = 0; r < rows; ++r) {
        weights.rows.push_back(r);
        weights.weights.push_back(random.real(-1, 1));
    }
    weights.lastGroupBegin = 20;
    std::vector<float> expected(columns), y(columns);
    combine<float>(weights, matrix, 0, expected, {}, CpuDevice{1});
    auto both = ComputedOn::gpu(0);
    both |= ComputedOn::cpu();
    QCOMPARE(loaded->combine(weights, 0, y, {}), both);
    for (std::size_t c = 0; c < columns; ++c)
        QVERIFY(std::abs(y[c] - expected[c]) < 1e-4F);
}

void CudaSparseTeamTest::gpuAndCpuAgreeToRoundOff()
{
    if (const auto reason = reasonToSkip("cuda"); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    auto members = membersOn({gpu::gpuDevices().front()});
    members.push_back({makeOmpBackend(onCpu(2)), 1, true});
    const auto both = makeTeamBackend(members, onCpu(2));
    Random random(5);
    const auto grid = makeGrid(GridShape(5, 6, BoundaryTreatment::zero));
    const auto loaded = loadRandom<double>(*both, grid, random);
    constexpr std::size_t count = 4'500'000;
    const auto points = randomPoints<double>(random, *grid, count);
    std::vector<double> values(count), expected(count);
    auto where = ComputedOn::gpu(0);
    where |= ComputedOn::cpu();
    QCOMPARE(loaded.evaluator->interpolate(viewOf(points, *grid), {values}), where);
    makeOmpBackend(onCpu(2))
        ->load(grid, loaded.coefficients)
        ->interpolate(viewOf(points, *grid), {expected});
    const double tolerance = interpolationTolerance<double>(
        *grid, interpolationScale(*grid, loaded.coefficients,
                                  std::vector<double>(points.begin(), points.begin() + 500)));
    GRIDHELM_COMPARE_CLOSE(values, expected, 4 * tolerance, describe(*grid));
}

GRIDHELM_TEST(CudaSparseTeamTest)
#include "tst_cuda_sparse_team.moc"
