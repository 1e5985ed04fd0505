// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the back end cuda has of its own: the kernels for many points, and grids and matrices that
// the device has no room for. The tests of the engine (tests/core) run on it, too.
#include "core/dispatch/dispatching_backend.h"
#include "core/sparse/backend.h"
#include "gpu/sparse/rows_on_gpu.h"
#include "gpu/support/buffer.h"

#include "tests/core/backends.h"
#include "tests/core/evaluation_checks.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

using enum BoundaryTreatment;

/// The last group from the tenth of these on.
SparseWeights everyThirdRow(Random &random, std::size_t rows)
{
    SparseWeights weights;
    for (std::size_t r = 0; r < rows; r += 3) {
        weights.rows.push_back(r);
        weights.weights.push_back(random.real());
    }
    weights.lastGroupBegin = 9;
    return weights;
}

/// Evaluates at `count` points, on and off the kinks, and compares some with the literal reference.
template <typename T>
void checkSomeOfMany(const Loaded<T> &loaded, Random &random, std::size_t count)
{
    const auto d = static_cast<std::size_t>(loaded.grid->dimension());
    const auto points = randomPoints<T>(random, *loaded.grid, count);
    std::vector<std::size_t> some{0, count - 1};
    for (int i = 0; i < 40; ++i)
        some.push_back(random.index(count));
    std::vector<T> chosen;
    for (auto j : some)
        chosen.insert(chosen.end(), points.begin() + static_cast<std::ptrdiff_t>(j * d),
                      points.begin() + static_cast<std::ptrdiff_t>((j + 1) * d));
    checkEvaluation(loaded, chosen, "many points", [&](EvaluationOutput<T> out) {
        const T unset = std::numeric_limits<T>::quiet_NaN();
        std::vector<T> values(count, unset), indicator(count, unset);
        const bool withIndicator = !out.indicator.empty();
        loaded.evaluator->interpolate(
            viewOf(points, *loaded.grid),
            {values, withIndicator ? std::span(indicator) : std::span<T>()});
        for (std::size_t k = 0; k < some.size(); ++k) {
            out.values[k] = values[some[k]];
            if (withIndicator)
                out.indicator[k] = indicator[some[k]];
        }
        QVERIFY2(std::ranges::none_of(values, [](T value) { return std::isnan(value); }),
                 describe(*loaded.grid).c_str());
    });
}

/// Twice with the same fixed dimensions, at other places, compared with evaluating each point.
template <typename T>
void checkSharedDimensions(const Loaded<T> &loaded, Random &random)
{
    for (int i = 0; i < 2; ++i) {
        auto points = randomPoints<T>(random, *loaded.grid, 4999);
        for (std::size_t j = 1; j < 4999; ++j)
            points[j * 6 + 1] = points[1];
        std::vector<T> shared(4999), direct(4999), indicator(4999), directIndicator(4999);
        const auto view = viewOf(points, *loaded.grid);
        loaded.evaluator->interpolateShared(view, {shared, indicator});
        loaded.evaluator->interpolate(view, {direct, directIndicator});
        const double tolerance = interpolationTolerance<T>(
            *loaded.grid, interpolationScale(*loaded.grid, loaded.coefficients,
                                             std::vector<T>(points.begin(), points.begin() + 600)));
        GRIDHELM_COMPARE_CLOSE(shared, direct, 4 * tolerance, describe(*loaded.grid));
        GRIDHELM_COMPARE_CLOSE(indicator, directIndicator, 4 * tolerance, describe(*loaded.grid));
    }
}

/// With a GPU of so little memory.
ExecutionContext smallGpu(std::size_t bytes)
{
    GpuDevice gpu;
    gpu.memory = std::make_shared<MemoryBudget>(bytes);
    return test::onCpu(2).withGpus({gpu});
}

} // namespace

