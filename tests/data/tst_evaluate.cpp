// SPDX-License-Identifier: GPL-3.0-or-later
//
// A study's field at any parameters, against the literal reference of core.
#include "core/sparse/sparse_grid_surrogate.h"
#include "data/compress/compress.h"
#include "data/evaluate/field_surrogate.h"
#include "data/evaluate/scalar_surrogate.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdint>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

constexpr std::uint64_t columns = 1000;

Study compressedStudy(const std::filesystem::path &path, int level, std::uint64_t values = columns)
{
    auto writer = StudyWriter::create(path, smallDescription(level));
    writer.addField(smallField("u", values));
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
    return Study::open(path);
}

/// Column i of the study by the reference back end: values and indicators at points of the cube.
struct Expected
{
    std::vector<double> values, indicator;
};
Expected byReference(const Study &study, std::uint64_t i, const std::vector<double> &points,
                     int groups)
{
    const auto whole = study.grid();
    const auto d = static_cast<std::size_t>(whole->dimension());
    const auto grid = std::make_shared<sparse::SparseGrid>(
        whole->treatments(), whole->levelVectors().first(whole->groupFirstBlock(groups) * d));
    const auto backend = sparse::makeReferenceBackend();
    std::vector<double> nodal;
    for (std::uint64_t point = 0; point < grid->points(); ++point)
        nodal.push_back(static_cast<double>(simulate(coordinatesOf(study, point), i)));
    backend->hierarchize(*grid, nodal);
    Expected expected{std::vector<double>(points.size() / d),
                      std::vector<double>(points.size() / d)};
    backend->load(grid, nodal)
        ->interpolate({points, grid->dimension()}, {expected.values, expected.indicator});
    return expected;
}

std::vector<double> randomPoints(Random &random, std::size_t count)
{
    std::vector<double> points{0, 0, 0, 1, 1, 1, 0.5, 0.5, 0.5, 0.25, 1, 0};
    while (points.size() < 3 * count)
        points.push_back(random.real());
    return points;
}

} // namespace

class EvaluateTest : public QObject
{
    Q_OBJECT

private slots:
    void fieldsAgreeWithTheReference();
    void everyLevelPrefixAgreesWithTheReference();
    void columnsAndRangesAreThoseOfTheWhole();
    void evaluatingFromTheFileIsTheSame();
    void rowsBeginAtCacheLines();
    void outsideIsRefusedOrContinuedLinearly();
    void extrapolatedWeightsKeepTheirGroups();
    void missingCoefficientsCountZero();
    void loadingCanBeStopped();
    void wrongUseIsAnError();
    void scalarStudiesAgreeWithTheReference();
};

void EvaluateTest::fieldsAgreeWithTheReference()
{
    const Folder folder;
    const auto study = compressedStudy(folder / "s", 5);
    FieldSurrogate surrogate(study, 0);
    QVERIFY(FieldSurrogate::fitsInMemory(study, 0));
    QCOMPARE(surrogate.loadAll(study), study.grid()->groups());
    Random random(1);
    const auto points = randomPoints(random, 30);
    for (std::uint64_t i : {std::uint64_t{0}, columns / 3, columns - 1}) {
        const auto expected = byReference(study, i, points, study.grid()->groups());
        for (std::size_t k = 0; k < 30; ++k) {
            std::vector<float> values(columns), indicator(columns);
            surrogate.evaluate(std::span(points).subspan(3 * k, 3), {values, indicator},
                               CpuDevice{2});
            QVERIFY(std::abs(static_cast<double>(values[i]) - expected.values[k]) < 2e-6);
            QVERIFY(std::abs(static_cast<double>(indicator[i]) - expected.indicator[k]) < 2e-6);
        }
    }
}

