// SPDX-License-Identifier: GPL-3.0-or-later
//
// Constants of CUDA's kernels change times, never values: bit for bit, but for the parts in which
// the work of few points is cut, whose sums are added up in another order.
#include "app/machine/tuned_machine.h"
#include "core/solvers/measured_problems.h"
#include "core/sparse/backend.h"
#include "core/support/cache_folder.h"
#include "core/support/pseudo_random_values.h"
#include "core/tuning/saved_tuning.h"
#include "core/tuning/search_space.h"
#include "gpu/cuda_solvers.h"
#include "gpu/device_info.h"
#include "gpu/pmm/cuda_pmm.h"
#include "gpu/poisson/jacobi/tuned_launch.h"
#include "gpu/poisson/sor/mlssor_tiles.h"
#include "gpu/poisson/sor/relax_launch.h"
#include "gpu/sparse/cuda_backend.h"
#include "gpu/sparse/launch_constants.h"
#include "gpu/support/device_attribute.h"
#include "gpu/support/kept_code.h"
#include "gpu/support/kernel_variant.h"
#include "gpu/support/on_gpu.h"
#include "gpu/tuning_cases.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::gpu;

namespace {

/// Under the keys of all sizes, so that whatever asks finds it.
ExecutionContext withVariant(const ExecutionContext &context, const TunableOperation &operation,
                             std::size_t valueBytes, const tuning::Variant &variant)
{
    const auto table = std::make_shared<TuningTable>();
    for (int dimension = 0; dimension <= 10; ++dimension) {
        for (double size = 1; size < 1e8; size *= 2) {
            const auto key = keyOf(operation, valueBytes, size, dimension);
            for (const auto &[name, value] : tuning::constantsOf(operation, variant))
                table->set(key, name, value);
        }
    }
    return context.withTuning(table);
}

} // namespace

class CudaTuningTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        auto gpus = gpuDevices();
        if (gpus.empty())
            QSKIP("there is no CUDA device");
        m_context = m_context.withGpus(std::move(gpus));
        QVERIFY(m_cache.isValid());
        qputenv("XDG_CACHE_HOME", m_cache.path().toUtf8());
    }
    void casesNameTheirOperations();
    void noVariantOfInterpolationChangesAValue();
    void partsOfFewPointsChangeRoundOffAlone();
    void noVariantOfACombinationChangesAValue();
    void noVariantOfAHierarchizationChangesAValue();
    void noVariantOfASolverChangesAValue_data();
    void noVariantOfASolverChangesAValue();
    void noVariantOfAFrontChangesAValue();
    void variantsRun();
    void keptCodeThatTheDriverRefusesIsMadeAnew();
    void whatIsFoundIsKeptForTheModel();

private:
    template <typename T>
    std::vector<T> interpolated(const ExecutionContext &context, std::size_t points) const
    {
        const auto grid = std::make_shared<sparse::SparseGrid>(sparse::GridShape(6, 6));
        const auto evaluator = makeCudaBackend(context)->load(
            grid, pseudoRandomValues<T>(grid->points(), T(-1), T(1)));
        const auto coordinates = pseudoRandomValues<T>(6 * points, T(0), T(1));
        std::vector<T> values(points);
        evaluator->interpolate({coordinates, 6}, {values});
        return values;
    }
    template <typename T>
    void compareInterpolation(const TunableOperation &operation, std::size_t points,
                              const std::function<bool(T, T)> &areEqual) const
    {
        const auto expected = interpolated<T>(m_context, points);
        for (const auto &variant : tuning::spaceOf(operation).all()) {
            const auto values =
                interpolated<T>(withVariant(m_context, operation, sizeof(T), variant), points);
            QVERIFY2(std::ranges::equal(values, expected, areEqual),
                     tuning::textOf(operation, variant).c_str());
        }
    }

    QTemporaryDir m_cache;
    ExecutionContext m_context{CpuDevice{2}};
};

void CudaTuningTest::casesNameTheirOperations()
{
    std::set<const TunableOperation *> seen;
    for (const auto &each : gpuCases()) {
        seen.insert(each.operation);
        QCOMPARE(each.key.device, std::string("gpu"));
        QVERIFY(each.key.operation.starts_with(each.operation->name));
        for (const auto &smaller : each.smaller)
            QVERIFY(smaller.amount > 0 && 4 * smaller.amount <= each.amount);
    }
    for (const auto *operation : gpuOperations())
        QVERIFY2(seen.contains(operation), std::string(operation->name).c_str());
}

void CudaTuningTest::noVariantOfInterpolationChangesAValue()
{
    compareInterpolation<float>(interpolationTunable, 50001, std::equal_to<float>());
    compareInterpolation<double>(interpolationTunable, 50001, std::equal_to<double>());
}