class CudaSparseTest : public QObject
{
    Q_OBJECT

private slots:
    void manyPointsOfRegularGrids_data() { addTypeRows(); }
    void manyPointsOfRegularGrids();
    void manyPointsOfRegularGridsOfDegrees_data() { addTypeRows(); }
    void manyPointsOfRegularGridsOfDegrees();
    void manyPointsOfOtherGrids_data() { addTypeRows(); }
    void manyPointsOfOtherGrids();
    void manyPointsOfOtherBases_data() { addTypeRows(); }
    void manyPointsOfOtherBases();
    void longAndManyPolesOfOtherBases_data() { addTypeRows(); }
    void longAndManyPolesOfOtherBases();
    void picturesOfOtherBases_data() { addTypeRows(); }
    void picturesOfOtherBases();
    void sharedDimensionsOfManyPoints_data() { addTypeRows(); }
    void sharedDimensionsOfManyPoints();
    void grownGridsThatAreNotRegularHaveNoTail();
    void scalarGridsLargerThanTheDevice_data() { addTypeRows(); }
    void scalarGridsLargerThanTheDevice();
    void picturesLargerThanTheDevice_data() { addTypeRows(); }
    void picturesLargerThanTheDevice();
    void matricesLargerThanTheDevice();
    void combinationsThatStayOnTheGpu();

private:
    static void addTypeRows()
    {
        QTest::addColumn<QString>("backend");
        QTest::addColumn<QString>("type");
        QTest::newRow("float") << "cuda"
                               << "float";
        QTest::newRow("double") << "cuda"
                                << "double";
    }
};

void CudaSparseTest::manyPointsOfRegularGrids()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(1);
        for (auto treatment : treatmentsWithCells()) {
            if (hasEndPoints(treatment)) // their grids take no fast path of their own
                continue;
            for (const auto &[d, levels] : {std::pair{3, std::vector{1, 2, 3, 7, 10}},
                                            {4, {1, 5, 10}},
                                            {5, {2, 6}},
                                            {6, {3, 8}},
                                            {8, {4}},
                                            {10, {3, 6}},
                                            {13, {4}}}) {
                for (int level : levels) {
                    if (QTest::currentTestFailed())
                        return;
                    const auto loaded =
                        loadRandom<T>(backend, makeGrid(GridShape(d, level, treatment)), random);
                    checkSomeOfMany(loaded, random, 4096 + random.index(900));
                }
            }
        }
        // Several portions.
        const auto mixed = std::vector{zero, modified, modified, zero};
        const auto loaded = loadRandom<T>(backend, makeGrid(GridShape(4, 4, {}, mixed)), random);
        checkSomeOfMany(loaded, random, 200'003);
    });
}

void CudaSparseTest::manyPointsOfRegularGridsOfDegrees()
{
    // Polynomials in the tail, in front of it, and beside hats.
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(8);
        for (const auto &[treatments, degrees, level] :
             {std::tuple{std::vector{zero}, std::vector{2}, 6},
              {{zero}, {3}, 6},
              {{modified, zero, modified, zero, zero}, {1, 3, 1, 2, 3}, 7},
              {{zero, zero, zero, zero, modified}, {3, 1, 2, 3, 1}, 5},
              {{zero}, {3}, 1},
              {{zero}, {2}, 10}}) {
            if (QTest::currentTestFailed())
                return;
            const int d = level == 10 ? 4 : 5;
            const auto loaded = loadRandom<T>(
                backend, makeGrid(GridShape(d, level, {}, treatments, 0, degrees)), random);
            checkSomeOfMany(loaded, random, 4096 + random.index(900));
        }
    });
}