void EvaluateTest::everyLevelPrefixAgreesWithTheReference()
{
    const Folder folder;
    const auto study = compressedStudy(folder / "s", 5);
    FieldSurrogate loading(study, 0), loaded(study, 0);
    loaded.loadAll(study);
    Random random(2);
    const auto points = randomPoints(random, 10);
    for (int groups = 1; groups <= study.grid()->groups(); ++groups) {
        QCOMPARE(loading.load(study, groups), groups);
        QCOMPARE(loading.matrix().rows,
                 static_cast<std::size_t>(study.grid()->groupFirstPoint(groups)));
        const auto expected = byReference(study, 7, points, groups);
        for (std::size_t k = 0; k < 10; ++k) {
            const auto x = std::span(points).subspan(3 * k, 3);
            std::vector<float> values(columns), indicator(columns), others(columns);
            loading.evaluate(x, {values, indicator}, CpuDevice{1});
            QVERIFY(std::abs(static_cast<double>(values[7]) - expected.values[k]) < 2e-6);
            QVERIFY(std::abs(static_cast<double>(indicator[7]) - expected.indicator[k]) < 2e-6);
            loaded.evaluate(x, {others, {}}, CpuDevice{1}, 0, groups);
            QCOMPARE(others, values);
        }
    }
}

void EvaluateTest::columnsAndRangesAreThoseOfTheWhole()
{
    const Folder folder;
    const auto study = compressedStudy(folder / "s", 4);
    FieldSurrogate surrogate(study, 0);
    surrogate.loadAll(study);
    const std::vector x{0.3, 0.7, 0.1};
    std::vector<float> whole(columns), wholeIndicator(columns), some(10), someIndicator(10);
    surrogate.evaluate(x, {whole, wholeIndicator}, CpuDevice{1});
    surrogate.evaluate(x, {some, someIndicator}, CpuDevice{1}, 500);
    for (std::size_t i = 0; i < 10; ++i) {
        QVERIFY(std::abs(some[i] - whole[500 + i]) < 1e-6F);
        QVERIFY(std::abs(someIndicator[i] - wholeIndicator[500 + i]) < 1e-6F);
    }
    const std::vector<std::uint32_t> wanted{999, 0, 3};
    std::vector<float> three(3);
    surrogate.evaluateColumns(x, wanted, {three, {}}, CpuDevice{1});
    for (std::size_t i = 0; i < 3; ++i)
        QVERIFY(std::abs(three[i] - whole[wanted[i]]) < 1e-6F);
}

void EvaluateTest::evaluatingFromTheFileIsTheSame()
{
    const Folder folder;
    const auto values = Study::partValues() + 100;
    const auto study = compressedStudy(folder / "s", 3, values);
    FieldSurrogate surrogate(study, 0);
    surrogate.loadAll(study);
    Random random(3);
    const auto points = randomPoints(random, 6);
    for (int groups : {0, 1, 2}) {
        for (std::size_t k = 0; k < 6; ++k) {
            const auto x = std::span(points).subspan(3 * k, 3);
            std::vector<float> a(values), b(values), indicatorA(values), indicatorB(values);
            surrogate.evaluate(x, {a, indicatorA}, CpuDevice{1}, 0, groups);
            evaluateFromFile(study, 0, x, {b, indicatorB}, CpuDevice{2}, groups);
            for (std::size_t i = 0; i < values; ++i) {
                QVERIFY(std::abs(a[i] - b[i]) < 1e-6F);
                QVERIFY(std::abs(indicatorA[i] - indicatorB[i]) < 1e-6F);
            }
        }
    }
}

void EvaluateTest::rowsBeginAtCacheLines()
{
    const Folder folder;
    for (std::uint64_t values : {1U, 15U, 16U, 17U, 1024U}) {
        const auto study = compressedStudy(folder / std::to_string(values), 2, values);
        FieldSurrogate surrogate(study, 0);
        surrogate.loadAll(study);
        const auto matrix = surrogate.matrix();
        for (std::size_t row = 0; row < matrix.rows; ++row)
            QCOMPARE(reinterpret_cast<std::uintptr_t>(matrix.row(row)) % 64, std::uintptr_t{0});
    }
}