void CudaTuningTest::partsOfFewPointsChangeRoundOffAlone()
{
    for (const std::size_t points : {std::size_t{1}, std::size_t{333}, std::size_t{5000}}) {
        compareInterpolation<float>(fewPointsTunable, points,
                                    [](float a, float b) { return std::abs(a - b) < 1e-4F; });
        compareInterpolation<double>(fewPointsTunable, points,
                                     [](double a, double b) { return std::abs(a - b) < 1e-12; });
    }
}

void CudaTuningTest::noVariantOfACombinationChangesAValue()
{
    constexpr std::size_t rows = 47, columns = 10007;
    const auto matrix = pseudoRandomValues<float>(rows * columns, -1, 1);
    sparse::SparseWeights weights;
    for (std::size_t row = 0; row < rows; ++row) {
        weights.rows.push_back(row);
        weights.weights.push_back(std::cos(static_cast<double>(row)));
    }
    weights.lastGroupBegin = 23;
    const auto combined = [&](const ExecutionContext &context) {
        std::vector<float> y(columns);
        const auto evaluator =
            makeCudaBackend(context)->loadVectors({matrix.data(), rows, columns, columns});
        evaluator->combine(weights, 0, y, {});
        return y;
    };
    const auto expected = combined(m_context);
    for (const auto &variant : tuning::spaceOf(combinationTunable).all())
        QVERIFY2(combined(withVariant(m_context, combinationTunable, 4, variant)) == expected,
                 tuning::textOf(combinationTunable, variant).c_str());
}

void CudaTuningTest::noVariantOfAHierarchizationChangesAValue()
{
    // Of few dimensions poles are long, and have a block each.
    for (const auto &shape : {sparse::GridShape(2, 13), sparse::GridShape(6, 6)}) {
        const sparse::SparseGrid grid(shape);
        const auto nodal = pseudoRandomValues<double>(grid.points(), -1, 1);
        const auto transformed = [&](const ExecutionContext &context) {
            auto values = nodal;
            makeCudaBackend(context)->hierarchize(grid, std::span(values));
            return values;
        };
        const auto expected = transformed(m_context);
        for (const auto &variant : tuning::spaceOf(hierarchizationTunable).all())
            QVERIFY2(transformed(withVariant(m_context, hierarchizationTunable, 8, variant))
                         == expected,
                     tuning::textOf(hierarchizationTunable, variant).c_str());
    }
}

void CudaTuningTest::noVariantOfASolverChangesAValue_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<int>("operation");
    QTest::addColumn<int>("dimension");
    const std::array operations{&sor::mlssorTunable, &jacobi::tunedIn2D, &jacobi::tunedIn3D,
                                &sor::redBlackTunable};
    const auto row = [&](const char *name, const char *method, const TunableOperation &operation,
                         int dimension) {
        QTest::newRow(name) << method
                            << static_cast<int>(std::ranges::find(operations, &operation)
                                                - operations.begin())
                            << dimension;
    };
    row("mlssor", "mlssor", sor::mlssorTunable, 2);
    row("tuned, 2D", "tuned", jacobi::tunedIn2D, 2);
    row("tuned, 3D", "tuned", jacobi::tunedIn3D, 3);
    row("red-black, 2D", "red-black", sor::redBlackTunable, 2);
    row("red-black, 3D", "red-black", sor::redBlackTunable, 3);
}

/// Nor the residual, whose sum is one of many blocks'.
void CudaTuningTest::noVariantOfASolverChangesAValue()
{
    QFETCH(const QString, method);
    QFETCH(const int, operation);
    QFETCH(const int, dimension);
    const std::array operations{&sor::mlssorTunable, &jacobi::tunedIn2D, &jacobi::tunedIn3D,
                                &sor::redBlackTunable};
    const auto &tunable = *operations[static_cast<std::size_t>(operation)];
    const auto compared = [&]<typename T>(T) {
        const auto precision =
            sizeof(T) == 4 ? solvers::Precision::float32 : solvers::Precision::float64;
        // So large that the first is recorded as one of the small ones, and the second is not.
        for (const int side : {dimension == 2 ? 203 : 37, dimension == 2 ? 2300 : 150}) {
            const auto problem =
                solvers::roughLaplaceProblem(dimension, static_cast<std::size_t>(side));
            const auto relaxed = [&](const ExecutionContext &context) {
                const auto stepper =
                    cudaSolvers().makePoisson(problem, {method.toStdString(), precision}, context);
                stepper->advance(96);
                const auto values = std::get<std::span<const T>>(stepper->field().values);
                std::vector<double> all(values.begin(), values.end());
                stepper->advance(32);
                all.push_back(stepper->report().residual);
                return all;
            };
            const auto expected = relaxed(m_context);
            for (const auto &variant : tuning::spaceOf(tunable).all())
                QVERIFY2(relaxed(withVariant(m_context, tunable, sizeof(T), variant)) == expected,
                         tuning::textOf(tunable, variant).c_str());
        }
    };
    compared(float());
    compared(double());
}