void CudaSparseTest::manyPointsOfOtherGrids()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(2);
        for (int i = 0; i < 20 && !QTest::currentTestFailed(); ++i)
            checkSomeOfMany(loadRandom<T>(backend, randomGrid(random, 8, 4'000), random), random,
                            4096 + random.index(900));
        const std::vector<Level> corners(6, -1);
        for (const auto &grid :
             {makeGrid(GridShape(1, 14, boundary)), makeGrid(GridShape(2, 11, modified)),
              makeGrid(GridShape(4, 11, zero)), makeGrid(GridShape(20, 4, boundary)),
              GridPointer(std::make_shared<SparseGrid>(std::vector(6, boundary), corners))}) {
            if (grid->points() < 2'000'000)
                checkSomeOfMany(loadRandom<T>(backend, grid, random), random, 5003);
        }
    });
}

void CudaSparseTest::manyPointsOfOtherBases()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(9);
        for (int i = 0; i < 30 && !QTest::currentTestFailed(); ++i)
            checkSomeOfMany(
                loadRandom<T>(backend, randomGrid(random, 7, 2'000, Kinds::all), random), random,
                4096 + random.index(900));
        // Many functions over the whole range; all times of every run; many levels of one point.
        for (const auto &grid :
             {makeGrid(GridShape(6, 5, {}, {clenshawCurtis}, 0, {3})),
              makeGrid(GridShape(4, 5, {5, 5, 5, 9}, {clenshawCurtis, leja, zero, boundary}, 8,
                                 {3, 1, 2, 3})),
              makeGrid(GridShape(4, 5, {12, 5, 5, 5}, {leja, clenshawCurtis, modified, zero}, 1,
                                 {1, 2, 1, 3})),
              makeGrid(GridShape(2, 64, {64, 3}, {leja, boundary}, 0, {1, 3})),
              makeGrid(GridShape(1, 13, {}, {clenshawCurtis}, 0, {3}))}) {
            if (!QTest::currentTestFailed())
                checkSomeOfMany(loadRandom<T>(backend, grid, random), random, 5003);
        }
    });
}

void CudaSparseTest::longAndManyPolesOfOtherBases()
{
    // Poles that a warp and a block of threads take, compared with the CPU's coefficients, which
    // are compared with the reference at smaller sizes.
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(10);
        const auto omp = makeOmpBackend(test::onCpu(2));
        for (const auto &shape :
             {GridShape(1, 15, {}, {zero}, 0, {3}), GridShape(1, 15, {}, {boundary}, 0, {2}),
              GridShape(1, 15, {}, {clenshawCurtis}, 0, {3}),
              GridShape(2, 13, {}, {clenshawCurtis, boundary}, 0, {1, 3}),
              GridShape(3, 12, {12, 12, 4}, {leja, zero, leja}, 0, {1, 3, 1}),
              GridShape(5, 8, {}, {zero, boundary, clenshawCurtis, modified, leja}, 0, {3}),
              GridShape(3, 6, {6, 6, 12}, {clenshawCurtis, leja, boundary}, 4, {2, 1, 3})}) {
            const SparseGrid grid(shape);
            const auto values = randomValues<T>(random, grid.points());
            auto expected = values, result = values;
            omp->hierarchize(grid, std::span(expected));
            QCOMPARE(backend.hierarchize(grid, std::span(result)), ComputedOn::gpu(0));
            const double tolerance =
                16 * hierarchizationTolerance<T>(grid, largestMagnitude(expected) + 1);
            GRIDHELM_COMPARE_CLOSE(result, expected, tolerance, describe(grid));
            backend.dehierarchize(grid, std::span(result));
            GRIDHELM_COMPARE_CLOSE(result, values, 4 * tolerance, describe(grid));
        }
    });
}

void CudaSparseTest::picturesOfOtherBases()
{
    // Large ones, some of whose places are compared.
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(11);
        const auto grid = makeGrid(GridShape(5, 5, {5, 5, 9, 5, 5},
                                             {clenshawCurtis, zero, boundary, leja, clenshawCurtis},
                                             4, {3, 2, 3, 1, 1}));
        const auto loaded = loadRandom<T>(backend, grid, random);
        for (const auto &lengths : std::vector<std::vector<std::size_t>>{
                 {1, 41, 50, 1, 37}, {203, 1, 1, 301, 1}, {1, 1, 4001, 1, 1}})
            checkSomeOfPicture(loaded, random, lengths, 60);
    });
}