void EvaluateTest::outsideIsRefusedOrContinuedLinearly()
{
    const Folder folder;
    const auto study = compressedStudy(folder / "s", 4);
    FieldSurrogate surrogate(study, 0);
    surrogate.loadAll(study);
    const auto at = [&](std::vector<double> x) {
        std::vector<float> values(columns);
        surrogate.evaluate(x, {values, {}}, CpuDevice{1}, 0, 0, OutOfRange::extrapolated);
        return static_cast<double>(values[5]);
    };
    std::vector<float> values(columns);
    const double bad[] = {-0.01, 1.01, std::nan("")};
    for (double x : bad)
        GRIDHELM_EXPECT_ERROR(
            surrogate.evaluate(std::vector{0.5, x, 0.5}, {values, {}}, CpuDevice{1}));
    GRIDHELM_EXPECT_ERROR(at({0.5, std::nan(""), 0.5}));
    surrogate.evaluate(std::vector{0.0, 1 + 1e-14, 0.5}, {values, {}}, CpuDevice{1}); // round-off
    // Linear in each dimension from the outermost cell on: level 4 has a mesh width of 1/16.
    for (std::size_t t = 0; t < 3; ++t) {
        for (double end : {0.0, 1.0}) {
            std::vector<double> x{0.3, 0.6, 0.2}, inner = x, beyond = x;
            x[t] = end;
            inner[t] = end + (end == 0 ? 1 : -1) / 32.0;
            beyond[t] = end - (end == 0 ? 1 : -1) / 32.0;
            QVERIFY(std::abs(at(beyond) - (2 * at(x) - at(inner))) < 1e-5);
        }
    }
    // In two dimensions at once: bilinear.
    const double h = 1 / 32.0;
    const double corner = at({1, 0.5, 0}), a = at({1 - h, 0.5, 0}), b = at({1, 0.5, h}),
                 c = at({1 - h, 0.5, h});
    QVERIFY(std::abs(at({1 + h, 0.5, -h}) - (4 * corner - 2 * a - 2 * b + c)) < 1e-5);
}

void EvaluateTest::extrapolatedWeightsKeepTheirGroups()
{
    const auto shared =
        std::make_shared<const sparse::SparseGrid>(smallDescription(4).space.shape(4));
    const auto &grid = *shared;
    const sparse::SparseGridSurrogate surrogate(shared);
    for (int groups = 1; groups <= grid.groups(); ++groups) {
        const auto weights =
            surrogate.weights(std::vector{1.1, -0.2, 0.3}, groups, OutOfRange::extrapolated);
        QVERIFY(std::ranges::is_sorted(weights.rows));
        for (std::size_t i = 0; i < weights.rows.size(); ++i) {
            QVERIFY((i >= weights.lastGroupBegin)
                    == (weights.rows[i] >= grid.groupFirstPoint(groups - 1)));
            QVERIFY(weights.rows[i] < grid.groupFirstPoint(groups));
        }
    }
}

void EvaluateTest::missingCoefficientsCountZero()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(3));
    writer.addField(smallField("u", 3));
    const auto jobs = writer.jobs();
    runJob(writer, jobs[0]);
    compress(writer, {});
    FieldSurrogate surrogate(writer, 0);
    surrogate.loadAll(writer);
    std::vector<float> values(3), indicator(3);
    surrogate.evaluate(std::vector{0.5, 0.5, 0.0}, {values, indicator}, CpuDevice{1});
    const std::vector x{0.5, 0.5, 0.0};
    for (std::size_t i = 0; i < 3; ++i) {
        QVERIFY(std::abs(values[i] - simulate(x, i)) < 1e-6F);
        QCOMPARE(indicator[i], std::abs(values[i])); // of the one level that is complete
    }
}