void CudaTuningTest::noVariantOfAFrontChangesAValue()
{
    for (const std::size_t side : {std::size_t{23}, std::size_t{100}}) {
        const auto problem = solvers::ballInCube(side, true);
        const auto swept = [&](const ExecutionContext &context) {
            const auto stepper =
                cudaSolvers().makePmm(problem, solvers::Precision::float32, {}, context);
            stepper->advance(2);
            const auto values = std::get<std::span<const float>>(stepper->field().values);
            return std::vector<float>(values.begin(), values.end());
        };
        const auto expected = swept(m_context);
        for (const auto &variant : tuning::spaceOf(marchTunable).all())
            QVERIFY2(swept(withVariant(m_context, marchTunable, 4, variant)) == expected,
                     tuning::textOf(marchTunable, variant).c_str());
    }
}

void CudaTuningTest::variantsRun()
{
    if (!canCompileKernels())
        QSKIP("there is no NVRTC, or this program cannot load what it makes");
    const OnGpu scope(m_context.gpus().front());
    const auto check = [](const KernelSource &source) {
        QVERIFY2(kernelVariant(source), source.instance.c_str());
    };
    check(RowLaunch::source(7));
    for (const bool is3D : {false, true}) {
        check(jacobi::tunedSource<float>(is3D, 5, 1));
        check(jacobi::tunedSource<double>(is3D, 5, 1));
        check(sor::relaxSource<float>(is3D, 3, 128));
        check(sor::relaxSource<double>(is3D, 3, 512));
    }
    // And are what a table asks for.
    const auto table = [&](const TunableOperation &operation, std::size_t bytes,
                           const tuning::Variant &variant) {
        return withVariant(m_context, operation, bytes, variant);
    };
    const auto problem = solvers::unitLaplaceProblem(3, 50);
    const auto tuned =
        jacobi::tunedLaunch(table(jacobi::tunedIn3D, 4, {6, 2, 1}).tuning(), 4, problem);
    QVERIFY(tuned.variant && tuned.rows == 6 && tuned.planes == 2);
    const auto relaxed =
        sor::relaxLaunch(table(sor::redBlackTunable, 8, {6, 512}).tuning(), 8, problem);
    QVERIFY(relaxed.variant && relaxed.rows == 6 && relaxed.threads == 512);
    const RowLaunch rows(table(combinationTunable, 4, {16, 128}).tuning(), 100000);
    QVERIFY(rows.variant && rows.rows == 16);
}

/// As that of a compiler which is newer than the driver.
void CudaTuningTest::keptCodeThatTheDriverRefusesIsMadeAnew()
{
    if (!canCompileKernels())
        QSKIP("there is no NVRTC, or this program cannot load what it makes");
    const OnGpu scope(m_context.gpus().front());
    const auto source = RowLaunch::source(9);
    const auto key = source.key(deviceAttribute(cudaDevAttrComputeCapabilityMajor),
                                deviceAttribute(cudaDevAttrComputeCapabilityMinor));
    const KeptCode kept(cacheFolder());
    kept.keep(key, "no code at all");
    QVERIFY(kernelVariant(source));
    QVERIFY(kept.read(key).value_or("").size() > 1000);
}

/// What is found is kept for the model and its driver, and found again by what computes there.
void CudaTuningTest::whatIsFoundIsKeptForTheModel()
{
    auto devices = app::tuningGpus(m_context, listDevices());
    QVERIFY(!devices.empty());
    auto &first = devices.front();
    first.cases = tuning::casesOf({"mlssor"}, first.cases);
    devices.resize(1);
    const auto tuned = tuning::tuneDevices(devices, {});
    QCOMPARE(tuned.front().size(), first.cases.size());
    QVERIFY(tuning::saveTuning(tuned.front(), first.machine, m_context));
    QVERIFY(std::filesystem::exists(tuning::savedTuningFile(first.machine)));
    const auto alone = app::withSavedTuning(first.context);
    for (const auto &entry : tuning::savedTuning(first.machine, m_context)) {
        QCOMPARE(entry.key.device, std::string("gpu"));
        for (const auto &[name, value] : entry.constants)
            QCOMPARE(alone.tuning().find(entry.key, name, -1), value);
    }
}

GRIDHELM_TEST(CudaTuningTest)
#include "tst_cuda_tuning.moc"