void CudaSparseTest::sharedDimensionsOfManyPoints()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(3);
        for (const auto &shape :
             {GridShape(6, 5, modified),
              GridShape(6, 5, {}, {clenshawCurtis, zero, leja, boundary, modified, zero}, 0, {3})})
            checkSharedDimensions(loadRandom<T>(backend, makeGrid(shape), random), random);
    });
}

void CudaSparseTest::grownGridsThatAreNotRegularHaveNoTail()
{
    if (const auto reason = reasonToSkip("cuda"); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    // A regular grid with one block more, and one with one block less.
    Random random(4);
    const SparseGrid regular(GridShape(4, 3, zero));
    std::vector<Level> more(regular.levelVectors().begin(), regular.levelVectors().end());
    more.insert(more.end(), {3, 0, 0, 0});
    std::vector<Level> less(regular.levelVectors().begin(), regular.levelVectors().end() - 4);
    const auto backend = makeBackend("cuda");
    for (const auto &levels : {more, less}) {
        const auto grid = std::make_shared<SparseGrid>(std::vector(4, zero), levels);
        checkSomeOfMany(loadRandom<double>(*backend, grid, random), random, 4321);
    }
}

void CudaSparseTest::scalarGridsLargerThanTheDevice()
{
    checkBackendAndType([]<typename T>(const Backend &) {
        Random random(5);
        const auto grid = makeGrid(GridShape(5, 6, boundary));
        const auto strict = smallGpu(10'000);
        const auto allowing = strict.withFallback(FallbackPolicy::allowed);
        const auto alone = gpu::makeCudaBackend(strict);
        GRIDHELM_EXPECT_ERROR(loadRandom<T>(*alone, grid, random));
        const auto made = dispatch::makeFailoverBackend(gpu::makeCudaBackend(allowing), allowing);
        const auto &backend = *made;
        const auto loaded = loadRandom<T>(backend, grid, random);
        checkScatteredPoints(loaded, randomPoints<T>(random, *grid, 33));
        auto values = randomValues<T>(random, grid->points());
        auto expected = values;
        GRIDHELM_EXPECT_ERROR(alone->hierarchize(*grid, std::span(values)));
        QCOMPARE(backend.hierarchize(*grid, std::span(values)), ComputedOn::cpu());
        makeOmpBackend(test::onCpu(1))->hierarchize(*grid, std::span(expected));
        QVERIFY(values == expected); // the CPU did both
    });
}

void CudaSparseTest::picturesLargerThanTheDevice()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(6);
        const auto loaded = loadRandom<T>(backend, makeGrid(GridShape(4, 4, modified)), random);
        CartesianPoints<T> picture{{{T(0.3)}, {}, {}, {}}};
        for (std::size_t t = 1; t < 4; ++t) {
            for (int i = 0; i < 41; ++i)
                picture.axes[t].push_back(static_cast<T>(random.real()));
        }
        std::vector<T> whole(picture.count()), limited(picture.count());
        // First: no room for the picture beside what one point after the other takes.
        {
            const auto context = smallGpu(10'000'000);
            const auto small = gpu::makeCudaBackend(context);
            const auto evaluator = small->load(loaded.grid, loaded.coefficients);
            auto &memory = *context.gpus().front().memory;
            QVERIFY(memory.take(memory.left() - 400'000)); // by somebody else
            evaluator->interpolateCartesian(picture, {limited});
        }
        loaded.evaluator->interpolateCartesian(picture, {whole});
        GRIDHELM_COMPARE_CLOSE(limited, whole, 2 * interpolationTolerance<T>(*loaded.grid, 200.0),
                               "picture");
    });
}

void CudaSparseTest::matricesLargerThanTheDevice()
{
    if (const auto reason = reasonToSkip("cuda"); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    Random random(7);
    constexpr std::size_t rows = 50, columns = 3001;
    const auto values = randomValues<float>(random, rows * columns);
    const MatrixView<const float> matrix{values.data(), rows, columns, columns};
    const auto weights = everyThirdRow(random, rows);
    std::vector<float> expected(columns), expectedIndicator(columns);
    combine<float>(weights, matrix, 0, expected, expectedIndicator, CpuDevice{1});
    // No column, some columns, all columns on the device.
    for (std::size_t limit :
         {std::size_t{0}, std::size_t{200'000}, std::size_t{500'000}, std::size_t{10'000'000}}) {
        const bool fits = limit > 1'000'000;
        const auto strict = smallGpu(limit);
        if (!fits)
            GRIDHELM_EXPECT_ERROR(gpu::makeCudaBackend(strict)->loadVectors(matrix));
        const auto backend = gpu::makeCudaBackend(strict.withFallback(FallbackPolicy::allowed));
        const auto loaded = backend->loadVectors(matrix);
        for (std::size_t first : {0U, 1U, 500U, 1500U, 3000U}) {
            std::vector<float> y(columns - first), indicator(columns - first);
            const auto where = loaded->combine(weights, first, y, indicator);
            QVERIFY(fits ? where == ComputedOn::gpu(0) : where.usesCpu());
            std::vector<std::uint32_t> listed;
            for (auto c = first; c < columns; ++c)
                listed.push_back(static_cast<std::uint32_t>(c));
            std::vector<float> ofList(columns - first);
            loaded->combineColumns(weights, listed, ofList, {});
            for (std::size_t c = first; c < columns; ++c) {
                QVERIFY(std::abs(y[c - first] - expected[c]) < 1e-5F);
                QVERIFY(std::abs(indicator[c - first] - expectedIndicator[c]) < 1e-5F);
                QVERIFY(std::abs(ofList[c - first] - expected[c]) < 1e-5F);
            }
        }
    }
}

/// Bit for bit what goes to the CPU, wherever they begin.
void CudaSparseTest::combinationsThatStayOnTheGpu()
{
    if (const auto reason = reasonToSkip("cuda"); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    Random random(11);
    constexpr std::size_t rows = 40, columns = 3001;
    const auto values = randomValues<float>(random, rows * columns);
    const MatrixView<const float> matrix{values.data(), rows, columns, columns};
    std::vector<QuantisedRow> few;
    for (std::size_t r = 0; r < rows; ++r)
        few.push_back(QuantisedRow::encode({values.data() + r * columns, columns}, 1e-3));
    const QuantisedRows quantised{few, columns};
    const auto weights = everyThirdRow(random, rows);
    const auto context = smallGpu(10'000'000);
    const auto backend = gpu::makeCudaBackend(context);
    const auto check = [&](const auto &of, const VectorEvaluator &evaluator) {
        const auto there = gpu::loadOnGpu(of, context);
        std::vector<float> expected(columns);
        evaluator.combine(weights, 0, expected, {});
        const gpu::ValuesOnGpu to(context, 2 * columns + 1);
        for (const std::size_t first : {std::size_t{0}, columns + 1})
            there->combine(weights, to, first);
        std::vector<float> back(to.size());
        to.copyTo(back);
        QVERIFY(std::equal(expected.begin(), expected.end(), back.begin()));
        QVERIFY(std::equal(expected.begin(), expected.end(), back.end() - columns));
        GRIDHELM_EXPECT_ERROR(there->combine(weights, to, columns + 2));
        GRIDHELM_EXPECT_ERROR(to.copyTo(std::span(back).first(1)));
    };
    check(matrix, *backend->loadVectors(matrix));
    check(quantised, *backend->loadQuantised(quantised));
    GRIDHELM_EXPECT_ERROR(gpu::ValuesOnGpu(context, 100'000'000)); // more than there is
}

GRIDHELM_TEST(CudaSparseTest)
#include "tst_cuda_sparse.moc"