void EvaluateTest::loadingCanBeStopped()
{
    const Folder folder;
    const auto study = compressedStudy(folder / "s", 4);
    FieldSurrogate surrogate(study, 0);
    int rows = 0;
    const int enough = static_cast<int>(study.grid()->groupFirstPoint(2)) + 1;
    QCOMPARE(surrogate.loadAll(study, [&] { return ++rows > enough; }), 2);
    std::vector<float> values(columns);
    surrogate.evaluate(std::vector{0.1, 0.2, 0.3}, {values, {}}, CpuDevice{1});
    QCOMPARE(surrogate.loadAll(study), 4);
}

void EvaluateTest::wrongUseIsAnError()
{
    const Folder folder;
    const auto study = compressedStudy(folder / "s", 2);
    GRIDHELM_EXPECT_ERROR(FieldSurrogate(study, 1));
    FieldSurrogate surrogate(study, 0);
    std::vector<float> values(columns), few(3);
    const std::vector x{0.5, 0.5, 0.5};
    GRIDHELM_EXPECT_ERROR(surrogate.evaluate(x, {values, {}}, CpuDevice{1})); // nothing is loaded
    surrogate.loadAll(study);
    GRIDHELM_EXPECT_ERROR(surrogate.evaluate(std::vector{0.5}, {values, {}}, CpuDevice{1}));
    GRIDHELM_EXPECT_ERROR(surrogate.evaluate(x, {values, few}, CpuDevice{1}));
    GRIDHELM_EXPECT_ERROR(surrogate.evaluate(x, {few, {}}, CpuDevice{1}, columns - 2));
    GRIDHELM_EXPECT_ERROR(evaluateFromFile(study, 0, x, {few, {}}, CpuDevice{1}));
    GRIDHELM_EXPECT_ERROR(evaluateFromFile(study, 3, x, {values, {}}, CpuDevice{1}));
    GRIDHELM_EXPECT_ERROR(ScalarSurrogate(study, 0, *sparse::makeReferenceBackend()));
    const auto larger = compressedStudy(folder / "larger", 3);
    GRIDHELM_EXPECT_ERROR(surrogate.loadAll(larger));
}

void EvaluateTest::scalarStudiesAgreeWithTheReference()
{
    const Folder folder;
    Parameter a{"a", "", 1, 100, ParameterScale::logarithmic}, x{"x", "m", 0, 2},
        y{"y", "m", -1, 1};
    x.kind = y.kind = ParameterKind::spatial;
    const ParameterSpace space({a, x, y});
    auto writer = StudyWriter::create(folder / "s", {"scalar", StudyKind::scalar, space, 5, ""});
    writer.addField(smallField("u", 1));
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
    const auto study = Study::open(folder / "s");
    GRIDHELM_EXPECT_ERROR(FieldSurrogate(study, 0));
    const std::vector<std::vector<double>> axes{{7}, {0, 0.3, 1.1, 2}, {-1, 0.2, 1}};
    std::vector<double> points;
    for (double u : axes[1]) {
        for (double v : axes[2]) {
            for (double t : space.toUnit(std::vector{7.0, u, v}))
                points.push_back(t);
        }
    }
    for (int groups : {1, 3, 5}) {
        const auto expected = byReference(study, 0, points, groups);
        const ScalarSurrogate surrogate(study, 0, *sparse::makeOmpBackend(test::onCpu(2)), groups);
        std::vector<float> values(12), indicator(12);
        surrogate.evaluate(axes, {values, indicator});
        for (std::size_t i = 0; i < 12; ++i) {
            QVERIFY(std::abs(static_cast<double>(values[i]) - expected.values[i]) < 1e-5);
            QVERIFY(std::abs(static_cast<double>(indicator[i]) - expected.indicator[i]) < 1e-5);
        }
        GRIDHELM_EXPECT_ERROR(surrogate.evaluate({{7}, {2.1}, {0}}, {values, {}}));
        GRIDHELM_EXPECT_ERROR(surrogate.evaluate({{7}, {1}}, {values, {}}));
    }
}

GRIDHELM_TEST(EvaluateTest)
#include "tst_evaluate.moc"
